/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankfile_lex.h - a rankfile's text as entries: rank, host, slot list, line.
 *
 *     rank 3 = user@node07.cluster slot = 0-3   # comment, // comment, or C's
 *
 * Hosts and lists are numbered (core/base/names.h): the host without user and, unless it is an IP
 * address, cut at the first dot, as Open MPI does.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_LEX_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_LEX_H

#include "formats/launchers/common/entries.h"
#include "formats/launchers/openmpi/slot_list.h"

struct tmap_rankfile_text {
	struct tmap_entries entries;  /**< words: the slot lists */
	struct tmap_slot_rules rules; /**< from options in comments */
};

/** Take the text apart; on failure *line is the line to blame. O(length). */
int tmap_rankfile_text_init(struct tmap_rankfile_text *parsed, const char *text, int *line,
			    struct tmap_error *err);

/** Called with a mistake; -1 to stop the reading. */
typedef int tmap_rankfile_report(void *data, int line, const struct tmap_error *mistake,
				 struct tmap_error *err);

/** The same of a text with mistakes: they go to @p report, and the other lines are read. -1 where
 *  memory is refused or @p report stops. */
int tmap_rankfile_text_scan(struct tmap_rankfile_text *parsed, const char *text,
			    tmap_rankfile_report *report, void *data, struct tmap_error *err);

/** Can a rankfile name this host? Open MPI's scanner takes letters, digits and "_-.:" for a
 *  name, and some words for something else; "a:4" is a name to it, and no node has that. */
bool tmap_rankfile_is_host(const char *name, size_t length);

/** What a sentence about "a:4" in a list of hosts goes on with. */
#define TMAP_SEQ_NO_SLOTS "; each line is one rank, and mpirun takes ':' for a part of the name"

void tmap_rankfile_text_fini(struct tmap_rankfile_text *parsed);

#endif
