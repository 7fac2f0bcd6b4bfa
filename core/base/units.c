#include "core/base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct unit {
	const char *name;
	int64_t bytes;
};

static const struct unit units[] = {
	{ "EiB", INT64_C(1) << 60 },
	{ "PiB", INT64_C(1) << 50 },
	{ "TiB", INT64_C(1) << 40 },
	{ "GiB", INT64_C(1) << 30 },
	{ "MiB", INT64_C(1) << 20 },
	{ "KiB", INT64_C(1) << 10 },
	{ "", 1 },
	{ "k", 1000 },
	{ "M", 1000000 },
	{ "G", 1000000000 },
};

/* What tmap_units_print_bytes() chooses from: the powers of 1024, largest first, and 1. */
enum { PRINTED_UNITS = 7 };

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
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
	const struct unit *unit;
	const char *end;
	int64_t number;
	bool fits = read_digits(text, &number, &end);

	if (end == text)
		return tmap_fail(err, TMAP_INPUT, "'%s' is not a size such as 4096, 64KiB or 1M",
				 text);
	if (*end == '.' && isdigit((unsigned char)end[1]))
		return tmap_fail(err, TMAP_INPUT, "size '%s': sizes are whole numbers", text);
	unit = find_unit(end);
	if (!unit)
		return tmap_fail(err, TMAP_INPUT,
				 "size '%s': unknown unit '%s' (KiB, MiB, GiB, TiB, PiB "
				 "and EiB are powers of 1024; k, M and G powers of 1000)",
				 text, end);
	if (!fits || number > INT64_MAX / unit->bytes)
		return tmap_fail(err, TMAP_INPUT, "size '%s' is above 2^63-1 bytes", text);
	*bytes = number * unit->bytes;
	return 0;
}

char *tmap_units_print_bytes(int64_t bytes, char text[TMAP_UNITS_ROOM])
{
	size_t i = 0;

	while (i < PRINTED_UNITS - 1 && (bytes == 0 || bytes % units[i].bytes != 0))
		i++;
	snprintf(text, TMAP_UNITS_ROOM, "%" PRId64 "%s", bytes / units[i].bytes, units[i].name);
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
