/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/entries.h"

#include "core/base/mem.h"
#include "core/place/usable.h"
#include "formats/launchers/common/hosts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct placer {
	const struct tmap_entries *entries;
	tmap_entries_resolve *resolve;
	struct tmap_hosts hosts;
	int *place;               /* [words x topologies]: place + 1, or 0: not made yet */
	struct tmap_usable cores; /* for entries without words */
	int *taken;               /* [nodes] number of ranks so far */
	int *line;
};

void tmap_entries_fini(struct tmap_entries *entries)
{
	tmap_names_fini(&entries->hosts);
	tmap_names_fini(&entries->words);
	free(entries->entry);
	free(entries->thread);
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

	entry.host = tmap_names_intern_host(&entries->hosts, host, host_length, err);
	if (entry.host == TMAP_NONE)
		return -1;
	entry.words = words ? tmap_names_intern(&entries->words, words, words_length, err) :
			      TMAP_NONE;
	if (words && entry.words == TMAP_NONE)
		return -1;
	return tmap_entries_add(entries, &entry, err);
}

int tmap_entries_set_thread(struct tmap_entries *entries, int thread, struct tmap_error *err)
{
	if (tmap_grow(&entries->thread, &entries->thread_capacity, (size_t)entries->count,
		      sizeof *entries->thread, err) < 0)
		return -1;
	entries->thread[entries->count - 1] = thread;
	return 0;
}

int tmap_entries_add_nodes(struct tmap_entries *entries, const int *node, int count,
			   struct tmap_error *err)
{
	for (int r = 0; r < count; r++) {
		char host[24];
		int length = snprintf(host, sizeof host, "+n%d", node[r]);

		if (tmap_entries_add_text(entries, r, 0, host, (size_t)length, NULL, 0, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_entries_parse_lines(struct tmap_entries *entries, const char *text,
			     int (*read_line)(struct tmap_entries *entries, struct tmap_line *line,
					      struct tmap_error *err),
			     int *line, struct tmap_error *err)
{
	struct tmap_entries made = { .most = entries->most };
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
			 "rank %d is missing: there %s %d entr%s, and line %d is for rank %d",
			 missing, entries->count == 1 ? "is" : "are", entries->count,
			 entries->count == 1 ? "y" : "ies", largest->line, largest->rank);
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

/* Words are looked up once on each kind of node. */
static int place_of_words(struct placer *in, struct tmap_placement *p, int words, int topology,
			  struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];
	const struct tmap_entries *entries = in->entries;
	int *place =
		&in->place[(size_t)words * (size_t)p->machine->topology_count + (size_t)topology];
	struct tmap_idset pus = { 0 };

	if (*place == 0) {
		if (in->resolve(&pus, entries->words.name[words], topo, entries->context, err) ==
			    0 &&
		    (pus.count || tmap_topology_add_allowed(&pus, topo, err) == 0))
			*place = tmap_placement_bind(p, topology, &pus, err) + 1;
		tmap_idset_fini(&pus);
	}
	return *place - 1;
}

/* The next core of the node. */
static int place_of_core(struct placer *in, struct tmap_placement *p,
			 const struct tmap_entry *entry, struct tmap_error *err)
{
	int node = in->hosts.node[entry->host];
	int topology = p->machine->node_topology[node], number = in->taken[node];
	const struct tmap_topology *topo = &p->machine->topology[topology];
	struct tmap_usable_kind *kind = &in->cores.kind[topology];
	const struct tmap_object *core;
	struct tmap_idset pus = { 0 };

	if (number >= kind->count) {
		tmap_fail(err, TMAP_INPUT,
			  "rank %d finds no core on node %s: all %d that may be used have a rank",
			  entry->rank, in->entries->hosts.name[entry->host], kind->count);
		return TMAP_NONE;
	}
	core = &topo->object[kind->object[number]];
	for (int i = core->first_pu; kind->place[number] == TMAP_NONE && i < core->end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_add(&pus, topo->pu[i].os, err) < 0)
			goto out;
	if (kind->place[number] == TMAP_NONE)
		kind->place[number] = tmap_placement_bind(p, topology, &pus, err);
out:
	tmap_idset_fini(&pus);
	return kind->place[number];
}

static int put_ranks(struct placer *in, struct tmap_placement *p, struct tmap_error *err)
{
	const struct tmap_machine *machine = p->machine;
	const struct tmap_entries *entries = in->entries;

	in->place = tmap_alloc((size_t)entries->words.count * (size_t)machine->topology_count,
			       sizeof *in->place, err);
	in->taken = tmap_alloc((size_t)machine->node_count, sizeof *in->taken, err);
	if (!in->place || !in->taken)
		return -1;
	for (int i = 0; i < entries->count; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		int node = in->hosts.node[entry->host], place;

		if (entry->words != TMAP_NONE)
			place = place_of_words(in, p, entry->words, machine->node_topology[node],
					       err);
		else if (!in->cores.kind &&
			 tmap_usable_init(&in->cores, machine, TMAP_CORE, err) < 0)
			return -1;
		else
			place = place_of_core(in, p, entry, err);
		if (place == TMAP_NONE) {
			*in->line = entry->line;
			return -1;
		}
		p->node[entry->rank] = node;
		p->place[entry->rank] = place;
		in->taken[node]++;
	}
	return 0;
}

int tmap_entries_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_entries *entries, tmap_entries_resolve *resolve, int *line,
		       struct tmap_error *err)
{
	struct placer in = { .entries = entries, .resolve = resolve, .line = line };
	struct tmap_placement made = { 0 };
	int status = -1;

	if (entries->count == 0)
		return tmap_fail(err, TMAP_INPUT, "no line gives a rank its place");
	if (check_ranks(&in, err) == 0 && find_hosts(&in, machine, err) == 0 &&
	    tmap_placement_init(&made, machine, entries->count, err) == 0 &&
	    put_ranks(&in, &made, err) == 0 &&
	    (!in.hosts.masked || (made.origin.masked_host = tmap_strdup(in.hosts.masked, err))))
		status = tmap_hosts_rename(&in.hosts, machine, err);
	if (status < 0)
		tmap_placement_fini(&made);
	else
		*p = made;
	tmap_usable_fini(&in.cores);
	tmap_hosts_fini(&in.hosts);
	free(in.taken);
	free(in.place);
	return status;
}
