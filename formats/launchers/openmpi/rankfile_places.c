#include "formats/launchers/openmpi/rankfile_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The node of every host, by the short names that Open MPI goes by; as in hosts.h, nodes of which
 * none is known take the names in order. */
static int find_nodes(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_names *hosts = &it->parsed.entries.hosts;
	const struct tm_machine *machine = it->machine;
	struct tm_names names = { 0 };
	int *node_of = tm_alloc((size_t)machine->node_count, sizeof *node_of, err);
	int known = 0, next = 0, status = node_of ? 0 : -1;

	for (int n = 0; n < machine->node_count && status == 0; n++) {
		const char *name = machine->node_name[n];
		int before = names.count;
		int number = tm_names_intern(&names, name, tm_host_short_length(name), err);

		if (number == TM_NONE)
			status = -1;
		else if (number == before)
			node_of[number] = n;
	}
	for (int h = 0; h < hosts->count && status == 0; h++) {
		int number = tm_names_find(&names, hosts->name[h], strlen(hosts->name[h]));
		long relative = *hosts->name[h] == '+' ? strtol(hosts->name[h] + 2, NULL, 10) : -1;

		it->node[h] = number == TM_NONE ? TM_NONE : node_of[number];
		if (relative >= 0 && relative < machine->node_count)
			it->node[h] = (int)relative;
		known += number != TM_NONE;
	}
	for (int h = 0; h < hosts->count && !known && status == 0; h++)
		if (it->node[h] == TM_NONE && next < machine->node_count)
			it->node[h] = next++;
	tm_names_fini(&names);
	free(node_of);
	return status;
}

struct tm_rankfile_spot *tm_rankfile_spot_of(const struct tm_rankfile_case *it,
					     const struct tm_entry *entry)
{
	int node = it->node ? it->node[entry->host] : TM_NONE;
	const struct tm_machine *machine = it->machine;

	if (node == TM_NONE)
		return NULL;
	return &it->spot[(size_t)entry->words * (size_t)machine->topology_count +
			 (size_t)machine->node_topology[node]];
}

static int resolve(struct tm_rankfile_case *it, const struct tm_entry *entry, struct tm_error *err)
{
	struct tm_rankfile_spot *spot = tm_rankfile_spot_of(it, entry);
	const struct tm_slot_rules *rules = &it->parsed.rules;
	struct tm_error mistake;

	if (!spot || spot->mistake || spot->pus.count)
		return 0;
	if (tm_slot_list_parse(&spot->pus, tm_rankfile_list(it, entry),
			       tm_machine_topology(it->machine, it->node[entry->host]), rules,
			       &mistake) == 0)
		return 0;
	if (mistake.kind != TM_INPUT) {
		*err = mistake;
		return -1;
	}
	spot->mistake = tm_strdup(mistake.text, err);
	return spot->mistake ? 0 : -1;
}

int tm_rankfile_place(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;
	int status;

	it->node = tm_alloc((size_t)entries->hosts.count, sizeof *it->node, err);
	it->spot = tm_alloc((size_t)entries->words.count * (size_t)it->machine->topology_count,
			    sizeof *it->spot, err);
	status = it->node && it->spot ? find_nodes(it, err) : -1;
	for (int i = 0; i < entries->count && status == 0; i++)
		status = resolve(it, &entries->entry[i], err);
	return status;
}

void tm_rankfile_case_fini(struct tm_rankfile_case *it)
{
	size_t spots = it->machine ? (size_t)it->parsed.entries.words.count *
				     (size_t)it->machine->topology_count : 0;

	for (size_t i = 0; it->spot && i < spots; i++) {
		tm_idset_fini(&it->spot[i].pus);
		free(it->spot[i].mistake);
	}
	free(it->spot);
	free(it->node);
	free(it->entry_of);
	tm_idset_fini(&it->broken);
	tm_rankfile_text_fini(&it->parsed);
}

int tm_rankfile_find_strangers(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;
	bool *told = tm_alloc((size_t)entries->hosts.count, sizeof *told, err);
	int status = told ? 0 : -1;

	for (int i = 0; i < entries->count && it->node && status == 0; i++) {
		const struct tm_entry *entry = &entries->entry[i];

		if (it->node[entry->host] != TM_NONE || told[entry->host])
			continue;
		told[entry->host] = true;
		status = tm_file_lint_add_take(it->lint, "unknown-host", entry->line,
					       tm_format(err, "host '%s' is none of the job's %d nodes",
							 tm_rankfile_host(it, entry), it->machine->node_count),
					       tm_format(err, "a node of the job, such as '%s'",
							 it->machine->node_name[0]), err);
	}
	free(told);
	return status;
}

/* What to write for a list that means nothing on its node. */
static const char *mend_place(const struct tm_rankfile_case *it, const struct tm_entry *entry)
{
	const char *list = tm_rankfile_list(it, entry);
	const struct tm_topology *topo = tm_machine_topology(it->machine, it->node[entry->host]);
	bool has_packages = false;

	for (int o = 0; o < topo->object_count; o++)
		has_packages |= topo->object[o].type == TM_PACKAGE;
	if (has_packages && strchr(list, ':'))
		return "PACKAGE:CORE, packages counted from 0 over the whole node and cores from 0 in "
		       "their package, of those that the job may use";
	if (has_packages && strchr(list, '*'))
		return "the package before it, as in 0:*, or cores counted from 0 over the whole node";
	return "cores that the job may use, counted from 0 over the whole node";
}

