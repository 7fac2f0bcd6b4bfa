/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entries.h - what files about single ranks have in common: a rank, its host, and words for the
 * PUs of it.
 *
 *     text of any form  --parse-->  { rank, host, words, line } ...  --place-->  placement
 *
 * Hosts and words are numbered (core/base/names.h): each is looked up once.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_ENTRIES_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_ENTRIES_H

#include "core/base/names.h"
#include "core/machine/placement.h"
#include "formats/base/lines.h"

struct tmap_entry {
	int rank;  /**< not negative: readers refuse such a rank themselves */
	int host;  /**< its number in hosts */
	int words; /**< their number in words; TMAP_NONE: the k-th entry of a node gets its k-th
			core */
	int line;
};

struct tmap_entries {
	struct tmap_names hosts, words;
	struct tmap_entry *entry;
	int count;
	size_t capacity;
	int most; /**< of entries that a short word may stand for; 0: its reader has no such words */
	const void *context; /**< what resolve gets with the words; borrowed */
	int *thread; /**< [count] of a log whose lines are for threads: which one of its rank; NULL:
			  for ranks (log_jobs.h) */
	size_t thread_capacity;
	const char *note; /**< half a sentence on what the text does not say; NULL: nothing */
};

void tmap_entries_fini(struct tmap_entries *entries);

int tmap_entries_add(struct tmap_entries *entries, const struct tmap_entry *entry,
		     struct tmap_error *err);

/** Add an entry of @p line whose host and words have no numbers yet. @p words NULL: the rank is on
 *  the next core of the node, and resolve is not called. Words of length 0 are words as others,
 *  resolve gets "": where they mean that the rank is not bound, it leaves the set empty. */
int tmap_entries_add_text(struct tmap_entries *entries, int rank, int line, const char *host,
			  size_t host_length, const char *words, size_t words_length,
			  struct tmap_error *err);

/** The entry that was added last is of this thread of its rank; all entries get one, or none. */
int tmap_entries_set_thread(struct tmap_entries *entries, int thread, struct tmap_error *err);

/** Rank r, for all of them, on node node[r] of the machine, on its next core. */
int tmap_entries_add_nodes(struct tmap_entries *entries, const int *node, int count,
			   struct tmap_error *err);

/** The entries of a text: @p read_line adds those of one line. On failure *line is its number and
 *  *entries is not touched. */
int tmap_entries_parse_lines(struct tmap_entries *entries, const char *text,
			     int (*read_line)(struct tmap_entries *entries, struct tmap_line *line,
					      struct tmap_error *err),
			     int *line, struct tmap_error *err);

/** *pus = the OS indexes of the PUs that the words, never NULL, mean on a node of this topology; it
 *  is empty before and set only on success. If it stays empty, the rank is not bound. */
typedef int tmap_entries_resolve(struct tmap_idset *pus, const char *words,
				 const struct tmap_topology *topo, const void *context,
				 struct tmap_error *err);

/** *p = the ranks of the entries on the nodes of @p machine, which may take the hosts' names
 *  (hosts.h). A rank that gets all that the job may use of its node is not bound. Refuses no entry
 *  at all, ranks that are missing or doubled, unknown hosts, more ranks without words on a node
 *  than it has cores, and whatever @p resolve refuses; then *line is the line to blame, or stays.
 *  O(entries) expected. */
int tmap_entries_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_entries *entries, tmap_entries_resolve *resolve, int *line,
		       struct tmap_error *err);

#endif
