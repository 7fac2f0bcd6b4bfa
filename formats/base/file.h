/*
 * file.h - the way in and the way out: "-" is the standard stream, and an output file
 * is written whole or not at all.
 *
 * An output goes to a temporary file beside its destination and takes the
 * destination's name when it is committed; until then, whatever stops the program
 * (an error, SIGINT, SIGTERM, SIGHUP), the old file is as it was and the temporary
 * one is removed. A symbolic link stays one, its target is replaced; the mode of an
 * existing file is kept, a new one follows the umask. What is no regular file
 * (/dev/null, a FIFO, /dev/stdout) is written directly.
 *
 *     struct tm_output out = { 0 };
 *     int status = -1;
 *
 *     if (tm_output_init(&out, args->output, err) == 0 &&
 *         tm_text_write_tree(&tree, out.file, err) == 0)
 *             status = tm_output_commit(&out, err);
 *     tm_output_fini(&out);
 */
#ifndef TM_FILE_H
#define TM_FILE_H

#include "core/base/error.h"

#include <stdio.h>

/** What messages call @p path: "<stdin>" for "-", else the path itself (borrowed). */
const char *tm_input_name(const char *path);

struct tm_input {
	FILE *file;
	const char *name;        /**< for messages; borrowed from the path */
};

/** Open @p path for reading, "-" being standard input. TM_SYSTEM where the system refuses. */
int tm_input_init(struct tm_input *in, const char *path, struct tm_error *err);

/** Close it (standard input stays open). A zeroed object is fine. */
void tm_input_fini(struct tm_input *in);

/** *text = all that @p path holds, terminated, the caller's to free. A zero byte among it is
 *  refused (TM_INPUT): no text format has one. Messages begin with the file's name. O(length). */
int tm_file_read_text(const char *path, char **text, struct tm_error *err);

struct tm_output {
	FILE *file;              /**< write here; NULL while not open */
	char *path;              /**< the destination; NULL for standard output */
	char *temporary;         /**< what becomes the destination; NULL if written directly */
	struct tm_output *next;  /**< the other outputs that a signal must clean up */
	int descriptor;          /**< what file writes to */
	int reason;              /**< errno of the first write that the system refused; 0: none */
};

/** Open the way out to @p path, "-" being standard output. The struct must stay where it
 *  is until tm_output_fini(). TM_SYSTEM where the system refuses. */
int tm_output_init(struct tm_output *out, const char *path, struct tm_error *err);

/** What has been written so far has left the program: TM_SYSTEM with the file's name and the
 *  reason where the system refused any of it, however long ago. Writers need not look. */
int tm_output_check(struct tm_output *out, struct tm_error *err);

/** Everything is written: check that the system took it, and give it its name. On failure
 *  the destination is untouched. Call tm_output_fini() afterwards all the same. */
int tm_output_commit(struct tm_output *out, struct tm_error *err);

/** Close; what was not committed is removed. A zeroed object is fine. */
void tm_output_fini(struct tm_output *out);

#endif
