/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/lint/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PMI_LIMIT = 1024 }; /* bytes of a value that PMI-1 implementations pass, with its zero */

static int ranks_on(const struct tmap_node_fold *fold, int n)
{
	return fold->first[n + 1] - fold->first[n];
}

/* Ranks part by part, each part's rising; the whole job is a part where it has one program. */
struct by_part {
	int count;
	int *first; /* [count + 1] */
	int *rank;  /* [size] */
};

static void by_part_fini(struct by_part *it)
{
	free(it->first);
	free(it->rank);
}

static int by_part_init(struct by_part *it, const struct tmap_inspection *inspection,
			struct tmap_error *err)
{
	const struct tmap_mpmd *parts = &inspection->parts;
	const struct tmap_placement *p = inspection->placement;

	it->count = parts->count ? parts->count : 1;
	it->first = tmap_alloc((size_t)it->count + 2, sizeof *it->first, err);
	it->rank = tmap_alloc_raw((size_t)p->size, sizeof *it->rank, err);
	if (!it->first || !it->rank) {
		by_part_fini(it);
		return -1;
	}
	for (int r = 0; r < p->size; r++)
		it->first[tmap_mpmd_of(parts, p, r) + 2]++;
	for (int i = 0; i < it->count; i++)
		it->first[i + 2] += it->first[i + 1];
	for (int r = 0; r < p->size; r++)
		it->rank[it->first[tmap_mpmd_of(parts, p, r) + 1]++] = r;
	return 0;
}

/* What is looked for in one part after the other. */
struct search {
	const struct tmap_inspection *inspection;
	struct by_part parts;
	bool *is_in;    /* [size] ranks that are found */
	int *on_node;   /* [node_count] the part's ranks; zero before and afterwards */
	int *used;      /* [node_count] the nodes that have any */
	int *with_rank; /* [size + 1] nodes that have so many; as on_node */
	int nodes;      /* found of the first part in which there are any; 0: in none */
	int used_nodes; /* of that part, as are the next ones */
	int part, example, ranks, usual;
};

static void search_fini(struct search *it)
{
	by_part_fini(&it->parts);
	free(it->is_in);
	free(it->on_node);
	free(it->used);
	free(it->with_rank);
}

static int search_init(struct search *it, const struct tmap_inspection *inspection,
		       struct tmap_error *err)
{
	size_t size = (size_t)inspection->placement->size;
	size_t nodes = (size_t)inspection->placement->machine->node_count;

	*it = (struct search){ .inspection = inspection };
	it->is_in = tmap_alloc(size, sizeof *it->is_in, err);
	it->on_node = tmap_alloc(nodes, sizeof *it->on_node, err);
	it->used = tmap_alloc_raw(nodes, sizeof *it->used, err);
	it->with_rank = tmap_alloc(size + 1, sizeof *it->with_rank, err);
	if (it->is_in && it->on_node && it->used && it->with_rank &&
	    by_part_init(&it->parts, inspection, err) == 0)
		return 0;
	search_fini(it);
	return -1;
}

/* Add what was found to the finding. */
static int search_collect(const struct search *it, struct tmap_finding *finding,
			  struct tmap_error *err)
{
	for (int r = 0; r < it->inspection->placement->size; r++)
		if (it->is_in[r] && tmap_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	return 0;
}

/* Nodes with another number of a part's ranks than most nodes that have any. */
static void part_find_uneven(struct search *it, int part)
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
static bool is_remainder(const struct tmap_inspection *it, const struct search *search)
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
static bool is_of_slots(const char *request)
{
	static const char *const others[] = { " --ranks ", " --app ", " --from ", " --rankfile ",
					      " --order " };

	for (size_t i = 0; request && i < sizeof others / sizeof *others; i++)
		if (strstr(request, others[i]))
			return false;
	return request != NULL;
}

/* One node has fewer ranks than all others for its slots: somebody mistyped them. */
static bool is_mistyped(const struct tmap_inspection *it, const struct search *search)
{
	return is_of_slots(it->placement->origin.request) && search->nodes == 1 &&
		search->ranks < search->usual && tmap_room_has_same_cores(it) &&
		has_room(it, tmap_room_product(cores_each(it), search->usual));
}

static char *mistyped_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const struct search *search, struct tmap_error *err)
{
	char *even = tmap_lint_even_fix(finding, it, search->usual, it->order.used_nodes,
					cores_each(it), err);
	char *fix = even ? tmap_format(err,
				       "is %s to have %d slots? Else write %d of them "
				       "in the list of hosts, and %s",
				       it->placement->machine->node_name[search->example],
				       search->ranks, search->usual, even) :
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
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	struct search search;
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
	if (search_init(&search, it, err) < 0)
		return TMAP_LINT_FAILED;
	for (int i = 0; i < search.parts.count; i++)
		part_find_uneven(&search, i);
	if (!search.nodes) {
		answer = TMAP_LINT_NOTHING;
		goto out;
	}
	if (search_collect(&search, finding, err) < 0)
		goto out;
	tmap_lint_figure(finding, "nodes", search.nodes);
	tmap_lint_figure(finding, "used_nodes", search.used_nodes);
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
	search_fini(&search);
	return answer;
}

