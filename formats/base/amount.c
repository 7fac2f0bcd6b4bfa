/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/amount.h"

#include <stdio.h>

const char *tmap_amount_print(int64_t amount, bool bytes, char text[TMAP_AMOUNT_ROOM])
{
	static const char *const unit[2][7] = { { "", "k", "M", "G", "T", "P", "E" },
						{ "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" } };
	double step = bytes ? 1024 : 1000, value = (double)amount;
	int at = 0;

	while (value >= step - 0.5 && at < 6) {
		value /= step;
		at++;
	}
	snprintf(text, TMAP_AMOUNT_ROOM, "%.*f%s",
		 at == 0 || value >= 99.95 ? 0 :
			 value >= 9.995    ? 1 :
					     2,
		 value, unit[bytes][at]);
	return text;
}

char *tmap_seconds_print(double seconds, char text[TMAP_SECONDS_ROOM])
{
	static const struct {
		double least, unit;
		const char *name;
	} units[] = { { 1, 1, "s" }, { 1e-3, 1e-3, "ms" }, { 1e-6, 1e-6, "us" }, { 0, 1e-9, "ns" } };
	double number;
	size_t i = 0;

	while (seconds > 0 && seconds < units[i].least)
		i++;
	number = seconds / units[i].unit;
	snprintf(text, TMAP_SECONDS_ROOM, number < 999.5 ? "%.3g %s" : "%.0f %s", number,
		 units[i].name);
	return text;
}

char *tmap_seconds_print_fixed(double seconds, char text[TMAP_SECONDS_ROOM])
{
	static const char *const unit[] = { "s ", "ms", "us", "ns" };
	int at = 0;

	if (seconds == 0) {
		snprintf(text, TMAP_SECONDS_ROOM, "0 s ");
		return text;
	}
	while (at < 3 && seconds < 0.9995 && seconds > 0) {
		seconds *= 1000;
		at++;
	}
	snprintf(text, TMAP_SECONDS_ROOM, seconds < 99999 ? "%.*f %s" : "%.*g %s",
		 seconds >= 99.95         ? 0 :
			 seconds >= 9.995 ? 1 :
					    2,
		 seconds, unit[at]);
	return text;
}
