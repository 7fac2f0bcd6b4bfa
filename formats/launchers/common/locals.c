/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/locals.h"

#include "core/base/mem.h"
#include "formats/launchers/common/entries.h"

#include <stdlib.h>
#include <string.h>

static int sort_ranks(struct tmap_locals *locals, struct tmap_error *err)
{
	const struct tmap_placement *p = locals->p;
	int nodes = p->machine->node_count, sum = 0;
	int *next = tmap_placement_count_ranks(p, err);

	if (!next)
		return -1;
	for (int n = 0; n < nodes; n++) {
		int count = next[n];

		if (count > tmap_locals_count(locals, locals->longest))
			locals->longest = n;
		locals->first[n] = next[n] = sum;
		locals->first[n + 1] = sum += count;
	}
	for (int r = 0; r < p->size; r++)
		locals->rank[next[p->node[r]]++] = r;
	free(next);
	return 0;
}

static int name_set(struct tmap_locals *locals, const struct tmap_place *place,
		    struct tmap_error *err)
{
	const struct tmap_topology *topo = &locals->p->machine->topology[place->topology];
	int number;
	char *text;

	if (!place->bound || tmap_topology_is_all(topo, &place->pus))
		return tmap_names_intern(&locals->sets, "", 0, err);
	text = tmap_idset_print(&place->pus, err);
	if (!text)
		return TMAP_NONE;
	number = tmap_names_intern(&locals->sets, text, strlen(text), err);
	free(text);
	return number;
}

/* Runs of ranks on one node: where one comes back, the node has had its run. */
static int find_return(const struct tmap_locals *locals)
{
	const struct tmap_placement *p = locals->p;

	for (int r = 1; r < p->size; r++)
		if (p->node[r] != p->node[r - 1] && locals->rank[locals->first[p->node[r]]] != r)
			return r;
	return TMAP_NONE;
}

static int find_odd(const struct tmap_locals *locals)
{
	const struct tmap_placement *p = locals->p;
	const int *list = &locals->rank[locals->first[locals->longest]];

	for (int n = 0; n < p->machine->node_count; n++)
		for (int i = locals->first[n]; i < locals->first[n + 1]; i++) {
			int r = locals->rank[i], other = list[i - locals->first[n]];

			if (locals->set_of_place[p->place[r]] !=
			    locals->set_of_place[p->place[other]])
				return r;
		}
	return TMAP_NONE;
}

int tmap_locals_init(struct tmap_locals *locals, const struct tmap_placement *p,
		     struct tmap_error *err)
{
	struct tmap_locals made = { .p = p };

	made.first = tmap_alloc((size_t)p->machine->node_count + 1, sizeof *made.first, err);
	made.rank = tmap_alloc_raw((size_t)p->size, sizeof *made.rank, err);
	made.set_of_place = tmap_alloc((size_t)p->place_count, sizeof *made.set_of_place, err);
	if (!made.first || !made.rank || !made.set_of_place || sort_ranks(&made, err) < 0)
		goto fail;
	for (int i = 0; i < p->place_count; i++) {
		made.set_of_place[i] = name_set(&made, &p->places[i], err);
		if (made.set_of_place[i] == TMAP_NONE)
			goto fail;
	}
	made.odd = find_odd(&made);
	made.back = find_return(&made);
	*locals = made;
	return 0;
fail:
	tmap_locals_fini(&made);
	return -1;
}

void tmap_locals_fini(struct tmap_locals *locals)
{
	free(locals->first);
	free(locals->rank);
	free(locals->set_of_place);
	tmap_names_fini(&locals->sets);
	*locals = (struct tmap_locals){ 0 };
}

int tmap_locals_count(const struct tmap_locals *locals, int node)
{
	return locals->first[node + 1] - locals->first[node];
}

const char *tmap_locals_pus(const struct tmap_locals *locals, int rank)
{
	return locals->sets.name[locals->set_of_place[locals->p->place[rank]]];
}

bool tmap_locals_is_unbound(const struct tmap_locals *locals)
{
	for (int r = 0; r < locals->p->size; r++)
		if (*tmap_locals_pus(locals, r))
			return false;
	return true;
}

int *tmap_locals_number_nodes(const struct tmap_locals *locals, struct tmap_error *err)
{
	int nodes = locals->p->machine->node_count, used = 0;
	int *number = tmap_alloc_raw((size_t)nodes, sizeof *number, err);

	for (int n = 0; number && n < nodes; n++)
		number[n] = tmap_locals_count(locals, n) ? used++ : TMAP_NONE;
	return number;
}
