/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.h - what went wrong, and where, as a value.
 *
 * A function that can fail returns 0, or -1 after it has described the failure in
 * the caller's struct tmap_error. Outputs are set only on success. The struct lives
 * on the caller's stack and is never freed; only cli/main.c and the probe print it.
 *
 *     --profile: costs.json:12:7: a number is expected
 *     context    path       | |   text
 *                        line column
 *
 * Each function adds what it knows and its callees do not. The innermost place wins: where
 * a document is read on behalf of another, path and line are the inner one's and
 * the outer one becomes context.
 *
 *     return tmap_fail_at(err, TMAP_INPUT, 12, 7, "a number is expected");    the parser
 *     return tmap_at(err, path, 0);                                           the reader
 *     return tmap_wrap(err, "--profile");                                     the command
 */
#ifndef TMAP_CORE_BASE_ERROR_H
#define TMAP_CORE_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/** What is to blame; the values are the exit statuses of the programs. */
enum tmap_error_kind {
	TMAP_OK = 0,
	TMAP_INPUT = 1,    /**< the input is malformed, or the request is impossible on it */
	TMAP_USAGE = 2,    /**< the command line is wrong */
	TMAP_SYSTEM = 3,   /**< the system refused: a file, memory, MPI */
	TMAP_FINDINGS = 4, /**< a check was asked for, and there are findings */
};

/** "No such thing": a rank, node, object or index that is absent. */
#define TMAP_NONE (-1)

enum {
	TMAP_PATH_SIZE = 4097,  /**< the longest path that the system takes, and its end */
	TMAP_ERROR_SIZE = 1280, /**< room for every printed error */
};

/** Texts are without characters that could steer a terminal or deceive its reader: their escapes
 *  (utf8.h) stand for them, and "..." for what did not fit. A failing function sets every member; there is no
 *  need to clear. */
struct tmap_error {
	enum tmap_error_kind kind;
	bool is_in_spec;    /**< path is no file but the text of a one-line specification */
	bool is_unfinished; /**< the text ends in the middle of what begins or is at this line */
	int line;           /**< from 1; 0: unknown, or the file as a whole */
	int column;         /**< in bytes from 1, of a specification as it is in path; 0: unknown */
	char text[512];     /**< one sentence without a final newline */
	char context[256];  /**< what was being done: "rank 3 on 'n1'"; may be "" */
	char path[TMAP_PATH_SIZE]; /**< the file or the specification; may be "" */
};

/** One row of the table that the man pages' EXIT STATUS comes from. */
struct tmap_error_row {
	enum tmap_error_kind kind;
	const char *summary;
};

/** All kinds in ascending order, TMAP_OK first; the last row has summary NULL. */
extern const struct tmap_error_row tmap_error_rows[];

/** Describe a failure that has no place yet. Always returns -1. */
int tmap_fail(struct tmap_error *err, enum tmap_error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Describe a failure at @p line and @p column of what is being read; 0: unknown. Always
 *  returns -1. */
int tmap_fail_at(struct tmap_error *err, enum tmap_error_kind kind, int line, int column,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

/** Describe a failure at byte @p offset (from 0; up to the length) of the one-line specification
 *  @p spec, with @p context, such as "not a machine". It is printed with a caret:
 *
 *      not a machine:
 *      node:4 pak:2
 *             ^ unknown level 'pak'
 *
 *  A long specification is cut around the mistake where it is printed; of one that is longer than a
 *  path only that part is kept. Always returns -1. */
int tmap_fail_in_spec(struct tmap_error *err, enum tmap_error_kind kind, const char *context,
		      const char *spec, size_t offset, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/** The failure is that the text ends in the middle of something, such as a comment: where these are only
 *  its first lines there is none, for all that its line is known. Always returns -1. */
int tmap_unfinished(struct tmap_error *err);

/** The failure is in @p path (NULL: not known here) at @p line (0: unknown). A line that is known
 *  already stays. If a path is and it is another, both stay, and @p path and @p line become
 *  context. Always returns -1. */
int tmap_at(struct tmap_error *err, const char *path, int line);

/** Put "<formatted>: " in front: of the place if it is known, else of the text. The kind stays.
 *  Always returns -1. */
int tmap_wrap(struct tmap_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** *err in @p out of TMAP_ERROR_SIZE bytes, which it returns: "context: path:line:column: text"
 *  with what there is; "line 12, column 7: text" without a path. A path of more than three terminal
 *  lines is cut in its middle, so that line and text stay in sight; it is whole in *err. */
const char *tmap_error_print(const struct tmap_error *err, char *out);

/* Callers' compilers and analyzers see that these return -1: what is set only on success is not
 * taken for set after a failure, and the other way round. */
static inline int tmap_failed(int status)
{
	(void)status;
	return -1;
}
#define tmap_fail(...) tmap_failed((tmap_fail)(__VA_ARGS__))
#define tmap_fail_at(...) tmap_failed((tmap_fail_at)(__VA_ARGS__))
#define tmap_fail_in_spec(...) tmap_failed((tmap_fail_in_spec)(__VA_ARGS__))
#define tmap_unfinished(...) tmap_failed((tmap_unfinished)(__VA_ARGS__))
#define tmap_at(...) tmap_failed((tmap_at)(__VA_ARGS__))
#define tmap_wrap(...) tmap_failed((tmap_wrap)(__VA_ARGS__))

#endif
