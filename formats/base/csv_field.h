/*
 * csv_field.h - a field of a table with commas.
 */
#ifndef TM_CSV_FIELD_H
#define TM_CSV_FIELD_H

#include <stdio.h>

/** Write it, in quotes where it has a comma, a quote or a line's end in it (RFC 4180). */
void tm_csv_put_field(FILE *out, const char *text);

#endif
