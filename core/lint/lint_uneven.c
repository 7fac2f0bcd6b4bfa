/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"
#include "core/lint/part_search.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ranks_on(const struct tmap_node_fold *fold, int n)
{
	return fold->first[n + 1] - fold->first[n];
}

/* Nodes with another number of a part's ranks than most nodes that have any. */
static void part_find_uneven(struct tmap_part_search *it, int part)
{
	const int *node = it->inspection->placement->node;
	const int *first = it->parts.rank + it->parts.first[part];
	const int *end = it->parts.rank + it->parts.first[part + 1];
	int used = 0, odd = 0, example = TMAP_NONE, ranks = 0, usual = 0;

	for (const int *r = first; r < end; r++)
		if (it->on_node[node[*r]]++ == 0)
			it->used[used++] = node[*r];
	for (int i = 0; i < used; i++)
		it->with_rank[it->on_node[it->used[i]]]++;
	for (int i = 0; i < used; i++) {
		int count = it->on_node[it->used[i]];
		int more = it->with_rank[count] - it->with_rank[usual];

		if (more > 0 || (more == 0 && count > usual))
			usual = count;
	}
	for (const int *r = first; r < end; r++)
		it->is_in[*r] = it->on_node[node[*r]] != usual;
	for (int i = 0; i < used; i++) {
		int *count = &it->on_node[it->used[i]];

		if (*count != usual) {
			odd++;
			if (it->used[i] > example) {
				example = it->used[i];
				ranks = *count;
			}
		}
		it->with_rank[*count] = 0;
		*count = 0;
	}
	if (odd && !it->nodes) {
		it->nodes = odd;
		it->used_nodes = used;
		it->example = example;
		it->ranks = ranks;
		it->usual = usual;
	}
}

static int cores_of(const struct tmap_inspection *it, int class)
{
	return tmap_topology_allowed_cores(
		tmap_machine_topology(it->placement->machine, it->fold.example[class]));
}

static int pus_of(const struct tmap_inspection *it, int class)
{
	return tmap_topology_allowed_pus(
		tmap_machine_topology(it->placement->machine, it->fold.example[class]));
}

/* Has each used node a rank a core, or each a rank a hardware thread? Then it is the nodes that are
 * uneven. */
static bool is_full(const struct tmap_inspection *it)
{
	bool by_cores = true, by_pus = true;

	for (int c = 0; c < it->fold.class_count; c++) {
		int ranks = ranks_on(&it->fold, it->fold.example[c]);

		by_cores = by_cores && ranks == cores_of(it, c);
		by_pus = by_pus && ranks == pus_of(it, c);
	}
	return by_cores || by_pus;
}

/* Have nodes of different sizes as much of the work as they have of the cores, as near as whole
 * ranks come? Nodes of one size have no such reason to differ. */
static bool is_proportional(const struct tmap_inspection *it, const int64_t *threads)
{
	double cores = 0, work = 0, largest = 0;
	bool is_alike = true;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		double each = (double)threads[node] / ranks_on(&it->fold, node);

		cores += (double)cores_of(it, c) * it->fold.nodes[c];
		work += (double)threads[node] * it->fold.nodes[c];
		largest = each > largest ? each : largest;
		is_alike = is_alike && cores_of(it, c) == cores_of(it, 0);
	}
	for (int c = 0; c < it->fold.class_count && !is_alike; c++) {
		double fair = work * cores_of(it, c) / cores;

		if (fabs((double)threads[it->fold.example[c]] - fair) >= largest)
			return false;
	}
	return !is_alike;
}

/* Would all nodes with fewer ranks than usual have more threads with as many than their cgroup has time for? */
static bool is_of_quotas(const struct tmap_inspection *it, const int64_t *threads)
{
	int usual = it->order.ranks_usual;
	bool is_any = false;

	for (int n = 0; n < it->placement->machine->node_count; n++) {
		int ranks = ranks_on(&it->fold, n);

		if (!ranks || ranks == usual)
			continue;
		if (ranks > usual || threads[n] / ranks * usual <= tmap_room_quota(it, n))
			return false;
		is_any = true;
	}
	return is_any;
}

static bool has_room(const struct tmap_inspection *it, int ranks)
{
	if (ranks > tmap_room_least_quota(it))
		return false;
	for (int c = 0; c < it->fold.class_count; c++)
		if (cores_of(it, c) < ranks)
			return false;
	return true;
}

/* Cores that each of its ranks has to itself. */
static int cores_each(const struct tmap_inspection *it)
{
	bool bound = it->binding_count && it->binding[0].binding.bound;

	return bound && it->binding_count == 1 ? tmap_room_cores_needed(it) : 1;
}

static int64_t count_room(const struct tmap_inspection *it, int cores)
{
	int64_t room = 0;

	for (int c = 0; c < it->fold.class_count; c++)
		room += (int64_t)it->fold.nodes[c] * (cores_of(it, c) / cores);
	return room;
}

/* What the fullest node has where ranks are as even as they can be. */
static int even_share(const struct tmap_inspection *it)
{
	return (it->placement->size - 1) / it->order.used_nodes + 1;
}

/* Ranks of one program that do not divide over equal nodes, as even as that can be: nobody can mend it. */
static bool is_even(const struct tmap_inspection *it)
{
	return !it->parts.count && tmap_room_has_same_cores(it) &&
		it->order.ranks_max - it->order.ranks_min == 1;
}

/* Nearly so: one node has what is left. No node has much more to do for it: a quarter at most. */
static bool is_remainder(const struct tmap_inspection *it, const struct tmap_part_search *search)
{
	const struct tmap_order *order = &it->order;

	return !it->parts.count && tmap_room_has_same_cores(it) &&
		it->placement->size % order->used_nodes != 0 &&
		4 * (int64_t)order->ranks_max <= 5 * (int64_t)even_share(it) &&
		search->nodes == 1 && search->ranks < search->usual;
}

