/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/rankfile_rules.h"

#include "core/base/mem.h"
#include "formats/launchers/common/pu_owners.h"

#include <stdlib.h>
#include <string.h>

/* The node of every host, by the short names that Open MPI uses; as in hosts.h, nodes of which
 * none is known take the names in order. */
static int case_find_nodes(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_names *hosts = &it->parsed.entries.hosts;
	const struct tmap_machine *machine = it->machine;
	struct tmap_names names = { 0 };
	int *node_of = tmap_alloc((size_t)machine->node_count, sizeof *node_of, err);
	int known = 0, next = 0, status = node_of ? 0 : -1;

	for (int n = 0; n < machine->node_count && status == 0; n++) {
		const char *name = machine->node_name[n];
		int before = names.count;
		int number = tmap_names_intern(&names, name, tmap_host_short_length(name), err);

		if (number == TMAP_NONE)
			status = -1;
		else if (number == before)
			node_of[number] = n;
	}
	for (int h = 0; h < hosts->count && status == 0; h++) {
		int number = tmap_names_find(&names, hosts->name[h], strlen(hosts->name[h]));
		long relative = *hosts->name[h] == '+' ? strtol(hosts->name[h] + 2, NULL, 10) : -1;

		it->node[h] = number == TMAP_NONE ? TMAP_NONE : node_of[number];
		if (relative >= 0 && relative < machine->node_count)
			it->node[h] = (int)relative;
		known += number != TMAP_NONE;
	}
	for (int h = 0; h < hosts->count && !known && status == 0; h++)
		if (it->node[h] == TMAP_NONE && next < machine->node_count)
			it->node[h] = next++;
	tmap_names_fini(&names);
	free(node_of);
	return status;
}

struct tmap_rankfile_spot *tmap_rankfile_spot_of(const struct tmap_rankfile_case *it,
						 const struct tmap_entry *entry)
{
	int node = it->node ? it->node[entry->host] : TMAP_NONE;
	const struct tmap_machine *machine = it->machine;

	if (node == TMAP_NONE)
		return NULL;
	return &it->spot[(size_t)entry->words * (size_t)machine->topology_count +
			 (size_t)machine->node_topology[node]];
}

static int entry_resolve(struct tmap_rankfile_case *it, const struct tmap_entry *entry,
			 struct tmap_error *err)
{
	struct tmap_rankfile_spot *spot = tmap_rankfile_spot_of(it, entry);
	const struct tmap_slot_rules *rules = &it->parsed.rules;
	struct tmap_error mistake;

	if (!spot || spot->mistake || spot->pus.count)
		return 0;
	if (tmap_slot_list_parse(&spot->pus, tmap_rankfile_list(it, entry),
				 tmap_machine_topology(it->machine, it->node[entry->host]), rules,
				 &mistake) == 0)
		return 0;
	if (mistake.kind != TMAP_INPUT) {
		*err = mistake;
		return -1;
	}
	spot->mistake = tmap_strdup(mistake.text, err);
	return spot->mistake ? 0 : -1;
}

int tmap_rankfile_place(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	int status;

	it->node = tmap_alloc((size_t)entries->hosts.count, sizeof *it->node, err);
	it->spot = tmap_alloc((size_t)entries->words.count * (size_t)it->machine->topology_count,
			      sizeof *it->spot, err);
	status = it->node && it->spot ? case_find_nodes(it, err) : -1;
	for (int i = 0; i < entries->count && status == 0; i++)
		status = entry_resolve(it, &entries->entry[i], err);
	return status;
}

void tmap_rankfile_case_fini(struct tmap_rankfile_case *it)
{
	size_t spots = it->machine ?
		(size_t)it->parsed.entries.words.count * (size_t)it->machine->topology_count :
		0;

	for (size_t i = 0; it->spot && i < spots; i++) {
		tmap_idset_fini(&it->spot[i].pus);
		free(it->spot[i].mistake);
	}
	free(it->spot);
	free(it->node);
	free(it->entry_of);
	tmap_idset_fini(&it->broken);
	tmap_rankfile_text_fini(&it->parsed);
}

int tmap_rankfile_find_strangers(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	bool *reported = tmap_alloc((size_t)entries->hosts.count, sizeof *reported, err);
	int status = reported ? 0 : -1;

	for (int i = 0; i < entries->count && it->node && status == 0; i++) {
		const struct tmap_entry *entry = &entries->entry[i];

		if (it->node[entry->host] != TMAP_NONE || reported[entry->host])
			continue;
		reported[entry->host] = true;
		status = tmap_file_findings_add_take(
			it->findings, "unknown-host", entry->line,
			tmap_format(err, "host '%s' is none of the job's %d node%s",
				    tmap_rankfile_host(it, entry), it->machine->node_count,
				    it->machine->node_count == 1 ? "" : "s"),
			tmap_format(err, "a node of the job, such as '%s'",
				    it->machine->node_name[0]),
			err);
	}
	free(reported);
	return status;
}