int tm_rankfile_find_nowhere(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tm_entry *entry = &entries->entry[i];
		const struct tm_rankfile_spot *spot = tm_rankfile_spot_of(it, entry);

		if (!spot || !spot->mistake || tm_rankfile_is_misread(it, entry))
			continue;
		if (tm_file_lint_add_take(it->lint, "no-such-place", entry->line,
					  tm_strdup(spot->mistake, err),
					  tm_strdup(mend_place(it, entry), err), err) < 0)
			return -1;
	}
	return 0;
}

static bool is_whole(const struct tm_rankfile_case *it, const struct tm_entry *entry)
{
	const struct tm_rankfile_spot *spot = tm_rankfile_spot_of(it, entry);

	return spot && spot->pus.count &&
	       tm_entries_is_all(&spot->pus, tm_machine_topology(it->machine,
								 it->node[entry->host]));
}

/* One finding for all of them. */
int tm_rankfile_find_whole(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;
	const struct tm_entry *first = NULL;
	int count = 0;

	for (int i = 0; i < entries->count; i++)
		if (is_whole(it, &entries->entry[i])) {
			first = first ? first : &entries->entry[i];
			count++;
		}
	if (!first)
		return 0;
	return tm_file_lint_add_take(it->lint, "whole-node", first->line,
				     tm_format(err, "slot list '%s' of rank %d is all that the job may "
					       "use of the node: Open MPI does not bind the rank (%d "
					       "rank%s in the file)", tm_rankfile_list(it, first),
					       first->rank, count, count == 1 ? "" : "s"),
				     tm_strdup("fewer cores, if the rank shall be bound", err), err);
}

/* Who has each PU of the node that is looked at. */
struct owners {
	int *entry;          /* [room] by OS index: entry + 1 */
	int *node;           /* [room] node + 1 that this was said for */
	int room;
};

static int owners_init(struct owners *owners, const struct tm_machine *machine,
		       struct tm_error *err)
{
	for (int t = 0; t < machine->topology_count; t++)
		for (int i = 0; i < machine->topology[t].pu_count; i++)
			if (machine->topology[t].pu[i].os >= owners->room)
				owners->room = machine->topology[t].pu[i].os + 1;
	owners->entry = tm_alloc((size_t)owners->room, sizeof *owners->entry, err);
	owners->node = tm_alloc((size_t)owners->room, sizeof *owners->node, err);
	return owners->entry && owners->node ? 0 : -1;
}

/* Takes the entry's PUs; *pu is one that another entry has, which is returned, or TM_NONE. */
static int take(struct owners *owners, int entry, int node, const struct tm_idset *pus, int *pu)
{
	int other = TM_NONE;

	for (int os = tm_idset_next(pus, TM_NONE); os != TM_NONE; os = tm_idset_next(pus, os)) {
		if (owners->node[os] == node + 1 && other == TM_NONE) {
			other = owners->entry[os] - 1;
			*pu = os;
		}
		if (owners->node[os] != node + 1)
			owners->entry[os] = entry + 1;
		owners->node[os] = node + 1;
	}
	return other;
}

static int check_overlap(struct tm_rankfile_case *it, struct owners *owners, int i,
			 struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;
	const struct tm_entry *entry = &entries->entry[i];
	int pu, other = take(owners, i, it->node[entry->host], &tm_rankfile_spot_of(it, entry)->pus, &pu);

	if (other == TM_NONE || entries->entry[other].rank == entry->rank)
		return 0;
	return tm_file_lint_add_take(it->lint, "overlap", entry->line,
				     tm_format(err, "rank %d gets hardware thread P%d of host '%s', "
					       "which rank %d of line %d has too", entry->rank, pu,
					       tm_rankfile_host(it, entry), entries->entry[other].rank,
					       entries->entry[other].line),
				     tm_strdup("other cores for one of the two", err), err);
}

/* Node after node: first[n] and next[i] chain the entries of a node, in the order of the file. */
static int check_overlaps(struct tm_rankfile_case *it, struct owners *owners, int *first, int *next,
			  struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;

	for (int i = entries->count - 1; i >= 0; i--) {
		const struct tm_rankfile_spot *spot = tm_rankfile_spot_of(it, &entries->entry[i]);
		int node = spot ? it->node[entries->entry[i].host] : TM_NONE;

		if (!spot || !spot->pus.count || is_whole(it, &entries->entry[i]))
			continue;
		next[i] = first[node];
		first[node] = i + 1;
	}
	for (int n = 0; n < it->machine->node_count; n++)
		for (int i = first[n] - 1; i >= 0; i = next[i] - 1)
			if (check_overlap(it, owners, i, err) < 0)
				return -1;
	return 0;
}

int tm_rankfile_find_overlaps(struct tm_rankfile_case *it, struct tm_error *err)
{
	struct owners owners = { 0 };
	int *first, *next, status = -1;

	if (!it->machine)
		return 0;
	first = tm_alloc((size_t)it->machine->node_count, sizeof *first, err);
	next = tm_alloc((size_t)it->parsed.entries.count, sizeof *next, err);
	if (first && next && owners_init(&owners, it->machine, err) == 0)
		status = check_overlaps(it, &owners, first, next, err);
	free(owners.entry);
	free(owners.node);
	free(first);
	free(next);
	return status;
}
