/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - the way out: a file is written whole or not at all; "-" is standard output.
 *
 * An output goes to a temporary file beside its destination and takes the
 * destination's name when it is committed; until then, whatever stops the program
 * (an error, SIGINT, SIGTERM, SIGHUP), the old file is as it was and the temporary
 * one is removed. A symbolic link stays one, its target is replaced; the mode of an
 * existing file is kept, a new one follows the umask. What is no regular file
 * (/dev/null, a FIFO, /dev/stdout) is written directly.
 *
 *     struct tmap_output out = { 0 };
 *     int status = -1;
 *
 *     if (tmap_output_init(&out, args->output, err) == 0 &&
 *         tmap_text_write_tree(&tree, out.file, err) == 0)
 *             status = tmap_output_commit(&out, err);
 *     tmap_output_fini(&out);
 *
 * For programs: it handles signals.
 */
#ifndef TMAP_FORMATS_BASE_OUTPUT_H
#define TMAP_FORMATS_BASE_OUTPUT_H

#include "core/base/error.h"

#include <stdio.h>

struct tmap_output {
	FILE *file;               /**< write here; NULL while not open */
	char *path;               /**< the destination; NULL for standard output */
	char *temporary;          /**< what becomes the destination; NULL if written directly */
	struct tmap_output *next; /**< the other outputs that a signal must clean up */
	int descriptor;           /**< what file writes to */
	int reason;               /**< errno of the first write that the system refused; 0: none */
};

/** Open the way out to @p path, "-" being standard output. The struct must stay where it
 *  is until tmap_output_fini(). TMAP_SYSTEM where the system refuses. */
int tmap_output_init(struct tmap_output *out, const char *path, struct tmap_error *err);

/** What has been written so far has left the program: TMAP_SYSTEM with the file's name and the
 *  reason where the system refused any of it, however long ago. Writers need not look. */
int tmap_output_check(struct tmap_output *out, struct tmap_error *err);

/** Everything is written: check that the system took it, and give it its name. On failure
 *  the destination is untouched. Call tmap_output_fini() afterwards all the same. */
int tmap_output_commit(struct tmap_output *out, struct tmap_error *err);

/** Close; what was not committed is removed. A zeroed object is fine. */
void tmap_output_fini(struct tmap_output *out);

#endif
