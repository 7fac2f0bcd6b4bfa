/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printed.h - an error as people read it, for comparisons: printed(&err).
 */
#ifndef TMAP_TESTS_SUPPORT_PRINTED_H
#define TMAP_TESTS_SUPPORT_PRINTED_H

#include "core/base/error.h"

/** Valid until the next call. */
static inline const char *printed(const struct tmap_error *err)
{
	static char text[TMAP_ERROR_SIZE];

	return tmap_error_print(err, text);
}

#endif
