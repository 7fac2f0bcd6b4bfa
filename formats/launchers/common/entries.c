#include "formats/launchers/common/entries.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/launchers/common/hosts.h"

#include <limits.h>
#include <stdlib.h>

struct placer {
	const struct tm_entries *entries;
	tm_words_resolve *resolve;
	const void *context;
	struct tm_hosts hosts;
	int *place;   /* [words x topologies]: place + 1, or 0: not made yet */
	int *line;
};

void tm_entries_fini(struct tm_entries *entries)
{
	tm_names_fini(&entries->hosts);
	tm_names_fini(&entries->words);
	free(entries->entry);
	*entries = (struct tm_entries){ 0 };
}

int tm_entries_add(struct tm_entries *entries, const struct tm_entry *entry, struct tm_error *err)
{
	if (entries->count == INT_MAX)
		return tm_fail(err, TM_INPUT, "there are more than %d entries", INT_MAX);
	if (tm_grow(&entries->entry, &entries->capacity, (size_t)entries->count + 1,
		    sizeof *entries->entry, err) < 0)
		return -1;
	entries->entry[entries->count++] = *entry;
	return 0;
}

int tm_entries_add_text(struct tm_entries *entries, int rank, int line, const char *host,
			size_t host_length, const char *words, size_t words_length,
			struct tm_error *err)
{
	struct tm_entry entry = { .rank = rank, .line = line };

	entry.host = tm_names_intern(&entries->hosts, host, host_length, err);
	if (entry.host == TM_NONE)
		return -1;
	entry.words = tm_names_intern(&entries->words, words, words_length, err);
	if (entry.words == TM_NONE)
		return -1;
	return tm_entries_add(entries, &entry, err);
}

int tm_entries_parse_lines(struct tm_entries *entries, const char *text,
			   int (*read_line)(struct tm_entries *entries, struct tm_line *line,
					    struct tm_error *err),
			   int *line, struct tm_error *err)
{
	struct tm_entries made = { 0 };
	struct tm_line at = { 0 };
	int status = 0;

	while (status == 0 && tm_line_next(&at, &text))
		status = read_line(&made, &at, err);
	if (status < 0) {
		*line = at.number;
		tm_entries_fini(&made);
	} else {
		*entries = made;
	}
	return status;
}

/* The first rank that no entry has, where some rank is as large as the number of entries. */
static int refuse_gap(const struct tm_entries *entries, const int *entry_of,
		      const struct tm_entry *largest, struct tm_error *err)
{
	int missing = 0;

	while (entry_of[missing])
		missing++;
	return tm_fail(err, TM_INPUT, "rank %d is missing: there are %d entries, and line %d is "
		       "for rank %d", missing, entries->count, largest->line, largest->rank);
}

/* The ranks are 0 to entries - 1, each once. */
static int check_ranks(struct placer *in, struct tm_error *err)
{
	const struct tm_entries *entries = in->entries;
	int *entry_of = tm_alloc((size_t)entries->count, sizeof *entry_of, err);
	const struct tm_entry *beyond = NULL;
	int status = 0;

	if (!entry_of)
		return -1;
	for (int i = 0; i < entries->count && status == 0; i++) {
		const struct tm_entry *entry = &entries->entry[i];

		if (entry->rank >= entries->count) {
			if (!beyond || entry->rank > beyond->rank)
				beyond = entry;
		} else if (entry_of[entry->rank]) {
			*in->line = entry->line;
			status = tm_fail(err, TM_INPUT, "rank %d already stands in line %d",
					 entry->rank, entries->entry[entry_of[entry->rank] - 1].line);
		} else {
			entry_of[entry->rank] = i + 1;
		}
	}
	if (status == 0 && beyond)
		status = refuse_gap(entries, entry_of, beyond, err);
	free(entry_of);
	return status;
}

