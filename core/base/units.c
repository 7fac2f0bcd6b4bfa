/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The letter of each power of 1024, from 1024^1. */
static const char unit_letters[] = "KMGTPE";

/* The power of 1024 that a unit such as "", "k", "MB" or "GiB" stands for; TMAP_NONE: no unit. */
static int unit_power(const char *name)
{
	const char *letter;

	if (!*name)
		return 0;
	letter = strchr(unit_letters, toupper((unsigned char)*name));
	if (!letter ||
	    (name[1] && strcasecmp(name + 1, "B") != 0 && strcasecmp(name + 1, "iB") != 0))
		return TMAP_NONE;
	return (int)(letter - unit_letters) + 1;
}

/* Reads digits into *number; false where it passes 2^63-1. *end is the first non-digit. */
static bool read_digits(const char *text, int64_t *number, const char **end)
{
	bool fits = true;

	*number = 0;
	for (; isdigit((unsigned char)*text); text++) {
		int digit = *text - '0';

		if (*number > (INT64_MAX - digit) / 10)
			fits = false;
		else
			*number = *number * 10 + digit;
	}
	*end = text;
	return fits;
}

int tmap_units_parse_bytes(const char *text, int64_t *bytes, struct tmap_error *err)
{
	const char *end;
	int64_t number;
	int power;
	bool fits = read_digits(text, &number, &end);

	if (end == text)
		return tmap_fail(err, TMAP_INPUT, "'%s' is not a size such as 4096, 64KiB or 1M",
				 text);
	if (*end == '.' && isdigit((unsigned char)end[1]))
		return tmap_fail(err, TMAP_INPUT, "size '%s': sizes are whole numbers", text);
	power = unit_power(end);
	if (power == TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT,
				 "size '%s': unknown unit '%s' (K, M, G, T, P and E are powers of "
				 "1024, as are KB and KiB)",
				 text, end);
	if (!fits || number > INT64_MAX >> 10 * power)
		return tmap_fail(err, TMAP_INPUT, "size '%s' is above 2^63-1 bytes", text);
	*bytes = number << 10 * power;
	return 0;
}

char *tmap_units_print_bytes(int64_t bytes, char text[TMAP_UNITS_ROOM])
{
	int power = 0;

	while (bytes && unit_letters[power] && bytes % 1024 == 0) {
		bytes /= 1024;
		power++;
	}
	if (power)
		snprintf(text, TMAP_UNITS_ROOM, "%" PRId64 "%ciB", bytes, unit_letters[power - 1]);
	else
		snprintf(text, TMAP_UNITS_ROOM, "%" PRId64, bytes);
	return text;
}

char *tmap_units_print_size(int64_t bytes, char text[TMAP_UNITS_ROOM])
{
	tmap_units_print_bytes(bytes, text);
	if (text[strspn(text, "0123456789")] == '\0')
		strcat(text, " B");
	return text;
}

int tmap_units_parse_int(const char *text, int64_t min, int64_t max, int64_t *number,
			 struct tmap_error *err)
{
	bool negative = text[0] == '-';
	const char *digits = text + negative, *end;
	int64_t value;
	bool fits = read_digits(digits, &value, &end);

	if (end == digits || *end)
		return tmap_fail(err, TMAP_INPUT, "'%s' is not a whole number", text);
	value = negative ? -value : value;
	if (!fits || value < min || value > max)
		return tmap_fail(err, TMAP_INPUT, "%s is not between %" PRId64 " and %" PRId64,
				 text, min, max);
	*number = value;
	return 0;
}
