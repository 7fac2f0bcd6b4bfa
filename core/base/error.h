/*
 * error.h - what went wrong, as a value.
 *
 * A function that can fail returns 0, or -1 after it has described the failure in
 * the caller's struct tmap_error. Outputs are set only on success. The struct lives
 * on the caller's stack and is never freed; only cli/main.c and the probe print it.
 *
 *     if (tmap_placement_check(p, err) < 0)
 *         return tmap_wrap(err, "%s", file);          "job.json: rank 3 is ..."
 */
#ifndef TMAP_CORE_BASE_ERROR_H
#define TMAP_CORE_BASE_ERROR_H

/** What is to blame; the values are the exit statuses of the programs. */
enum tmap_error_kind {
	TMAP_OK = 0,
	TMAP_INPUT = 1,    /**< the input is malformed, or the request is impossible on it */
	TMAP_USAGE = 2,    /**< the command line is wrong */
	TMAP_SYSTEM = 3,   /**< the system refused: a file, memory, MPI */
	TMAP_FINDINGS = 4, /**< judgement was asked for, and there are findings */
};

/** "No such thing": a rank, node, object or index that is absent. */
#define TMAP_NONE (-1)

struct tmap_error {
	enum tmap_error_kind kind;
	char text[512]; /**< one sentence without a final newline; cut with "..." if longer, and
			      with "?" for control characters, which could steer a terminal */
};

/** One row of the table that the man pages' EXIT STATUS comes from. */
struct tmap_error_row {
	enum tmap_error_kind kind;
	const char *summary;
};

/** All kinds in ascending order, TMAP_OK first; the last row has summary NULL. */
extern const struct tmap_error_row tmap_error_rows[];

/** Describe a failure. Always returns -1. */
int tmap_fail(struct tmap_error *err, enum tmap_error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Put "<formatted>: " in front of the text that is there; the kind stays. Always returns -1. */
int tmap_wrap(struct tmap_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
