/*
 * caret.h - a mistake shown in the line it stands in.
 *
 *     node:4 pak:2
 *            ^ unknown level 'pak'
 *
 * For one-line languages typed by people. A long line is cut around the mistake.
 */
#ifndef TMAP_CORE_BASE_CARET_H
#define TMAP_CORE_BASE_CARET_H

#include <stddef.h>

/** Into @p out of @p size bytes: the line, and below byte @p offset of it (from 0; up to its
 *  length) a caret and @p reason. Without the reason it is less than 160 bytes. */
void tmap_caret_print(char *out, size_t size, const char *line, size_t offset, const char *reason);

#endif
