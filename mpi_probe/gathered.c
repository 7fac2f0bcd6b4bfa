/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/gathered.h"

#include "core/base/mem.h"
#include "formats/network/topology_addr.h"
#include "mpi_probe/host.h"
#include "mpi_probe/node.h"
#include "mpi_probe/sha256.h"
#include "mpi_probe/topology_pack.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_cursor part_cursor(const struct tmap_part *part)
{
	return (struct tmap_cursor){ .at = part->data, .left = part->length };
}

static int machine_add_topologies(struct tmap_machine *machine, int *number,
				  const struct tmap_gathered *job, struct tmap_error *err)
{
	for (int i = 0; i < job->topology_count; i++) {
		struct tmap_topology topo;

		if (tmap_topology_unpack(&topo, job->description[i].data,
					 job->description[i].length, err) < 0)
			return -1;
		number[i] = tmap_machine_add_topology_take(machine, &topo, err);
		if (number[i] == TMAP_NONE) {
			tmap_topology_fini(&topo);
			return -1;
		}
	}
	return 0;
}

static int hosts_read(char **name, const struct tmap_gathered *job, struct tmap_error *err)
{
	for (int i = 0; i < job->node_count; i++) {
		struct tmap_cursor cursor = part_cursor(&job->roster[i]);
		char host[TMAP_HOST_SIZE];

		tmap_cursor_text(&cursor, host, sizeof host);
		tmap_host_clean(host);
		name[i] = tmap_strdup(host, err);
		if (!name[i])
			return -1;
	}
	return tmap_host_make_distinct(name, job->node_count, err);
}

static int machine_add_nodes(struct tmap_machine *machine, const int *number,
			     const struct tmap_gathered *job, struct tmap_error *err)
{
	char **name = tmap_alloc((size_t)job->node_count, sizeof *name, err);
	int status = name ? hosts_read(name, job, err) : -1;

	for (int i = 0; i < job->node_count && status == 0; i++)
		status = tmap_machine_add_node(machine, name[i],
					       number[job->topology_of[job->table_of[i]]], err);
	for (int i = 0; name && i < job->node_count; i++)
		free(name[i]);
	free(name);
	return status;
}

/* An affinity of some table, on the way to the placement's list of distinct places. */
struct affinity_entry {
	int topology;
	int at; /* in the placement's places, at last */
	struct tmap_affinity affinity;
};

struct affinity_entries {
	int *base; /* [table_count + 1]: first entry of a table */
	struct affinity_entry *entry;
};

static void entries_fini(struct affinity_entries *entries, int table_count)
{
	for (int i = 0; entries->entry && i < entries->base[table_count]; i++)
		tmap_affinity_fini(&entries->entry[i].affinity);
	free(entries->entry);
	free(entries->base);
}

/* A table begins with the digest of its description and the number of its affinities. */
static int table_read_head(struct tmap_cursor *cursor)
{
	struct tmap_digest digest;

	tmap_cursor_raw(cursor, digest.byte, sizeof digest.byte);
	return tmap_cursor_count(cursor, 12);
}

static int entries_count(struct affinity_entries *entries, const struct tmap_gathered *job,
			 struct tmap_error *err)
{
	entries->base = tmap_alloc((size_t)job->table_count + 1, sizeof *entries->base, err);
	if (!entries->base)
		return -1;
	for (int t = 0; t < job->table_count; t++) {
		struct tmap_cursor cursor = part_cursor(&job->table[t]);

		entries->base[t + 1] = entries->base[t] + table_read_head(&cursor);
	}
	entries->entry =
		tmap_alloc((size_t)entries->base[job->table_count], sizeof *entries->entry, err);
	return entries->entry ? 0 : -1;
}

static int entries_read(struct affinity_entries *entries, const int *number,
			const struct tmap_gathered *job, struct tmap_error *err)
{
	for (int t = 0; t < job->table_count; t++) {
		struct tmap_cursor cursor = part_cursor(&job->table[t]);

		table_read_head(&cursor);
		for (int i = entries->base[t]; i < entries->base[t + 1]; i++) {
			entries->entry[i].topology = number[job->topology_of[t]];
			if (tmap_affinity_unpack(&entries->entry[i].affinity, &cursor, err) < 0)
				return -1;
		}
		if (tmap_cursor_end(&cursor, "a table of affinities", err) < 0)
			return -1;
	}
	return 0;
}

static int entry_compare(const struct affinity_entry *a, const struct affinity_entry *b)
{
	if (a->topology != b->topology)
		return a->topology < b->topology ? -1 : 1;
	return tmap_affinity_compare(&a->affinity, &b->affinity);
}

static int entries_rising(const void *left, const void *right)
{
	return entry_compare(*(struct affinity_entry *const *)left,
			     *(struct affinity_entry *const *)right);
}

/* Equal affinities of different tables are one place. */
static int placement_add_places(struct tmap_placement *p, struct affinity_entry *entry, int count,
				struct tmap_error *err)
{
	struct affinity_entry **order = tmap_alloc_raw((size_t)count, sizeof *order, err);
	int status = order ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++)
		order[i] = &entry[i];
	if (status == 0)
		qsort(order, (size_t)count, sizeof *order, entries_rising);
	for (int i = 0; i < count && status == 0; i++) {
		const struct tmap_affinity *affinity = &order[i]->affinity;

		if (i && entry_compare(order[i - 1], order[i]) == 0) {
			order[i]->at = order[i - 1]->at;
			continue;
		}
		order[i]->at = tmap_placement_add_place(p, order[i]->topology, &affinity->pus,
							&affinity->memory, affinity->bound, err);
		status = order[i]->at == TMAP_NONE ? -1 : 0;
	}
	free(order);
	return status;
}