/* Nodes to which a part's ranks come back after another node. */
static void part_find_split(struct search *it, int part)
{
	const int *node = it->inspection->placement->node;
	const int *first = it->parts.rank + it->parts.first[part];
	const int *end = it->parts.rank + it->parts.first[part + 1];
	int used = 0, split = 0, example = TMAP_NONE;

	/* how often one comes to each node */
	for (const int *r = first; r < end; r++) {
		if (r > first && node[*r] == node[r[-1]])
			continue;
		if (it->on_node[node[*r]]++ == 0)
			it->used[used++] = node[*r];
	}
	for (const int *r = first; r < end; r++)
		it->is_in[*r] = it->on_node[node[*r]] > 1;
	for (int i = 0; i < used; i++) {
		int *visits = &it->on_node[it->used[i]];

		if (*visits > 1) {
			split++;
			if (example == TMAP_NONE || it->used[i] < example)
				example = it->used[i];
		}
		*visits = 0;
	}
	if (split && !it->nodes) {
		it->nodes = split;
		it->used_nodes = used;
		it->example = example;
		it->part = part;
	}
}

/* The first two ranks of the part on the node. */
static void find_two(const struct search *it, int two[2])
{
	const int *first = it->parts.rank + it->parts.first[it->part];
	const int *end = it->parts.rank + it->parts.first[it->part + 1];
	int count = 0;

	for (const int *r = first; r < end && count < 2; r++)
		if (it->inspection->placement->node[*r] == it->example)
			two[count++] = *r;
}

/* Is block order advised, or can no order be? Else nothing is gained by it but for calls that count
 * ranks node by node, and what is gained may be less than what others lose. */
static bool is_worse_than_block(const struct tmap_advice *advice)
{
	bool is_timed = false;

	for (int i = 0; i < advice->count; i++)
		is_timed = is_timed || advice->call[i].here_s > 0;
	return !is_timed ||
		(advice->order != TMAP_NONE && !tmap_advice_order_at(advice->order)->by_turns);
}

/* How much it weighs, and what is to be done. */
static int not_consecutive_judge(struct tmap_finding *finding, const struct tmap_inspection *it,
				 struct tmap_error *err)
{
	struct tmap_advice own = { 0 };
	const struct tmap_advice *advice = tmap_lint_advice(it, &own, err);
	bool is_worse = advice && is_worse_than_block(advice);
	struct tmap_str fix = TMAP_STR_INIT;
	char *order;

	tmap_advice_fini(&own);
	if (!advice)
		return -1;
	if (!is_worse) {
		finding->severity = TMAP_SEVERITY_HINT;
		finding->fix = tmap_strdup("for what counts ranks node by node, split a "
					   "communicator whose keys follow the nodes",
					   err);
		return finding->fix ? 0 : -1;
	}
	order = tmap_lint_order_fix(finding, it, false, err);
	if (!order)
		return -1;
	tmap_str_addf(&fix, "%s, or reorder them (topomap lanes --fix", order);
	free(order);
	tmap_job_command_end(&fix, "lanes", it->words);
	tmap_str_add(&fix, "), or split a communicator whose keys follow the nodes");
	finding->fix = tmap_str_take(&fix, err);
	return finding->fix ? 0 : -1;
}

enum tmap_lint_answer tmap_lint_not_consecutive(struct tmap_finding *finding,
						const struct tmap_inspection *it,
						struct tmap_error *err)
{
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	char text[TMAP_ORDER_ROOM];
	int two[2] = { 0, 0 };
	struct search search;

