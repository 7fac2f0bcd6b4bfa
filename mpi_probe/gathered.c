/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/gathered.h"

#include "core/base/mem.h"
#include "formats/network/topology_addr.h"
#include "mpi_probe/host.h"
#include "mpi_probe/node.h"
#include "mpi_probe/setting_pack.h"
#include "mpi_probe/sha256.h"
#include "mpi_probe/topology_pack.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_cursor part_cursor(const struct tmap_part *part)
{
	return (struct tmap_cursor){ .at = part->data, .left = part->length };
}

/* Of each description the numbers of its topology and its system. */
struct kinds {
	int *topology, *system; /* [topology_count]; a system may be TMAP_NONE */
};

static int kind_add(struct tmap_machine *machine, int *topology, int *system,
		    const struct tmap_part *description, struct tmap_error *err)
{
	struct tmap_cursor cursor = part_cursor(description);
	struct tmap_topology topo = { 0 };
	struct tmap_system left = { 0 };
	bool has_system = false;
	int status = tmap_node_unpack_description(&topo, &left, &has_system, &cursor, err);

	if (status == 0 &&
	    (*topology = tmap_machine_add_topology_take(machine, &topo, err)) == TMAP_NONE)
		status = -1;
	*system = TMAP_NONE;
	if (status == 0 && has_system &&
	    (*system = tmap_machine_add_system(machine, &left, err)) == TMAP_NONE)
		status = -1;
	tmap_topology_fini(&topo);
	tmap_system_fini(&left);
	return status;
}

static int machine_add_kinds(struct tmap_machine *machine, const struct kinds *kinds,
			     const struct tmap_gathered *job, struct tmap_error *err)
{
	for (int i = 0; i < job->topology_count; i++)
		if (kind_add(machine, &kinds->topology[i], &kinds->system[i], &job->description[i],
			     err) < 0)
			return -1;
	return 0;
}

