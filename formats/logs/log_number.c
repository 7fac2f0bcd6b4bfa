/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/log_number.h"

#include "core/machine/most_ranks.h"

#include <ctype.h>
#include <limits.h>

int tmap_log_number_take(const char **at, const char *end)
{
	const char *start = *at;
	int value = 0;

	for (; *at < end && isdigit((unsigned char)**at); ++*at) {
		int digit = **at - '0';

		value = value > (INT_MAX - digit) / 10 ? INT_MAX : 10 * value + digit;
	}
	return *at > start ? value : TMAP_NONE;
}

int tmap_log_number_check(int number, const char *what, const char *digits, struct tmap_error *err)
{
	int length = 0;

	if (number < TMAP_MOST_RANKS)
		return 0;
	while (length < 40 && isdigit((unsigned char)digits[length]))
		length++;
	return tmap_fail(err, TMAP_INPUT, "%s %.*s: the largest number of a %s is %d", what, length,
			 digits, what, TMAP_MOST_RANKS - 1);
}
