/*
 * rankfile_rules.h - the rules for slot lists and places; private to rankfile_lint.c.
 */
#ifndef TM_RANKFILE_RULES_H
#define TM_RANKFILE_RULES_H

#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/rankfile_lex.h"
#include "formats/launchers/openmpi/rankfile_lint.h"
#include "formats/base/lines.h"

/** What a slot list means on one kind of node. */
struct tm_rankfile_spot {
	struct tm_idset pus;         /**< empty: not asked for, or a mistake */
	char *mistake;               /**< why the list means nothing there; NULL: it does */
};

/** A rankfile under judgement. */
struct tm_rankfile_case {
	struct tm_file_lint *lint;
	const char *text;
	const struct tm_launcher_limits *limits;
	bool prrte;
	struct tm_machine *machine;  /**< NULL: not known */
	int ranks;                   /**< of the job, or TM_NONE */
	struct tm_rankfile_text parsed;
	struct tm_idset broken;      /**< ranks of lines that cannot be read */
	struct tm_line line;         /**< the last line that was reported, and what follows it */
	const char *rest;
	bool has_returns;            /**< carriage returns are told once */
	int *entry_of;               /**< [entries] first entry of each rank, + 1; 0: none */
	int *node;                   /**< [hosts] of each host; TM_NONE: unknown; NULL without machine */
	struct tm_rankfile_spot *spot; /**< [words x topologies]; NULL without machine */
};

void tm_rankfile_case_fini(struct tm_rankfile_case *it);

/** Find the nodes of the hosts and the PUs of the entries, as far as they exist. */
int tm_rankfile_place(struct tm_rankfile_case *it, struct tm_error *err);

/** The host and the slot list of an entry; borrowed. */
const char *tm_rankfile_host(const struct tm_rankfile_case *it, const struct tm_entry *entry);
const char *tm_rankfile_list(const struct tm_rankfile_case *it, const struct tm_entry *entry);

/** What the entry's list means on its node; NULL where that is not known. */
struct tm_rankfile_spot *tm_rankfile_spot_of(const struct tm_rankfile_case *it,
					     const struct tm_entry *entry);

/** Has the entry's list a finding of find_commas or find_backwards? */
bool tm_rankfile_is_misread(const struct tm_rankfile_case *it, const struct tm_entry *entry);

/** What to write in the place of an entry that is too long; the caller's to free. */
char *tm_rankfile_shorter(const struct tm_rankfile_case *it, const struct tm_entry *entry,
			  struct tm_error *err);

/** Put numbers into rising order. */
void tm_rankfile_sort(int *list, int count);

/** The rules; each adds what it finds. */
int tm_rankfile_find_commas(struct tm_rankfile_case *it, struct tm_error *err);
int tm_rankfile_find_backwards(struct tm_rankfile_case *it, struct tm_error *err);
int tm_rankfile_find_strangers(struct tm_rankfile_case *it, struct tm_error *err);
int tm_rankfile_find_nowhere(struct tm_rankfile_case *it, struct tm_error *err);
int tm_rankfile_find_overlaps(struct tm_rankfile_case *it, struct tm_error *err);
int tm_rankfile_find_whole(struct tm_rankfile_case *it, struct tm_error *err);

#endif