static char *uneven_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			struct tmap_error *err)
{
	int usual = it->order.ranks_usual, nodes = it->order.used_nodes, cores = cores_each(it);
	int each = it->placement->size % nodes == 0 ? it->placement->size / nodes : usual;
	char *fix;

	if (it->parts.count)
		return tmap_strdup("put as many ranks of each program on every node that it uses",
				   err);
	if (count_room(it, cores) >= it->placement->size &&
	    (tmap_lint_share_fix(&fix, finding, it, cores, err) < 0 || fix))
		return fix;
	if (it->placement->size % nodes != 0 && tmap_room_has_same_cores(it) &&
	    it->order.ranks_max > even_share(it) &&
	    has_room(it, tmap_room_product(cores, even_share(it))) &&
	    (tmap_lint_share_evenly_fix(&fix, finding, it, cores, err) < 0 || fix))
		return fix;
	/* as many ranks as now, if that comes out even */
	if (has_room(it, tmap_room_product(cores, each)) &&
	    it->placement->size <= (int64_t)each * nodes)
		return tmap_lint_even_fix(finding, it, each, nodes, cores, err);
	if (has_room(it, tmap_room_product(cores, usual)) &&
	    it->placement->size > (int64_t)usual * nodes)
		return tmap_format(err, "put %d ranks on every node: %d ranks take %d nodes", usual,
				   it->placement->size, (it->placement->size + usual - 1) / usual);
	return tmap_strdup("put as many ranks on every node, or take nodes with as many cores",
			   err);
}

/* Did slots of nodes decide how many ranks there are, as topomap place was given neither a number nor a file of
 * them? */
static bool is_of_slots(const struct tmap_origin *origin)
{
	static const char *const others[] = { " --ranks ", " --app ", " --from ", " --rankfile ",
					      " --order " };

	/* others have requests that are not of how many ranks there are */
	if (!origin->request || !origin->by || strcmp(origin->by, "topomap place") != 0)
		return false;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strstr(origin->request, others[i]))
			return false;
	return true;
}

/* One node has fewer ranks than all others for its slots: somebody mistyped them. */
static bool is_mistyped(const struct tmap_inspection *it, const struct tmap_part_search *search)
{
	return is_of_slots(&it->placement->origin) && search->nodes == 1 &&
		search->ranks < search->usual && tmap_room_has_same_cores(it) &&
		has_room(it, tmap_room_product(cores_each(it), search->usual));
}

static char *mistyped_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const struct tmap_part_search *search, struct tmap_error *err)
{
	char *even = tmap_lint_even_fix(finding, it, search->usual, it->order.used_nodes,
					cores_each(it), err);
	char *fix = even ?
		tmap_format(err,
			    "is %s to have %d slot%s? Else write %d of them "
			    "in the list of hosts, and %s",
			    it->placement->machine->node_name[search->example], search->ranks,
			    search->ranks == 1 ? "" : "s", search->usual, even) :
		NULL;

	free(even);
	return fix;
}

/* It is for the program to say whether another number of ranks will do. */
static int remainder_judge(struct tmap_finding *finding, const struct tmap_inspection *it,
			   struct tmap_error *err)
{
	char *fix = tmap_format(err, "%d ranks do not divide over %d nodes; if the program can, %s",
				it->placement->size, it->order.used_nodes, finding->fix);

	free(finding->fix);
	finding->fix = fix;
	finding->severity = TMAP_SEVERITY_HINT;
	return fix ? 0 : -1;
}

enum tmap_lint_answer tmap_lint_uneven(struct tmap_finding *finding,
				       const struct tmap_inspection *it, struct tmap_error *err)
{
	enum tmap_lint_answer answer;
	struct tmap_part_search search;
	int64_t *threads;

	if (it->order.regular || is_full(it) || is_even(it))
		return TMAP_LINT_NOTHING;
	/* idle-nodes says how many ranks of one program belong on each */
	if (!it->parts.count && it->placement->size >= it->placement->machine->node_count &&
	    tmap_lint_idle_nodes_count(it))
		return TMAP_LINT_NOTHING;
	threads = tmap_lint_count_threads(it->placement, err);
	if (!threads)
		return TMAP_LINT_FAILED;
	if (is_proportional(it, threads) || is_of_quotas(it, threads)) {
		free(threads);
		return TMAP_LINT_NOTHING;
	}
	free(threads);
	answer = tmap_part_search_run(&search, it, part_find_uneven, finding, err);
	if (answer != TMAP_LINT_FOUND)
		goto out;
	answer = TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "ranks", search.ranks);
	tmap_lint_figure(finding, "usual_ranks", search.usual);
	if (is_mistyped(it, &search)) {
		finding->fix = mistyped_fix(finding, it, &search, err);
	} else {
		finding->fix = tmap_lint_ask_twice_take(it, uneven_fix(finding, it, err), err);
		if (finding->fix && is_remainder(it, &search) &&
		    remainder_judge(finding, it, err) < 0)
			goto out;
	}
	if (!finding->fix)
		goto out;
	answer = tmap_lint_found_take(
		finding,
		tmap_format(err, "%s has %d rank%s, and %d are usual (%d of %d nodes differ%s)",
			    it->placement->machine->node_name[search.example], search.ranks,
			    search.ranks == 1 ? "" : "s", search.usual, search.nodes,
			    search.used_nodes, search.nodes == 1 ? "s" : ""),
		err);
out:
	tmap_part_search_fini(&search);
	return answer;
}
