/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.h - the way in: a file, or standard input where its name is "-".
 *
 * Every reader of a text or of JSON gets the same from it, whatever wrote the file:
 *
 *     byte order mark of UTF-8, zero bytes before the text    taken away
 *     CR LF, or CR alone, at the end of a line                LF
 *     byte order mark of UTF-16 or UTF-32                     refused
 *     a zero byte, a byte that is no UTF-8                    refused, by line and column
 *     a device that has no end, such as /dev/zero             refused
 *     more bytes than TMAP_INPUT_MOST                         refused, a file of so many at once
 *     from a pipe more than its job can need                  refused, as it may have no end
 *
 * (Open MPI 5 may write a zero byte before what the first rank prints.) In a log programs write what
 * they like, and some launchers refuse ends of lines that others take: where that matters the text is
 * read as it is, and the last two are done when it is known what it is.
 */
#ifndef TMAP_FORMATS_BASE_INPUT_H
#define TMAP_FORMATS_BASE_INPUT_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Bytes that are read of one input at most, blanks and all: of a log, which may have a picture of the node for
 *  each of 11 million ranks, 3 * 10^9. Below 2^32 by more than is read at a time, so that a buffer that
 *  doubles ends there. */
#define TMAP_INPUT_MOST 4000000000

/** Of a list of ranks or nodes: a rankfile of 11 million ranks has 0.3 * 10^9. */
#define TMAP_INPUT_MOST_LIST 1000000000

/** Of what somebody wrote, measured or chose: costs, a campaign, a node as hwloc describes it. */
#define TMAP_INPUT_MOST_TABLE 100000000

/** Of the rules by which a library chooses: 22 collectives with 100 sizes each of 100 communicators have 8 *
 *  10^6. */
#define TMAP_INPUT_MOST_RULES 10000000

/** Of a text from what is no file, and so may have no end: comments, and what programs print between the
 *  lines of a log. Each rank of a job, or pair of ranks, adds TMAP_INPUT_LINE bytes to it. */
#define TMAP_INPUT_MOST_PIPE 100000000
#define TMAP_INPUT_LINE 1024

/** And of JSON: of 11 million ranks in no order at all a document has 0.1 * 10^9; what its values take is
 *  bounded, too (formats/json/json_weight.h). */
#define TMAP_INPUT_MOST_JSON 1000000000

/** Of a text that has not ended so many bytes or more are judged before the rest is read. */
#define TMAP_INPUT_HEAD 1048576

/** What messages call @p path: "<stdin>" for "-", else the path itself (borrowed). */
const char *tmap_input_name(const char *path);

/** Is @p path a file that can be read a second time? A FIFO cannot, nor can standard input. */
bool tmap_input_is_file(const char *path);

/** Bytes of a file that can be read a second time; 0 of anything else. */
int64_t tmap_input_file_length(const char *path);

/** Refuse a @p file that was opened, of which nothing was read yet, and which is a device: those that are
 *  neither empty nor terminals have no end. */
int tmap_input_check_end(FILE *file, struct tmap_error *err);

struct tmap_input {
	FILE *file;
	const char *name; /**< for messages; borrowed from the path */
	char ahead[8];    /**< what was read to see how the text begins */
	int ahead_count;
	bool keeps_ends;      /**< CR LF and CR stay */
	bool has_zeros;       /**< zero bytes are some among others */
	int64_t most;         /**< bytes that are read; one more is refused */
	int64_t most_of_file; /**< where less is read as this is no file; else 0 */
	int64_t taken;        /**< bytes that were read so far */
	bool is_measured, is_begun, was_cr, is_wide, is_void;
	int reason; /**< errno where the system refused to read */

	/** tmap_input_take_all(): may a text begin so? @p head are its first lines, the callee's to change;
	 *  -1 with *err set refuses them by err->line, unless that is 0, as where they are too few, or
	 *  err->is_unfinished. NULL: it is not asked. */
	int (*judge)(char *head, const void *data, struct tmap_error *err);
	const void *judge_data;
};

/** Open @p path for reading, "-" being standard input, of TMAP_INPUT_MOST bytes; who wants others sets most
 *  afterwards. TMAP_SYSTEM where the system refuses. */
int tmap_input_init(struct tmap_input *in, const char *path, struct tmap_error *err);

/** Read no more than TMAP_INPUT_MOST_PIPE bytes, and TMAP_INPUT_LINE for each of @p lines, unless it is a
 *  file, whose end is known, or most is less. */
void tmap_input_limit_pipe(struct tmap_input *in, int64_t lines);

/** Does it begin with these bytes, 8 at most? They are still there to be taken, and a length above @p most is
 *  not yet refused. */
bool tmap_input_begins(struct tmap_input *in, const void *mark, int length);

/** The next bytes of the text, at most @p size > 0; 0 at its end or where it cannot be read. */
size_t tmap_input_take(struct tmap_input *in, char *buffer, size_t size);

/** After a 0: TMAP_SYSTEM where the system refused to read, TMAP_INPUT where it is UTF-16 or
 *  too long. */
int tmap_input_check(const struct tmap_input *in, struct tmap_error *err);

/** Refuse what has more than @p most bytes. */
int tmap_input_refuse_length(int64_t most, struct tmap_error *err);

/** *bytes = all that there are, or up to the first zero unless has_zeros; *length of them, and a zero; the
 *  caller's to free. Messages have no file. */
int tmap_input_take_all(struct tmap_input *in, char **bytes, size_t *length,
			struct tmap_error *err);

/** Close it (standard input stays open). A zeroed object is fine. */
void tmap_input_fini(struct tmap_input *in);

/** *text = all that @p path holds, @p most bytes at most, or TMAP_INPUT_MOST_PIPE of what is no file;
 *  terminated, the caller's to free. Messages begin with the file's name. O(length). */
int tmap_input_read_text(const char *path, int64_t most, char **text, struct tmap_error *err);

/** The same, with the ends of its lines as they are and bytes that are no UTF-8. */
int tmap_input_read_as_is(const char *path, int64_t most, char **text, struct tmap_error *err);

/** Both of an input that was opened; messages have no file. */
int tmap_input_take_text(struct tmap_input *in, char **text, struct tmap_error *err);
int tmap_input_take_as_is(struct tmap_input *in, char **text, struct tmap_error *err);

/** Bytes that were taken with their ends, as tmap_input_read_text() has them, in place; messages have no
 *  file. */
int tmap_input_make_text(char *bytes, size_t length, struct tmap_error *err);

/** Refuse bytes of the @p text that are no UTF-8, by line and column. */
int tmap_input_check_text(const char *text, struct tmap_error *err);

/** Every end of a line becomes LF, in place. */
void tmap_input_join_ends(char *text);

#endif
