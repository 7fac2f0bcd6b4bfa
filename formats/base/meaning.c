/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/meaning.h"

#include <stdio.h>

char *tmap_number_print(double number, char text[TMAP_MEANING_ROOM])
{
	snprintf(text, TMAP_MEANING_ROOM, "%.12g", number);
	return text;
}
