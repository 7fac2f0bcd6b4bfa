/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress_line.h - progress as one line on a terminal, written over and over:
 *
 *     topomap score: 4 of 23 algorithms, 12 s, about 57 s more
 *     topomap suggest-rankfile: 31 %, 8 s, about 18 s more
 *
 * It appears once the work has taken two seconds, several times a second at most, and is gone when
 * the work is done. Where the stream is no terminal nothing is ever written.
 *
 * Or as a list, wherever the stream goes: a line for each report, with what is done next.
 *
 *     topomap-bench: 4 of 23 experiments, 12 s, about 57 s more; next: bcast native, blocking, 8
 */
#ifndef TMAP_FORMATS_BASE_PROGRESS_LINE_H
#define TMAP_FORMATS_BASE_PROGRESS_LINE_H

#include "core/base/progress.h"

#include <stdbool.h>
#include <stdio.h>

struct tmap_progress_line {
	struct tmap_progress progress; /**< for a request; first, so that it leads back here */
	const char *name;              /**< "topomap score"; borrowed */
	FILE *stream;                  /**< borrowed; NULL: it is no terminal */
	bool is_list;                  /**< the second form; the stream is there then */
	const char *next;              /**< what is done next; borrowed; NULL: not known */
	double wait_s;                 /**< after which it appears */
	double begin_s, shown_s;       /**< by a clock of which only differences count */
	bool is_shown;
};

/** The clock starts now. */
void tmap_progress_line_init(struct tmap_progress_line *line, const char *name, FILE *stream);
void tmap_progress_line_init_list(struct tmap_progress_line *line, const char *name, FILE *stream);

/** Nothing of it is on the terminal until the next report: something else is written. */
void tmap_progress_line_hide(struct tmap_progress_line *line);

/** Nothing of it stays on the terminal; a zeroed line is accepted, and one may be released twice. */
void tmap_progress_line_fini(struct tmap_progress_line *line);

#endif