	if (it->order.consecutive)
		return TMAP_LINT_NOTHING;
	if (search_init(&search, it, err) < 0)
		return TMAP_LINT_FAILED;
	for (int i = 0; i < search.parts.count; i++)
		part_find_split(&search, i);
	if (!search.nodes) {
		answer = TMAP_LINT_NOTHING;
		goto out;
	}
	if (search_collect(&search, finding, err) < 0)
		goto out;
	tmap_lint_figure(finding, "nodes", search.nodes);
	tmap_lint_figure(finding, "used_nodes", search.used_nodes);
	if (not_consecutive_judge(finding, it, err) < 0)
		goto out;
	find_two(&search, two);
	answer = tmap_lint_found_take(
		finding,
		tmap_format(
			err,
			"ranks not contiguous on %d of %d node%s (%s has %d, %d, ...; order %s)",
			search.nodes, search.used_nodes, search.used_nodes == 1 ? "" : "s",
			it->placement->machine->node_name[search.example], two[0], two[1],
			tmap_order_print(&it->order, text)),
		err);
out:
	search_fini(&search);
	return answer;
}

static int decimal_length(int number)
{
	int length = 1;

	for (; number > 9; number /= 10)
		length++;
	return length;
}

/* Length of PMI_process_mapping, "(vector,(0,2,4),...)", for the first @p size ranks: blocks of
 * neighbouring nodes that take equally many ranks each in turn, nodes being numbered as they
 * first appear. O(p). */
static int64_t mapping_length(const struct tmap_placement *p, int size, int *number)
{
	int64_t length = 8; /* "(vector" and ")" */
	int known = 0, first = TMAP_NONE, nodes = 0, each = 0;

	for (int r = 0; r < size;) {
		int at = p->node[r], run = r;

		if (!number[at])
			number[at] = ++known;
		while (r < size && p->node[r] == at)
			r++;
		run = r - run;
		if (first != TMAP_NONE && number[at] - 1 == first + nodes && run == each) {
			nodes++;
			continue;
		}
		if (first != TMAP_NONE)
			length += 5 + decimal_length(first) + decimal_length(nodes) +
				decimal_length(each);
		first = number[at] - 1;
		nodes = 1;
		each = run;
	}
	return length + 5 + decimal_length(first) + decimal_length(nodes) + decimal_length(each);
}

enum tmap_lint_answer tmap_lint_long_mapping(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *number = tmap_alloc((size_t)p->machine->node_count, sizeof *number, err);
	int64_t length, period = p->size;
	char *order;

	if (!number)
		return TMAP_LINT_FAILED;
	/* readers begin again where the list ends */
	if (it->order.kind == TMAP_ORDER_CYCLIC)
		period = it->order.used_nodes;
	else if (it->order.kind == TMAP_ORDER_PLANE)
		period = (int64_t)it->order.used_nodes * it->order.plane;
	length = mapping_length(p, (int)(period < p->size ? period : p->size), number);
	free(number);
	if (length < PMI_LIMIT)
		return TMAP_LINT_NOTHING;
	if (tmap_idset_add_range(&finding->ranks, 0, p->size - 1, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "bytes", (double)length);
	tmap_lint_figure(finding, "most_bytes", PMI_LIMIT - 1);
	order = tmap_lint_order_fix(finding, it, false, err);
	finding->fix = order ? tmap_format(err, "%s, or reorder them inside the program", order) :
			       NULL;
	free(order);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err, "the launcher's map of ranks to nodes takes %lld bytes",
			    (long long)length),
		err);
}

/* Index of the level of the topmost switches if these leave nodes apart, else TMAP_NONE. */
static int parted_level(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;

	if (!machine->tier_count)
		return TMAP_NONE;
	return tmap_levels_find(&it->levels, machine->tier[machine->tier_count - 1].name);
}

enum tmap_lint_answer tmap_lint_no_common_switch(struct tmap_finding *finding,
						 const struct tmap_inspection *it,
						 struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int level = parted_level(it), example = TMAP_NONE;
	char *where, *what = NULL;

	if (!p->machine->tier_count && it->order.used_nodes > 1)
		return tmap_lint_skipped_take(finding,
					      tmap_strdup("the placement has no switches", err));
	for (int r = 1; level != TMAP_NONE && r < p->size; r++) {
		if (tmap_levels_number(&it->levels, level, p->node[r], 0) ==
		    tmap_levels_number(&it->levels, level, p->node[0], 0))
			continue;
		if (example == TMAP_NONE)
			example = p->node[r];
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	where = tmap_lint_where(finding, example, true, err);
	if (where)
		what = tmap_format(err, "no known switch joins %s with %s, where rank 0 is", where,
				   p->machine->node_name[p->node[0]]);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}
