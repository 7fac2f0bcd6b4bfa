/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/compare.h"

#include "core/base/mem.h"
#include "core/base/names.h"

#include <stdlib.h>
#include <string.h>

void tmap_comparison_fini(struct tmap_comparison *comparison)
{
	tmap_metric_fini(&comparison->metric_a);
	tmap_metric_fini(&comparison->metric_b);
	free(comparison->pairs_a);
	free(comparison->pairs_b);
	tmap_idset_fini(&comparison->other_node);
	tmap_idset_fini(&comparison->other_pus);
	tmap_idset_fini(&comparison->other_binding);
	*comparison = (struct tmap_comparison){ 0 };
}

int64_t tmap_comparison_moved(const struct tmap_comparison *comparison)
{
	return tmap_idset_size(&comparison->other_node) + tmap_idset_size(&comparison->other_pus) +
		tmap_idset_size(&comparison->other_binding);
}

/* Length of a name without its domain; all of one that begins with a digit, as addresses do. */
static size_t name_bare_length(const char *name)
{
	return *name >= '0' && *name <= '9' ? strlen(name) : strcspn(name, ".");
}

/* Bare names to the first node that has each; two nodes n1.a and n1.b differ in all of it. */
int tmap_match_nodes(const struct tmap_machine *a, const struct tmap_machine *b, int **node_of,
		     struct tmap_error *err)
{
	struct tmap_names whole = { 0 }, bare = { 0 };
	int *first = tmap_alloc((size_t)b->node_count, sizeof *first, err);
	int *made = tmap_alloc((size_t)a->node_count, sizeof *made, err);
	int status = first && made ? 0 : -1;

	for (int n = 0; n < b->node_count && status == 0; n++) {
		const char *name = b->node_name[n];
		int known = bare.count,
		    i = tmap_names_intern(&bare, name, name_bare_length(name), err);

		if (i == TMAP_NONE ||
		    tmap_names_intern(&whole, name, strlen(name), err) == TMAP_NONE)
			status = -1;
		else if (i == known)
			first[i] = n;
	}
	for (int n = 0; n < a->node_count && status == 0; n++) {
		const char *name = a->node_name[n];
		int i = tmap_names_find(&bare, name, name_bare_length(name));

		made[n] = tmap_names_find(&whole, name, strlen(name));
		if (made[n] == TMAP_NONE && i != TMAP_NONE)
			made[n] = first[i];
	}
	tmap_names_fini(&whole);
	tmap_names_fini(&bare);
	free(first);
	if (status < 0)
		free(made);
	else
		*node_of = made;
	return status;
}

/* Length of "node" in "node#2"; 0 for other names. */
static size_t name_part_length(const char *name)
{
	const char *mark = strrchr(name, '#');

	if (!mark || !mark[1] || mark[1 + strspn(mark + 1, "0123456789")])
		return 0;
	return (size_t)(mark - name);
}

/* For each node of b the one whose host it is on, [nodes]: where hosts were started in parts, a
 * probe finds "node" and "node#2", which a, where they are one, has not. */
static int *hosts_find(const struct tmap_machine *a, const struct tmap_machine *b,
		       struct tmap_error *err)
{
	int *host = tmap_alloc_raw((size_t)b->node_count, sizeof *host, err),
	    status = host ? 0 : -1;
	struct tmap_names theirs = { 0 }, ours = { 0 };

	for (int n = 0; n < a->node_count && status == 0; n++)
		if (tmap_names_intern(&theirs, a->node_name[n], strlen(a->node_name[n]), err) ==
		    TMAP_NONE)
			status = -1;
	for (int n = 0; n < b->node_count && status == 0; n++) {
		const char *name = b->node_name[n];
		size_t length = name_part_length(name);

		host[n] = n;
		if (tmap_names_intern(&ours, name, strlen(name), err) == TMAP_NONE)
			status = -1;
		else if (length && tmap_names_find(&theirs, name, strlen(name)) == TMAP_NONE &&
			 tmap_names_find(&ours, name, length) != TMAP_NONE)
			host[n] = tmap_names_find(&ours, name, length);
	}
	tmap_names_fini(&theirs);
	tmap_names_fini(&ours);
	if (status == 0)
		return host;
	free(host);
	return NULL;
}

/* Which of the three sets rank r belongs to; NULL: it has not moved. */
static struct tmap_idset *host_change(struct tmap_comparison *it, const int *node_of,
				      const int *host, int r)
{
	const struct tmap_place *a = &it->a->places[it->a->place[r]];
	const struct tmap_place *b = &it->b->places[it->b->place[r]];

	if (node_of[it->a->node[r]] != host[it->b->node[r]])
		return &it->other_node;
	if (!tmap_idset_equal(&a->pus, &b->pus))
		return &it->other_pus;
	return a->bound == b->bound ? NULL : &it->other_binding;
}

static int moves_find(struct tmap_comparison *it, struct tmap_error *err)
{
	int *node_of, *host, status;

	if (tmap_match_nodes(it->a->machine, it->b->machine, &node_of, err) < 0)
		return -1;
	host = hosts_find(it->a->machine, it->b->machine, err);
	status = host ? 0 : -1;
	for (int r = 0; r < it->a->size && status == 0; r++) {
		struct tmap_idset *set = host_change(it, node_of, host, r);

		if (set)
			status = tmap_idset_add(set, r, err);
	}
	free(node_of);
	free(host);
	return status;
}

