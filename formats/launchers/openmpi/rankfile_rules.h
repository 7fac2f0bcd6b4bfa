/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankfile_rules.h - the rules for slot lists and places; private to rankfile_lint.c.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_RULES_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_RANKFILE_RULES_H

#include "formats/base/lines.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

/** What a slot list means on one kind of node. */
struct tmap_rankfile_spot {
	struct tmap_idset pus; /**< empty: not asked for, or a mistake */
	char *mistake;         /**< why the list means nothing there; NULL: it does */
};

/** A rankfile that is checked. */
struct tmap_rankfile_case {
	struct tmap_file_findings *findings;
	const char *text;
	const struct tmap_launcher_limits *limits;
	bool prrte;
	struct tmap_machine *machine; /**< NULL: not known */
	int ranks;                    /**< of the job, or TMAP_NONE */
	struct tmap_rankfile_text parsed;
	struct tmap_idset broken; /**< ranks of lines that cannot be read */
	struct tmap_line line;    /**< the last line that was reported, and what follows it */
	const char *rest;
	bool has_returns; /**< carriage returns are reported once */
	int *entry_of;    /**< [entries] first entry of each rank, + 1; 0: none */
	int *node;        /**< [hosts] of each host; TMAP_NONE: unknown; NULL without machine */
	struct tmap_rankfile_spot *spot; /**< [words x topologies]; NULL without machine */
};

void tmap_rankfile_case_fini(struct tmap_rankfile_case *it);

/** Find the nodes of the hosts and the PUs of the entries, as far as they exist. */
int tmap_rankfile_place(struct tmap_rankfile_case *it, struct tmap_error *err);

/** The host and the slot list of an entry; borrowed. */
const char *tmap_rankfile_host(const struct tmap_rankfile_case *it, const struct tmap_entry *entry);
const char *tmap_rankfile_list(const struct tmap_rankfile_case *it, const struct tmap_entry *entry);

/** What the entry's list means on its node; NULL where that is not known. */
struct tmap_rankfile_spot *tmap_rankfile_spot_of(const struct tmap_rankfile_case *it,
						 const struct tmap_entry *entry);

/** Has the entry's list a finding of find_commas or find_backwards? */
bool tmap_rankfile_is_misread(const struct tmap_rankfile_case *it, const struct tmap_entry *entry);

/** What to write in the place of an entry that is too long; the caller's to free. */
char *tmap_rankfile_shorter(const struct tmap_rankfile_case *it, const struct tmap_entry *entry,
			    struct tmap_error *err);

/** Put numbers into rising order. */
void tmap_rankfile_sort(int *list, int count);

/** The rules; each adds what it finds. */
int tmap_rankfile_find_commas(struct tmap_rankfile_case *it, struct tmap_error *err);
int tmap_rankfile_find_backwards(struct tmap_rankfile_case *it, struct tmap_error *err);
int tmap_rankfile_find_strangers(struct tmap_rankfile_case *it, struct tmap_error *err);
int tmap_rankfile_find_nowhere(struct tmap_rankfile_case *it, struct tmap_error *err);
int tmap_rankfile_find_overlaps(struct tmap_rankfile_case *it, struct tmap_error *err);
int tmap_rankfile_find_whole(struct tmap_rankfile_case *it, struct tmap_error *err);

#endif