static int machine_set_systems(struct tmap_machine *machine, const struct kinds *kinds,
			       const struct tmap_gathered *job, struct tmap_error *err)
{
	for (int n = 0; n < job->node_count; n++) {
		int system = kinds->system[job->topology_of[job->table_of[n]]];

		if (system != TMAP_NONE && tmap_machine_set_system(machine, n, system, err) < 0)
			return -1;
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

/* The same for settings. */
struct setting_entry {
	int at; /* in the placement's settings, at last */
	struct tmap_setting setting;
};

struct setting_entries {
	int *base; /* [table_count + 1]: first entry of a table */
	struct setting_entry *entry;
	int count;
	size_t capacity;
};

static void settings_fini(struct setting_entries *settings)
{
	for (int i = 0; i < settings->count; i++)
		tmap_setting_fini(&settings->entry[i].setting);
	free(settings->entry);
	free(settings->base);
}

static int settings_read(struct setting_entries *settings, int table, struct tmap_cursor *cursor,
			 struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 16);

	for (int i = 0; i < count; i++) {
		struct setting_entry entry = { .at = TMAP_NONE };

		if (tmap_grow(&settings->entry, &settings->capacity, (size_t)settings->count + 1,
			      sizeof *settings->entry, err) < 0 ||
		    tmap_setting_unpack(&entry.setting, cursor, err) < 0)
			return -1;
		settings->entry[settings->count++] = entry;
	}
	settings->base[table + 1] = settings->count;
	return 0;
}

static int settings_rising(const void *left, const void *right)
{
	return tmap_setting_compare(&(*(struct setting_entry *const *)left)->setting,
				    &(*(struct setting_entry *const *)right)->setting);
}

/* Equal settings of different tables are one. A placement knows those of all ranks, or of none. */
static int placement_add_settings(struct tmap_placement *p, struct setting_entries *settings,
				  int table_count, struct tmap_error *err)
{
	size_t count = (size_t)settings->count;
	struct setting_entry **order;
	int status;

	for (int t = 0; t < table_count; t++)
		if (settings->base[t] == settings->base[t + 1])
			return 0;
	order = tmap_alloc_raw(count, sizeof *order, err);
	status = order ? 0 : -1;
	for (int i = 0; i < settings->count && status == 0; i++)
		order[i] = &settings->entry[i];
	if (status == 0)
		qsort(order, count, sizeof *order, settings_rising);
	for (int i = 0; i < settings->count && status == 0; i++) {
		if (i && settings_rising(&order[i - 1], &order[i]) == 0)
			order[i]->at = order[i - 1]->at;
		else
			order[i]->at = tmap_placement_add_setting(p, &order[i]->setting, err);
		status = order[i]->at == TMAP_NONE ? -1 : 0;
	}
	free(order);
	if (status == 0 && p->setting_count > 1) {
		p->setting = tmap_alloc((size_t)p->size, sizeof *p->setting, err);
		status = p->setting ? 0 : -1;
	}
	return status;
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

/* A table's affinities, and its settings behind them. */
static int entries_read(struct affinity_entries *entries, struct setting_entries *settings,
			const int *number, const struct tmap_gathered *job, struct tmap_error *err)
{
	for (int t = 0; t < job->table_count; t++) {
		struct tmap_cursor cursor = part_cursor(&job->table[t]);

		table_read_head(&cursor);
		for (int i = entries->base[t]; i < entries->base[t + 1]; i++) {
			entries->entry[i].topology = number[job->topology_of[t]];
			if (tmap_affinity_unpack(&entries->entry[i].affinity, &cursor, err) < 0)
				return -1;
		}
		if (settings_read(settings, t, &cursor, err) < 0)
			return -1;
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

/* Behind a roster's ranks, which are those of @p row: the setting of each, where the table has
 * several. */
static int roster_read_settings(struct tmap_placement *p, struct tmap_cursor row, int count,
				struct tmap_cursor *cursor, const struct setting_entries *settings,
				int table)
{
	int base = settings->base[table], end = settings->base[table + 1];

	for (int i = 0; i < count && end > base; i++) {
		int rank = tmap_cursor_int(&row);
		int setting = end - base > 1 ? tmap_cursor_int(cursor) : 0;

		tmap_cursor_int(&row);
		tmap_cursor_int(&row);
		if (setting < 0 || setting >= end - base)
			return -1;
		if (p->setting)
			p->setting[rank] = settings->entry[base + setting].at;
	}
	return 0;
}

static int roster_read(struct tmap_placement *p, const struct tmap_gathered *job, int node,
		       const struct affinity_entries *entries,
		       const struct setting_entries *settings, struct tmap_error *err)
{
	struct tmap_cursor cursor = part_cursor(&job->roster[node]);
	int table = job->table_of[node], base = entries->base[table];
	int affinities = entries->base[table + 1] - base, count;
	struct tmap_cursor row;
	struct tmap_node_addr addr;

	tmap_node_unpack_addr(&cursor, &addr);
	count = tmap_cursor_count(&cursor, 12);
	row = cursor;
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
	if (roster_read_settings(p, row, count, &cursor, settings, table) < 0)
		return tmap_fail(err, TMAP_SYSTEM,
				 "node '%s' lists a rank with a setting that it "
				 "does not have",
				 p->machine->node_name[node]);
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
	struct setting_entries settings = { 0 };
	int status = -1;

	settings.base = tmap_alloc((size_t)job->table_count + 1, sizeof *settings.base, err);
	p->last_pu = tmap_alloc((size_t)p->size, sizeof *p->last_pu, err);
	if (p->last_pu && settings.base && entries_count(&entries, job, err) == 0 &&
	    entries_read(&entries, &settings, number, job, err) == 0 &&
	    placement_add_settings(p, &settings, job->table_count, err) == 0)
		status =
			placement_add_places(p, entries.entry, entries.base[job->table_count], err);
	for (int i = 0; i < job->node_count && status == 0; i++)
		status = roster_read(p, job, i, &entries, &settings, err);
	entries_fini(&entries, job->table_count);
	settings_fini(&settings);
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
	struct kinds kinds = { tmap_alloc((size_t)job->topology_count, sizeof(int), err),
			       tmap_alloc((size_t)job->topology_count, sizeof(int), err) };
	int status = -1;

	if (machine && kinds.topology && kinds.system &&
	    machine_add_kinds(machine, &kinds, job, err) == 0 &&
	    machine_add_nodes(machine, kinds.topology, job, err) == 0 &&
	    machine_set_systems(machine, &kinds, job, err) == 0 &&
	    tmap_placement_init(&made, machine, job->size, err) == 0) {
		status = ranks_place(&made, kinds.topology, job, err);
		if (status == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	tmap_machine_free(machine);
	free(kinds.topology);
	free(kinds.system);
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