/* What to write for a list that means nothing on its node. */
static const char *fix_place(const struct tmap_rankfile_case *it, const struct tmap_entry *entry)
{
	const char *list = tmap_rankfile_list(it, entry);
	const struct tmap_topology *topo =
		tmap_machine_topology(it->machine, it->node[entry->host]);
	bool has_packages = false;

	for (int o = 0; o < topo->object_count; o++)
		has_packages |= topo->object[o].type == TMAP_PACKAGE;
	if (has_packages && strchr(list, ':'))
		return "PACKAGE:CORE, packages counted from 0 over the whole node and cores from 0 in "
		       "their package, of those that the job may use";
	if (has_packages && strchr(list, '*'))
		return "the package before it, as in 0:*, or cores counted from 0 over the whole node";
	return "cores that the job may use, counted from 0 over the whole node";
}

int tmap_rankfile_find_nowhere(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		const struct tmap_rankfile_spot *spot = tmap_rankfile_spot_of(it, entry);

		if (!spot || !spot->mistake || tmap_rankfile_is_misread(it, entry))
			continue;
		if (tmap_file_findings_add_take(it->findings, "no-such-place", entry->line,
						tmap_strdup(spot->mistake, err),
						tmap_strdup(fix_place(it, entry), err), err) < 0)
			return -1;
	}
	return 0;
}

static bool is_whole(const struct tmap_rankfile_case *it, const struct tmap_entry *entry)
{
	const struct tmap_rankfile_spot *spot = tmap_rankfile_spot_of(it, entry);

	return spot && spot->pus.count &&
		tmap_topology_is_all(tmap_machine_topology(it->machine, it->node[entry->host]),
				     &spot->pus);
}

/* One finding for all of them. */
int tmap_rankfile_find_whole(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	const struct tmap_entry *first = NULL;
	int count = 0;

	for (int i = 0; i < entries->count; i++)
		if (is_whole(it, &entries->entry[i])) {
			first = first ? first : &entries->entry[i];
			count++;
		}
	if (!first)
		return 0;
	return tmap_file_findings_add_take(
		it->findings, "whole-node", first->line,
		tmap_format(err,
			    "slot list '%s' of rank %d is all that the job may "
			    "use of the node: Open MPI does not bind the rank (%d "
			    "rank%s in the file)",
			    tmap_rankfile_list(it, first), first->rank, count,
			    count == 1 ? "" : "s"),
		tmap_strdup("fewer cores, if the rank shall be bound", err), err);
}

/* Claims the entry's PUs; *pu is one that another entry has, which is returned, or TMAP_NONE. */
static int claim_pus(struct tmap_pu_owners *owners, int entry, int node,
		     const struct tmap_idset *pus, int *pu)
{
	int other = TMAP_NONE;

	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int owner = tmap_pu_owners_claim(owners, node, os, entry);

		if (owner != TMAP_NONE && other == TMAP_NONE) {
			other = owner;
			*pu = os;
		}
	}
	return other;
}

static int check_overlap(struct tmap_rankfile_case *it, struct tmap_pu_owners *owners, int i,
			 struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	const struct tmap_entry *entry = &entries->entry[i];
	int pu,
		other = claim_pus(owners, i, it->node[entry->host],
				  &tmap_rankfile_spot_of(it, entry)->pus, &pu);

	if (other == TMAP_NONE || entries->entry[other].rank == entry->rank)
		return 0;
	return tmap_file_findings_add_take(
		it->findings, "overlap", entry->line,
		tmap_format(err,
			    "rank %d gets hardware thread P%d of host '%s', "
			    "which rank %d of line %d has too",
			    entry->rank, pu, tmap_rankfile_host(it, entry),
			    entries->entry[other].rank, entries->entry[other].line),
		tmap_strdup("other cores for one of the two", err), err);
}

/* Node after node: first[n] and next[i] chain the entries of a node, in the order of the file. */
static int check_overlaps(struct tmap_rankfile_case *it, struct tmap_pu_owners *owners, int *first,
			  int *next, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = entries->count - 1; i >= 0; i--) {
		const struct tmap_rankfile_spot *spot =
			tmap_rankfile_spot_of(it, &entries->entry[i]);
		int node = spot ? it->node[entries->entry[i].host] : TMAP_NONE;

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

int tmap_rankfile_find_overlaps(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	struct tmap_pu_owners owners = { 0 };
	int *first, *next, status = -1;

	if (!it->machine)
		return 0;
	first = tmap_alloc((size_t)it->machine->node_count, sizeof *first, err);
	next = tmap_alloc((size_t)it->parsed.entries.count, sizeof *next, err);
	if (first && next && tmap_pu_owners_init(&owners, it->machine, err) == 0)
		status = check_overlaps(it, &owners, first, next, err);
	tmap_pu_owners_fini(&owners);
	free(first);
	free(next);
	return status;
}
