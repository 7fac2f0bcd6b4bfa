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
	static const char *const unit[] = { "s", "ms", "us", "ns" };
	int at = 0;

	if (seconds == 0) {
		snprintf(text, TMAP_SECONDS_ROOM, "0 s");
		return text;
	}
	while (at < 3 && seconds < 0.9995) {
		seconds *= 1000;
		at++;
	}
	if (seconds >= 1e15 || seconds < 0.9995)
		snprintf(text, TMAP_SECONDS_ROOM, "%#.3g %s", seconds, unit[at]);
	else
		snprintf(text, TMAP_SECONDS_ROOM, "%.*f %s",
			 seconds >= 99.95         ? 0 :
				 seconds >= 9.995 ? 1 :
						    2,
			 seconds, unit[at]);
	return text;
}