/* Ranks sorted by their set of one step of A: those of set s stand at first[s] and behind. */
struct grouping {
	int *first;   /* [sets + 1] */
	int *rank;    /* [size] */
	int *members; /* [sets of the largest step of B]: all zero between uses */
};

/* Pairs of ranks that share a set of the grouped step of A and one of step @p j of B. Each rank
 * makes a pair with those before it that share both. */
static int64_t shared_count(const struct grouping *grouping, int sets, const struct tmap_metric *b,
			    int j)
{
	int64_t pairs = 0;

	for (int s = 0; s < sets; s++) {
		for (int i = grouping->first[s]; i < grouping->first[s + 1]; i++) {
			int set = tmap_metric_set(b, j, grouping->rank[i]);

			if (set != TMAP_NONE)
				pairs += grouping->members[set]++;
		}
		for (int i = grouping->first[s]; i < grouping->first[s + 1]; i++) {
			int set = tmap_metric_set(b, j, grouping->rank[i]);

			if (set != TMAP_NONE)
				grouping->members[set] = 0;
		}
	}
	return pairs;
}

/* shared[i * steps of B + j]: pairs at step i or nearer in A and step j or nearer in B. */
static int shared_count_all(const struct tmap_comparison *it, int64_t *shared,
			    struct tmap_error *err)
{
	const struct tmap_metric *a = &it->metric_a, *b = &it->metric_b;
	struct grouping grouping = {
		tmap_alloc((size_t)tmap_metric_most_sets(a) + 1, sizeof *grouping.first, err),
		tmap_alloc((size_t)a->size, sizeof *grouping.rank, err),
		tmap_alloc((size_t)tmap_metric_most_sets(b), sizeof *grouping.members, err),
	};
	int status = grouping.first && grouping.rank && grouping.members ? 0 : -1;

	for (int i = 0; i < a->step_count && status == 0; i++) {
		tmap_partition_sort(&a->step[i].sets, a->placement, grouping.first, grouping.rank);
		for (int j = 0; j < b->step_count; j++)
			shared[i * b->step_count + j] =
				shared_count(&grouping, a->step[i].sets.count, b, j);
	}
	free(grouping.first);
	free(grouping.rank);
	free(grouping.members);
	return status;
}

static void pairs_add(struct tmap_comparison *it, double before, double after, int64_t pairs)
{
	if (after < before)
		it->closer += pairs;
	else if (after > before)
		it->further += pairs;
	else
		it->same += pairs;
}

static int pairs_compare(struct tmap_comparison *it, struct tmap_error *err)
{
	int a = it->metric_a.step_count, b = it->metric_b.step_count;
	int64_t *shared = tmap_alloc((size_t)a * (size_t)b, sizeof *shared, err);
	int status = shared ? shared_count_all(it, shared, err) : -1;

	for (int i = 0; i < a && status == 0; i++)
		for (int j = 0; j < b; j++) {
			int64_t pairs = shared[i * b + j];

			pairs -= i ? shared[(i - 1) * b + j] : 0;
			pairs -= j ? shared[i * b + j - 1] : 0;
			pairs += i && j ? shared[(i - 1) * b + j - 1] : 0;
			pairs_add(it, it->metric_a.step[i].value, it->metric_b.step[j].value,
				  pairs);
		}
	free(shared);
	return status;
}

static void neighbours_compare(struct tmap_comparison *it)
{
	for (int r = 0; r + 1 < it->a->size; r++) {
		double before = tmap_metric_distance(&it->metric_a, r, r + 1);
		double after = tmap_metric_distance(&it->metric_b, r, r + 1);

		it->next_closer += after < before;
		it->next_further += after > before;
	}
}

int tmap_comparison_init(struct tmap_comparison *comparison, const struct tmap_placement *a,
			 const struct tmap_placement *b, enum tmap_scale scale,
			 struct tmap_error *err)
{
	struct tmap_comparison made = { .a = a, .b = b, .scale = scale };

	if (a->size != b->size)
		return tmap_fail(err, TMAP_INPUT, "the first placement has %d ranks, the second %d",
				 a->size, b->size);
	if (tmap_metric_init(&made.metric_a, a, scale, err) < 0 ||
	    tmap_metric_init(&made.metric_b, b, scale, err) < 0 || moves_find(&made, err) < 0 ||
	    pairs_compare(&made, err) < 0)
		goto refused;
	made.pairs_a = tmap_metric_count_pairs(&made.metric_a, err);
	made.pairs_b = made.pairs_a ? tmap_metric_count_pairs(&made.metric_b, err) : NULL;
	if (!made.pairs_b)
		goto refused;
	neighbours_compare(&made);
	*comparison = made;
	return 0;
refused:
	tmap_comparison_fini(&made);
	return -1;
}

int tmap_placements_compare(bool *alike, bool *same, const struct tmap_placement *a,
			    const struct tmap_placement *b, struct tmap_error *err)
{
	struct tmap_comparison comparison;
	bool is_alike, is_same;

	if (same)
		*same = false;
	*alike = false;
	if (a->size != b->size)
		return 0;
	if (tmap_comparison_init(&comparison, a, b, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	is_alike = !comparison.closer && !comparison.further;
	is_same = is_alike && !tmap_comparison_moved(&comparison);
	tmap_comparison_fini(&comparison);
	*alike = is_alike;
	if (same)
		*same = is_same;
	return 0;
}
