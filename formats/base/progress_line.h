/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress_line.h - progress as one line on a terminal, written over and over:
 *
 *     topomap score: 2 s; now: reading
 *     topomap score: 4 of 23 algorithms, 12 s, about 57 s more; now: swing
 *     topomap suggest-rankfile: 31 %, 8 s, about 18 s more
 *
 * It appears with the first report once the work has taken two seconds, several times a second at most, and
 * is gone when the work is done; one that ticks appears then, whatever is reported, and every second. Where
 * the stream is no terminal nothing is ever written.
 *
 * Or as a list, wherever the stream goes: a line for each report, with what is done next.
 *
 *     topomap-bench: 4 of 23 experiments, 12 s, about 57 s more; next: bcast native, blocking, 8
 */
#ifndef TMAP_FORMATS_BASE_PROGRESS_LINE_H
#define TMAP_FORMATS_BASE_PROGRESS_LINE_H

#include "core/base/progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

/** Words of what is done are cut after so many characters. */
enum { TMAP_PROGRESS_WORDS = 48 };

struct tmap_progress_line {
	struct tmap_progress progress; /**< for a request; first, so that it leads back here */
	const char *name;              /**< "topomap score"; borrowed */
	FILE *stream;                  /**< borrowed; NULL: it is no terminal */
	bool is_list;                  /**< the second form; the stream is there then */
	const char *next;              /**< what is done next; borrowed; NULL: not known */
	double wait_s;                 /**< after which it appears */
	double begin_s, shown_s;       /**< by a clock of which only differences count */
	bool is_shown;

	/* what was reported last, for a line that ticks */
	int64_t done, all;
	const char *parts;
	char now[TMAP_PROGRESS_WORDS]; /**< what is done; "": not known */
	bool ticks, is_over;
	pthread_t ticker;
	pthread_mutex_t lock; /**< of all above, while it ticks */
	pthread_cond_t over;
};

/** The clock starts now. */
void tmap_progress_line_init(struct tmap_progress_line *line, const char *name, FILE *stream);
void tmap_progress_line_init_list(struct tmap_progress_line *line, const char *name, FILE *stream);

/** Another work begins: the clock starts anew, and what was reported is of the last one. Not of a line that
 *  ticks. */
void tmap_progress_line_restart(struct tmap_progress_line *line);

/** From now on it is written by a thread of its own, too: for work that reports rarely. The line stays where
 *  it is in memory. Where there is no terminal, or no thread, nothing happens. */
void tmap_progress_line_tick(struct tmap_progress_line *line);

/** The line of a command, on standard error: it ticks, and what is done first is called "reading". */
void tmap_progress_line_start(struct tmap_progress_line *line, const char *name);

/** Nothing of it is on the terminal until the next report: something else is written. */
void tmap_progress_line_hide(struct tmap_progress_line *line);

/** Before the work is written to @p path ("-" is standard output), part of which has yet to be found: where
 *  that is a terminal the line ends; else it stays until tmap_progress_line_fini(). */
void tmap_progress_line_leave(struct tmap_progress_line *line, const char *path);

/** Nothing of it stays on the terminal; a zeroed line is accepted, and one may be released twice. */
void tmap_progress_line_fini(struct tmap_progress_line *line);

#endif