static int find_hosts(struct placer *in, const struct tm_machine *machine, struct tm_error *err)
{
	int culprit;

	if (tm_hosts_init(&in->hosts, &in->entries->hosts, machine, &culprit, err) == 0)
		return 0;
	for (int i = in->entries->count - 1; i >= 0; i--)
		if (in->entries->entry[i].host == culprit)
			*in->line = in->entries->entry[i].line;
	return -1;
}

bool tm_entries_is_all(const struct tm_idset *pus, const struct tm_topology *topo)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && !tm_idset_contains(pus, topo->pu[i].os))
			return false;
	return true;
}

static int add_allowed(struct tm_idset *pus, const struct tm_topology *topo, struct tm_error *err)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && tm_idset_add(pus, topo->pu[i].os, err) < 0)
			return -1;
	return 0;
}

static int make_place(const struct placer *in, struct tm_placement *p, int words, int topology,
		      struct tm_error *err)
{
	const struct tm_topology *topo = &p->machine->topology[topology];
	struct tm_idset pus = { 0 };
	int place = TM_NONE;

	if (in->resolve(&pus, in->entries->words.name[words], topo, in->context, err) == 0 &&
	    (pus.count || add_allowed(&pus, topo, err) == 0))
		place = tm_placement_intern(p, topology, &pus, NULL,
					    !tm_entries_is_all(&pus, topo), err);
	tm_idset_fini(&pus);
	return place;
}

/* Words are looked up once on each kind of node. */
static int put_ranks(struct placer *in, struct tm_placement *p, struct tm_error *err)
{
	size_t topologies = (size_t)p->machine->topology_count;

	in->place = tm_alloc((size_t)in->entries->words.count * topologies, sizeof *in->place,
			     err);
	if (!in->place)
		return -1;
	for (int i = 0; i < in->entries->count; i++) {
		const struct tm_entry *entry = &in->entries->entry[i];
		int node = in->hosts.node[entry->host];
		int topology = p->machine->node_topology[node];
		int *place = &in->place[(size_t)entry->words * topologies + (size_t)topology];

		if (*place == 0)
			*place = make_place(in, p, entry->words, topology, err) + 1;
		if (*place == 0) {
			*in->line = entry->line;
			return -1;
		}
		p->node[entry->rank] = node;
		p->place[entry->rank] = *place - 1;
	}
	return 0;
}

int tm_entries_place(struct tm_placement *p, struct tm_machine *machine,
		     const struct tm_entries *entries, tm_words_resolve *resolve,
		     const void *context, int *line, struct tm_error *err)
{
	struct placer in = { entries, resolve, context, .line = line };
	struct tm_placement made = { 0 };
	int status = -1;

	if (entries->count == 0)
		return tm_fail(err, TM_INPUT, "no line gives a rank its place");
	if (check_ranks(&in, err) == 0 && find_hosts(&in, machine, err) == 0 &&
	    tm_placement_init(&made, machine, entries->count, err) == 0 &&
	    put_ranks(&in, &made, err) == 0)
		status = tm_hosts_rename(&in.hosts, machine, err);
	if (status < 0)
		tm_placement_fini(&made);
	else
		*p = made;
	tm_hosts_fini(&in.hosts);
	free(in.place);
	return status;
}

int tm_entries_blame(struct tm_error *err, const char *path, int line)
{
	if (line)
		return tm_wrap(err, "%s:%d", tm_input_name(path), line);
	return tm_wrap(err, "%s", tm_input_name(path));
}

int tm_entries_read(struct tm_placement *p, struct tm_machine *machine, const char *path,
		    const struct tm_entries_reader *reader, struct tm_error *err)
{
	struct tm_entries entries = { 0 };
	char *text = NULL;
	int status = -1, line = 0;

	if (tm_file_read_text(path, &text, err) < 0)
		return -1;
	if (reader->parse(&entries, text, &line, err) == 0) {
		line = 0;
		status = tm_entries_place(p, machine, &entries, reader->resolve, NULL, &line, err);
	}
	if (status < 0)
		tm_entries_blame(err, path, line);
	tm_entries_fini(&entries);
	free(text);
	return status;
}
