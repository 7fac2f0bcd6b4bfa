/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printable.h - texts of others in what people read: with the escapes of core/base/utf8.h.
 */
#ifndef TMAP_FORMATS_BASE_PRINTABLE_H
#define TMAP_FORMATS_BASE_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

/** Write the first @p length bytes of @p text with escapes; returns how many bytes that were. */
size_t tmap_printable_write(FILE *out, const char *text, size_t length);

/** The same within XML and the labels of Graphviz that are like it: with &amp; for &. */
void tmap_printable_write_xml(FILE *out, const char *text, size_t length);

#endif
