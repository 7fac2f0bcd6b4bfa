/*
 * entries.h - what files about single ranks have in common: a rank, its host, and words
 * that say which PUs of it.
 *
 *     text of any form  --reader-->  { rank, host, words, line } ...  --place-->  placement
 *
 * Hosts and words are numbered (core/base/names.h): each is looked up once.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_ENTRIES_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_ENTRIES_H

#include "core/base/names.h"
#include "core/machine/placement.h"
#include "formats/base/lines.h"

struct tmap_entry {
	int rank, host, words, line;
};

struct tmap_entries {
	struct tmap_names hosts, words;
	struct tmap_entry *entry;
	int count;
	size_t capacity;
};

void tmap_entries_fini(struct tmap_entries *entries);

int tmap_entries_add(struct tmap_entries *entries, const struct tmap_entry *entry,
		     struct tmap_error *err);

/** Add an entry of @p line whose host and words are not known yet. */
int tmap_entries_add_text(struct tmap_entries *entries, int rank, int line, const char *host,
			  size_t host_length, const char *words, size_t words_length,
			  struct tmap_error *err);

/** The entries of a text: @p read_line adds what a line says. On failure *line is its number and
 *  *entries is not touched. */
int tmap_entries_parse_lines(struct tmap_entries *entries, const char *text,
			     int (*read_line)(struct tmap_entries *entries, struct tmap_line *line,
					      struct tmap_error *err),
			     int *line, struct tmap_error *err);

/** *pus = the OS indexes of the PUs that the words mean on a node of this topology; it is empty
 *  before and set only on success. Nothing at all: the rank is not bound. */
typedef int tmap_keywords_resolve(struct tmap_idset *pus, const char *words,
				  const struct tmap_topology *topo, const void *context,
				  struct tmap_error *err);

/** *p = the ranks where the entries say, on the nodes of @p machine, which may take the hosts'
 *  names (hosts.h). A rank that gets all that the job may use of its node is not bound. Refuses
 *  no entry at all, ranks that are missing or doubled, hosts that are unknown and whatever
 *  @p resolve refuses; then *line is the line to blame, or stays. O(entries) expected. */
int tmap_entries_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_entries *entries, tmap_keywords_resolve *resolve,
		       const void *context, int *line, struct tmap_error *err);

/** What readers of such files do: read @p path ("-": standard input), let @p parse fill the
 *  entries, place them. Messages begin with "file:line: ", or "file: ". */
struct tmap_entries_reader {
	int (*parse)(struct tmap_entries *entries, const char *text, int *line,
		     struct tmap_error *err);
	tmap_keywords_resolve *resolve;
};

int tmap_entries_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		      const struct tmap_entries_reader *reader, struct tmap_error *err);

/** "file:line: " in front of the message, or "file: " if @p line is 0. Returns -1. */
int tmap_entries_blame(struct tmap_error *err, const char *path, int line);

/** Does the set have every PU that the job may use? O(PUs). */
bool tmap_entries_is_all(const struct tmap_idset *pus, const struct tmap_topology *topo);

#endif
