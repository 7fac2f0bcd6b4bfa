/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.h - the way in: a file, or standard input where its name is "-".
 */
#ifndef TMAP_FORMATS_BASE_INPUT_H
#define TMAP_FORMATS_BASE_INPUT_H

#include "core/base/error.h"

#include <stdio.h>

/** What messages call @p path: "<stdin>" for "-", else the path itself (borrowed). */
const char *tmap_input_name(const char *path);

struct tmap_input {
	FILE *file;
	const char *name; /**< for messages; borrowed from the path */
};

/** Open @p path for reading, "-" being standard input. TMAP_SYSTEM where the system refuses. */
int tmap_input_init(struct tmap_input *in, const char *path, struct tmap_error *err);

/** Close it (standard input stays open). A zeroed object is fine. */
void tmap_input_fini(struct tmap_input *in);

/** *text = all that @p path holds, terminated, the caller's to free. A zero byte among it is
 *  refused (TMAP_INPUT): no text format has one. Messages begin with the file's name. O(length). */
int tmap_input_read_text(const char *path, char **text, struct tmap_error *err);

#endif
