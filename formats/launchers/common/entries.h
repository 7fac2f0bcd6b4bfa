/*
 * entries.h - what files about single ranks have in common: a rank, its host, and words
 * that say which PUs of it.
 *
 *     text of any form  --reader-->  { rank, host, words, line } ...  --place-->  placement
 *
 * Hosts and words are numbered (core/base/names.h): each is looked up once.
 */
#ifndef TM_ENTRIES_H
#define TM_ENTRIES_H

#include "core/machine/placement.h"
#include "core/base/names.h"
#include "formats/base/lines.h"

struct tm_entry {
	int rank, host, words, line;
};

struct tm_entries {
	struct tm_names hosts, words;
	struct tm_entry *entry;
	int count;
	size_t capacity;
};

void tm_entries_fini(struct tm_entries *entries);

int tm_entries_add(struct tm_entries *entries, const struct tm_entry *entry, struct tm_error *err);

/** Add an entry of @p line whose host and words are not known yet. */
int tm_entries_add_text(struct tm_entries *entries, int rank, int line, const char *host,
			size_t host_length, const char *words, size_t words_length,
			struct tm_error *err);

/** The entries of a text: @p read_line adds what a line says. On failure *line is its number and
 *  *entries is not touched. */
int tm_entries_parse_lines(struct tm_entries *entries, const char *text,
			   int (*read_line)(struct tm_entries *entries, struct tm_line *line,
					    struct tm_error *err),
			   int *line, struct tm_error *err);

/** *pus = the OS indexes of the PUs that the words mean on a node of this topology; it is empty
 *  before and set only on success. Nothing at all: the rank is not bound. */
typedef int tm_words_resolve(struct tm_idset *pus, const char *words,
			     const struct tm_topology *topo, const void *context,
			     struct tm_error *err);

/** *p = the ranks where the entries say, on the nodes of @p machine, which may take the hosts'
 *  names (hosts.h). A rank that gets all that the job may use of its node is not bound. Refuses
 *  no entry at all, ranks that are missing or doubled, hosts that are unknown and whatever
 *  @p resolve refuses; then *line is the line to blame, or stays. O(entries) expected. */
int tm_entries_place(struct tm_placement *p, struct tm_machine *machine,
		     const struct tm_entries *entries, tm_words_resolve *resolve,
		     const void *context, int *line, struct tm_error *err);

/** What readers of such files do: read @p path ("-": standard input), let @p parse fill the
 *  entries, place them. Messages begin with "file:line: ", or "file: ". */
struct tm_entries_reader {
	int (*parse)(struct tm_entries *entries, const char *text, int *line,
		     struct tm_error *err);
	tm_words_resolve *resolve;
};

int tm_entries_read(struct tm_placement *p, struct tm_machine *machine, const char *path,
		    const struct tm_entries_reader *reader, struct tm_error *err);

/** "file:line: " in front of the message, or "file: " if @p line is 0. Returns -1. */
int tm_entries_blame(struct tm_error *err, const char *path, int line);

/** Does the set have every PU that the job may use? O(PUs). */
bool tm_entries_is_all(const struct tm_idset *pus, const struct tm_topology *topo);

#endif