static int roster_read(struct tmap_placement *p, const struct tmap_gathered *job, int node,
		       const struct affinity_entries *entries, struct tmap_error *err)
{
	struct tmap_cursor cursor = part_cursor(&job->roster[node]);
	int table = job->table_of[node], base = entries->base[table];
	int affinities = entries->base[table + 1] - base, count;
	struct tmap_node_addr addr;

	tmap_node_unpack_addr(&cursor, &addr);
	count = tmap_cursor_count(&cursor, 12);
	for (int i = 0; i < count; i++) {
		int rank = tmap_cursor_int(&cursor), affinity = tmap_cursor_int(&cursor);

		if (rank < 0 || rank >= p->size || p->node[rank] != TMAP_NONE || affinity < 0 ||
		    affinity >= affinities)
			return tmap_fail(err, TMAP_SYSTEM,
					 "node '%s' lists rank %d with affinity %d: "
					 "no such rank or affinity, or a rank of two nodes",
					 p->machine->node_name[node], rank, affinity);
		p->node[rank] = node;
		p->place[rank] = entries->entry[base + affinity].at;
		p->last_pu[rank] = tmap_cursor_int(&cursor);
	}
	return tmap_cursor_end(&cursor, "a list of ranks", err);
}

/* A placement knows the last PU of all ranks, or of none. */
static void placement_drop_last_pus(struct tmap_placement *p)
{
	int r = 0;

	while (r < p->size && p->last_pu[r] != TMAP_NONE)
		r++;
	if (r == p->size)
		return;
	free(p->last_pu);
	p->last_pu = NULL;
}

static int ranks_place(struct tmap_placement *p, const int *number, const struct tmap_gathered *job,
		       struct tmap_error *err)
{
	struct affinity_entries entries = { 0 };
	int status = -1;

	p->last_pu = tmap_alloc((size_t)p->size, sizeof *p->last_pu, err);
	if (p->last_pu && entries_count(&entries, job, err) == 0 &&
	    entries_read(&entries, number, job, err) == 0)
		status =
			placement_add_places(p, entries.entry, entries.base[job->table_count], err);
	for (int i = 0; i < job->node_count && status == 0; i++)
		status = roster_read(p, job, i, &entries, err);
	entries_fini(&entries, job->table_count);
	if (status == 0)
		status = tmap_placement_check(p, err);
	if (status == 0)
		placement_drop_last_pus(p);
	return status;
}

int tmap_gathered_place(struct tmap_placement *p, const struct tmap_gathered *job,
			struct tmap_error *err)
{
	struct tmap_machine *machine = tmap_machine_new(err);
	struct tmap_placement made = { 0 };
	int *number = tmap_alloc((size_t)job->topology_count, sizeof *number, err);
	int status = -1;

	if (machine && number && machine_add_topologies(machine, number, job, err) == 0 &&
	    machine_add_nodes(machine, number, job, err) == 0 &&
	    tmap_placement_init(&made, machine, job->size, err) == 0) {
		status = ranks_place(&made, number, job, err);
		if (status == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	tmap_machine_free(machine);
	free(number);
	return status;
}

/* The texts of an address, in memory of its own: *text is to be freed. */
static int addr_keep(struct tmap_topology_addr *addr, char **text, const struct tmap_part *roster,
		     const char *host, struct tmap_error *err)
{
	struct tmap_cursor cursor = part_cursor(roster);
	struct tmap_node_addr read;

	tmap_node_unpack_addr(&cursor, &read);
	*text = tmap_format(err, "%s%c%s%c%s", read.name, 0, read.addr, 0, read.pattern);
	if (!*text)
		return -1;
	addr->host = host;
	addr->name = *text;
	addr->addr = *text + strlen(addr->name) + 1;
	addr->pattern = addr->addr + strlen(addr->addr) + 1;
	return 0;
}

static int network_apply(struct tmap_placement *p, const struct tmap_topology_addr *addr,
			 struct tmap_str *note, struct tmap_error *err)
{
	struct tmap_network net = { 0 };
	int status = tmap_topology_addr_read(&net, addr, p->machine->node_count, err);

	if (status == 0)
		status = tmap_network_apply(&net, p->machine, err);
	if (status == 0 && net.note.failed)
		status = tmap_fail(err, TMAP_SYSTEM, "out of memory");
	if (status == 0 && net.note.text)
		tmap_str_add(note, net.note.text);
	tmap_network_fini(&net);
	if (status == 0 || err->kind != TMAP_INPUT)
		return status;
	tmap_machine_clear_tiers(p->machine);
	tmap_str_addf(note,
		      "what it says of switches is left out (--network FILE gives them): %s%s%s\n",
		      err->context, *err->context ? ": " : "", err->text);
	return 0;
}

int tmap_gathered_connect(struct tmap_placement *p, const struct tmap_gathered *job,
			  struct tmap_str *note, struct tmap_error *err)
{
	size_t count = (size_t)job->node_count;
	struct tmap_topology_addr *addr = tmap_alloc(count, sizeof *addr, err);
	char **text = tmap_alloc(count, sizeof *text, err);
	int status = addr && text ? 0 : -1;

	for (size_t n = 0; n < count && status == 0; n++)
		status = addr_keep(&addr[n], &text[n], &job->roster[n], p->machine->node_name[n],
				   err);
	if (status == 0 && tmap_topology_addr_is(addr, job->node_count))
		status = network_apply(p, addr, note, err);
	for (size_t n = 0; text && n < count; n++)
		free(text[n]);
	free(text);
	free(addr);
	return status;
}
