/*
 * csv_field.h - a field of a table with commas.
 */
#ifndef TMAP_FORMATS_BASE_CSV_FIELD_H
#define TMAP_FORMATS_BASE_CSV_FIELD_H

#include <stdio.h>

/** Write it, in quotes where it has a comma, a quote or a line's end in it (RFC 4180). */
void tmap_csv_put_field(FILE *out, const char *text);

#endif
