#include "formats/launchers/common/entries.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/launchers/common/hosts.h"

#include <limits.h>
#include <stdlib.h>

struct placer {
	const struct tmap_entries *entries;
	tmap_keywords_resolve *resolve;
	const void *context;
	struct tmap_hosts hosts;
	int *place; /* [words x topologies]: place + 1, or 0: not made yet */
	int *line;
};

void tmap_entries_fini(struct tmap_entries *entries)
{
	tmap_names_fini(&entries->hosts);
	tmap_names_fini(&entries->words);
	free(entries->entry);
	*entries = (struct tmap_entries){ 0 };
}

int tmap_entries_add(struct tmap_entries *entries, const struct tmap_entry *entry,
		     struct tmap_error *err)
{
	if (entries->count == INT_MAX)
		return tmap_fail(err, TMAP_INPUT, "there are more than %d entries", INT_MAX);
	if (tmap_grow(&entries->entry, &entries->capacity, (size_t)entries->count + 1,
		      sizeof *entries->entry, err) < 0)
		return -1;
	entries->entry[entries->count++] = *entry;
	return 0;
}

int tmap_entries_add_text(struct tmap_entries *entries, int rank, int line, const char *host,
			  size_t host_length, const char *words, size_t words_length,
			  struct tmap_error *err)
{
	struct tmap_entry entry = { .rank = rank, .line = line };

	entry.host = tmap_names_intern(&entries->hosts, host, host_length, err);
	if (entry.host == TMAP_NONE)
		return -1;
	entry.words = tmap_names_intern(&entries->words, words, words_length, err);
	if (entry.words == TMAP_NONE)
		return -1;
	return tmap_entries_add(entries, &entry, err);
}

int tmap_entries_parse_lines(struct tmap_entries *entries, const char *text,
			     int (*read_line)(struct tmap_entries *entries, struct tmap_line *line,
					      struct tmap_error *err),
			     int *line, struct tmap_error *err)
{
	struct tmap_entries made = { 0 };
	struct tmap_line at = { 0 };
	int status = 0;

	while (status == 0 && tmap_line_next(&at, &text))
		status = read_line(&made, &at, err);
	if (status < 0) {
		*line = at.number;
		tmap_entries_fini(&made);
	} else {
		*entries = made;
	}
	return status;
}

/* The first rank that no entry has, where some rank is as large as the number of entries. */
static int refuse_gap(const struct tmap_entries *entries, const int *entry_of,
		      const struct tmap_entry *largest, struct tmap_error *err)
{
	int missing = 0;

	while (entry_of[missing])
		missing++;
	return tmap_fail(err, TMAP_INPUT,
			 "rank %d is missing: there are %d entries, and line %d is "
			 "for rank %d",
			 missing, entries->count, largest->line, largest->rank);
}

/* The ranks are 0 to entries - 1, each once. */
static int check_ranks(struct placer *in, struct tmap_error *err)
{
	const struct tmap_entries *entries = in->entries;
	int *entry_of = tmap_alloc((size_t)entries->count, sizeof *entry_of, err);
	const struct tmap_entry *beyond = NULL;
	int status = 0;

	if (!entry_of)
		return -1;
	for (int i = 0; i < entries->count && status == 0; i++) {
		const struct tmap_entry *entry = &entries->entry[i];

		if (entry->rank >= entries->count) {
			if (!beyond || entry->rank > beyond->rank)
				beyond = entry;
		} else if (entry_of[entry->rank]) {
			*in->line = entry->line;
			status = tmap_fail(err, TMAP_INPUT, "rank %d already stands in line %d",
					   entry->rank,
					   entries->entry[entry_of[entry->rank] - 1].line);
		} else {
			entry_of[entry->rank] = i + 1;
		}
	}
	if (status == 0 && beyond)
		status = refuse_gap(entries, entry_of, beyond, err);
	free(entry_of);
	return status;
}

static int find_hosts(struct placer *in, const struct tmap_machine *machine, struct tmap_error *err)
{
	int culprit;

	if (tmap_hosts_init(&in->hosts, &in->entries->hosts, machine, &culprit, err) == 0)
		return 0;
	for (int i = in->entries->count - 1; i >= 0; i--)
		if (in->entries->entry[i].host == culprit)
			*in->line = in->entries->entry[i].line;
	return -1;
}

bool tmap_entries_is_all(const struct tmap_idset *pus, const struct tmap_topology *topo)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && !tmap_idset_contains(pus, topo->pu[i].os))
			return false;
	return true;
}

static int add_allowed(struct tmap_idset *pus, const struct tmap_topology *topo,
		       struct tmap_error *err)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && tmap_idset_add(pus, topo->pu[i].os, err) < 0)
			return -1;
	return 0;
}

static int make_place(const struct placer *in, struct tmap_placement *p, int words, int topology,
		      struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];
	struct tmap_idset pus = { 0 };
	int place = TMAP_NONE;

	if (in->resolve(&pus, in->entries->words.name[words], topo, in->context, err) == 0 &&
	    (pus.count || add_allowed(&pus, topo, err) == 0))
		place = tmap_placement_intern(p, topology, &pus, NULL,
					      !tmap_entries_is_all(&pus, topo), err);
	tmap_idset_fini(&pus);
	return place;
}

/* Words are looked up once on each kind of node. */
static int put_ranks(struct placer *in, struct tmap_placement *p, struct tmap_error *err)
{
	size_t topologies = (size_t)p->machine->topology_count;

	in->place =
		tmap_alloc((size_t)in->entries->words.count * topologies, sizeof *in->place, err);
	if (!in->place)
		return -1;
	for (int i = 0; i < in->entries->count; i++) {
		const struct tmap_entry *entry = &in->entries->entry[i];
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

int tmap_entries_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_entries *entries, tmap_keywords_resolve *resolve,
		       const void *context, int *line, struct tmap_error *err)
{
	struct placer in = { entries, resolve, context, .line = line };
	struct tmap_placement made = { 0 };
	int status = -1;

	if (entries->count == 0)
		return tmap_fail(err, TMAP_INPUT, "no line gives a rank its place");
	if (check_ranks(&in, err) == 0 && find_hosts(&in, machine, err) == 0 &&
	    tmap_placement_init(&made, machine, entries->count, err) == 0 &&
	    put_ranks(&in, &made, err) == 0)
		status = tmap_hosts_rename(&in.hosts, machine, err);
	if (status < 0)
		tmap_placement_fini(&made);
	else
		*p = made;
	tmap_hosts_fini(&in.hosts);
	free(in.place);
	return status;
}

int tmap_entries_blame(struct tmap_error *err, const char *path, int line)
{
	return tmap_at(err, tmap_input_name(path), line);
}

int tmap_entries_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		      const struct tmap_entries_reader *reader, struct tmap_error *err)
{
	struct tmap_entries entries = { 0 };
	char *text = NULL;
	int status = -1, line = 0;

	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	if (reader->parse(&entries, text, &line, err) == 0) {
		line = 0;
		status =
			tmap_entries_place(p, machine, &entries, reader->resolve, NULL, &line, err);
	}
	if (status < 0)
		tmap_entries_blame(err, path, line);
	tmap_entries_fini(&entries);
	free(text);
	return status;
}
