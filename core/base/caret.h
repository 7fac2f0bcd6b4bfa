/*
 * caret.h - a mistake shown in the line it stands in.
 *
 *     not a machine:
 *     node:4 pak:2
 *            ^ unknown level 'pak'
 *
 * For one-line languages typed by people. A long line is cut around the mistake.
 */
#ifndef TMAP_CORE_BASE_CARET_H
#define TMAP_CORE_BASE_CARET_H

#include "core/base/error.h"

#include <stddef.h>

/** Fail with "<what>:", the line, and below @p column of it (from 0; up to the line's length)
 *  a caret and the formatted reason. Always returns -1. */
int tmap_fail_at(struct tmap_error *err, enum tmap_error_kind kind, const char *what,
		 const char *line, size_t column, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

#endif
