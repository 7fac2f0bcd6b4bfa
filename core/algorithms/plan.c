/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/plan.h"

#include "core/base/mem.h"
#include "core/tree/shapes.h"

#include <stdlib.h>
#include <string.h>

void tmap_plan_fini(struct tmap_plan *plan)
{
	tmap_tree_fini(&plan->tree);
	free(plan->order);
	free(plan->start);
	*plan = (struct tmap_plan){ 0 };
}

/* When each rank is reached, in the place of its turn, which nobody asks for again. Turns are negative until
 * they are arrivals: from a rank whose arrival is not known it goes up to one where it is, and down again; the
 * ranks on that way are in order[], which is not filled so far. */
static void plan_find_arrivals(struct tmap_plan *plan)
{
	const struct tmap_tree *tree = &plan->tree;
	int *arrival = tree->turn, *way = plan->order;

	plan->rounds = 0;
	plan->period = 1;
	for (int r = 0; r < tree->size; r++)
		arrival[r] = ~tree->turn[r];
	for (int r = 0; r < tree->size; r++) {
		int length = 0;

		for (int at = r; at != tree->root && arrival[at] < 0; at = tree->parent[at])
			way[length++] = at;
		while (length > 0) {
			int at = way[--length], turn = ~arrival[at], parent = tree->parent[at];

			arrival[at] = turn + (parent == tree->root ? 0 : arrival[parent] + 1);
			plan->rounds = arrival[at] + 1 > plan->rounds ? arrival[at] + 1 :
									plan->rounds;
			plan->period = turn + 1 > plan->period ? turn + 1 : plan->period;
		}
	}
	arrival[tree->root] = -1;
}

/* By arrival, of one round by rank. */
static int plan_sort_by_arrival(struct tmap_plan *plan, struct tmap_error *err)
{
	const int *arrival = plan->tree.turn;
	int *start = tmap_alloc((size_t)plan->rounds + 3, sizeof *start, err);

	if (!start)
		return -1;
	for (int r = 0; r < plan->tree.size; r++)
		start[arrival[r] + 3]++;
	for (int a = 2; a < plan->rounds + 3; a++)
		start[a] += start[a - 1];
	for (int r = 0; r < plan->tree.size; r++)
		plan->order[start[arrival[r] + 2]++] = r;
	plan->start = start; /* start[a + 1] has moved on to where round a begins */
	return 0;
}

/* The tree is set, with its turns. Once the ranks are in order, only parents are asked for. */
static int plan_fill(struct tmap_plan *plan, struct tmap_error *err)
{
	int status = -1;

	plan->order = tmap_alloc_raw((size_t)plan->tree.size, sizeof *plan->order, err);
	if (plan->order) {
		plan_find_arrivals(plan);
		status = plan_sort_by_arrival(plan, err);
	}
	tmap_tree_keep_parents(&plan->tree);
	return status;
}

static int plan_finish(struct tmap_plan *plan, struct tmap_plan *made, int status,
		       struct tmap_error *err)
{
	if (status == 0)
		status = plan_fill(made, err);
	if (status < 0)
		tmap_plan_fini(made);
	else
		*plan = *made;
	return status;
}

/* Which digit of its rank sets a child apart from its parent, both shifted by the root. */
static int digit_of(const struct tmap_tree *tree, int rank, int64_t radix)
{
	int64_t away = tmap_mod((int64_t)rank - tree->parent[rank], tree->size);
	int digit = 0;

	while (away >= radix) {
		away /= radix;
		digit++;
	}
	return digit;
}

/* Children of one digit share a turn; the first child has the highest. */
static int share_turns(struct tmap_tree *tree, struct tmap_error *err)
{
	int64_t radix = tree->shared_radix;
	int *highest = tmap_alloc((size_t)tree->size, sizeof *highest, err);

	if (!highest)
		return -1;
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root && tree->turn[r] == 0)
			highest[tree->parent[r]] = digit_of(tree, r, radix);
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			tree->turn[r] = highest[tree->parent[r]] - digit_of(tree, r, radix);
	free(highest);
	return 0;
}

/* A tree made for reductions says who comes first on the way up. */
static int reverse_turns(struct tmap_tree *tree, struct tmap_error *err)
{
	int *last = tmap_alloc((size_t)tree->size, sizeof *last, err);

	if (!last)
		return -1;
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root && tree->turn[r] > last[tree->parent[r]])
			last[tree->parent[r]] = tree->turn[r];
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			tree->turn[r] = last[tree->parent[r]] - tree->turn[r];
	free(last);
	return 0;
}

int tmap_plan_init_shape(struct tmap_plan *plan, const struct tmap_call *call, const char *name,
			 const int64_t *value, struct tmap_error *err)
{
	const struct tmap_placement *placement = call->metric ? call->metric->placement : NULL;
	struct tmap_plan made = { 0 };
	int status = -1, index = tmap_keywords_find(&tmap_tree_shapes, name, err);

	if (index != TMAP_NONE) {
		struct tmap_spec choice = tmap_spec_preset(&tmap_tree_shapes, index);
		const struct tmap_tree_row *row = (const void *)choice.row;

		for (int i = 0; value && row->choice.params && row->choice.params[i].key; i++)
			choice.value[i] = value[i];
		status = tmap_shape_parents(&made.tree, &choice, placement, call->size, call->root,
					    err);
		made.shares_turns = made.tree.shared_radix > 0;
		if (status == 0 && made.shares_turns)
			status = share_turns(&made.tree, err);
		if (status == 0 && row->is_last_rooted)
			status = reverse_turns(&made.tree, err);
	}
	return plan_finish(plan, &made, status, err);
}

/* Algorithm 1 does not say in which order a rank serves its children. */
static int serve_farthest_first(struct tmap_tree *tree, struct tmap_error *err)
{
	int *served = tmap_alloc((size_t)tree->size, sizeof *served, err);
	struct tmap_tree_shape shape = { 0 };
	int status = -1;

	if (served && tmap_tree_add_turns(tree, err) == 0)
		status = tmap_tree_measure(tree, &shape, err);
	for (int d = status < 0 ? -1 : shape.count - 1; d >= 0; d--)
		for (int r = 0; r < tree->size; r++)
			if (r != tree->root && tree->distance[r] == shape.edges[d].distance)
				tree->turn[r] = served[tree->parent[r]]++;
	tmap_tree_shape_fini(&shape);
	free(served);
	return status;
}

static int tree_copy(struct tmap_tree *copy, const struct tmap_tree *tree, struct tmap_error *err)
{
	size_t size = (size_t)tree->size;

	if (tmap_tree_alloc(copy, tree->size, tree->root, err) < 0)
		return -1;
	memcpy(copy->parent, tree->parent, size * sizeof *copy->parent);
	memcpy(copy->distance, tree->distance, size * sizeof *copy->distance);
	copy->shared_radix = tree->shared_radix;
	if (!tree->turn)
		return serve_farthest_first(copy, err);
	if (tmap_tree_add_turns(copy, err) < 0)
		return -1;
	memcpy(copy->turn, tree->turn, size * sizeof *copy->turn);
	return copy->shared_radix ? share_turns(copy, err) : 0;
}

int tmap_plan_init_tree(struct tmap_plan *plan, const struct tmap_tree *tree,
			struct tmap_error *err)
{
	struct tmap_plan made = { .shares_turns = tree->shared_radix > 0 };

	return plan_finish(plan, &made, tree_copy(&made.tree, tree, err), err);
}

int tmap_plan_init_distance(struct tmap_plan *plan, const struct tmap_call *call, int64_t merge,
			    struct tmap_error *err)
{
	struct tmap_metric merged = *call->metric; /* borrows the steps */
	struct tmap_plan made = { 0 };
	int status;

	tmap_metric_merge_below(&merged, (double)merge);
	status = tmap_tree_init(&made.tree, &merged, call->root, err);
	if (status == 0)
		status = serve_farthest_first(&made.tree, err);
	return plan_finish(plan, &made, status, err);
}

/* Rounds that @p pieces need, one way. */
static int64_t rounds_of(const struct tmap_plan *plan, int64_t pieces)
{
	return plan->rounds ? plan->rounds + (pieces - 1) * plan->period : 0;
}

/* One way over the edges: which piece in which round. */
struct way {
	struct tmap_emit *emit;
	const struct tmap_plan *plan;
	bool up;
	int64_t pieces;
	int64_t (*first)(const struct tmap_call *call, int rank);
};

static int plan_send_piece(const struct way *way, int rank, int64_t piece)
{
	int parent = way->plan->tree.parent[rank];
	int64_t first = way->first ? way->first(way->emit->call, rank) : 0;

	return tmap_emit_units(way->emit, way->up ? rank : parent, way->up ? parent : rank,
			       first + piece, 1, 1);
}

/* The last pieces of a half may be empty. */
static int plan_send_all_pieces(const struct way *way, int rank)
{
	int parent = way->plan->tree.parent[rank];
	int64_t first = way->first ? way->first(way->emit->call, rank) : 0;
	int64_t filled = tmap_emit_filled_units(way->emit) - first;
	int64_t pieces = filled < way->pieces ? filled : way->pieces;

	return pieces < 1 ?
		0 :
		tmap_emit_pieces(way->emit, way->up ? rank : parent, way->up ? parent : rank,
				 (pieces - 1) * way->plan->period + 1,
				 &(struct tmap_run){ first, pieces, 1 });
}

/* What one of the plan's rounds brings of a piece; TMAP_NONE: of all pieces. */
static int plan_send_round(const struct way *way, int64_t round, int64_t piece)
{
	const struct tmap_plan *plan = way->plan;
	int64_t arrival = way->up ? plan->rounds - 1 - round : round;

	for (int i = plan->start[arrival + 1]; i < plan->start[arrival + 2]; i++)
		if ((piece == TMAP_NONE ? plan_send_all_pieces(way, plan->order[i]) :
					  plan_send_piece(way, plan->order[i], piece)) < 0)
			return -1;
	return 0;
}

/* Folded: the rounds of the first piece, each with its span. */
static int travel_folded(const struct way *way)
{
	int64_t begin = way->emit->round;

	for (int64_t t = 0; t < way->plan->rounds; t++, way->emit->round++)
		if (plan_send_round(way, t, TMAP_NONE) < 0)
			return -1;
	way->emit->round = begin + rounds_of(way->plan, way->pieces);
	return 0;
}

static int plan_travel(const struct way *way)
{
	int64_t rounds = way->plan->rounds, period = way->plan->period;

	way->emit->single = !way->plan->shares_turns;
	if (way->emit->visitor->folded)
		return travel_folded(way);
	for (int64_t t = 0; t < rounds_of(way->plan, way->pieces); t++, way->emit->round++) {
		int64_t piece = t < rounds ? 0 : (t - rounds) / period + 1;

		for (; piece < way->pieces && piece * period <= t; piece++)
			if (plan_send_round(way, t - piece * period, piece) < 0)
				return -1;
	}
	return 0;
}

int tmap_plan_down(struct tmap_emit *emit, const struct tmap_plan *plan, int64_t pieces,
		   int64_t (*first)(const struct tmap_call *call, int rank))
{
	emit->combine = false;
	return plan_travel(&(struct way){ emit, plan, false, pieces, first });
}

int tmap_plan_up(struct tmap_emit *emit, const struct tmap_plan *plan, int64_t pieces)
{
	emit->combine = true;
	return plan_travel(&(struct way){ emit, plan, true, pieces, NULL });
}

/* The subtrees as stretches of one list: that of r is list[place[r]], count[r] of them. */
struct subtrees {
	int *count, *place, *list;
	struct tmap_run *run; /* room for the units of one message; NULL where folded */
};

static void subtrees_fini(struct subtrees *trees)
{
	free(trees->count);
	free(trees->place);
	free(trees->list);
	free(trees->run);
}

/* Whoever is served first stands last in the list, so that binomial subtrees rise. */
static void plan_list_subtrees(struct subtrees *trees, const struct tmap_plan *plan)
{
	const struct tmap_tree *tree = &plan->tree;
	int *end = trees->list; /* until the list is filled: what is left to the children */

	for (int i = tree->size - 1; i >= 0; i--) {
		trees->count[plan->order[i]]++;
		if (i > 0)
			trees->count[tree->parent[plan->order[i]]] += trees->count[plan->order[i]];
	}
	trees->place[tree->root] = 0;
	end[tree->root] = tree->size;
	for (int i = 1; i < tree->size; i++) {
		int r = plan->order[i], parent = tree->parent[r];

		end[r] = end[parent];
		end[parent] -= trees->count[r];
		trees->place[r] = end[parent];
	}
	for (int r = 0; r < tree->size; r++)
		trees->list[trees->place[r]] = r;
}

static int subtrees_init(struct subtrees *trees, const struct tmap_plan *plan, bool folded,
			 struct tmap_error *err)
{
	size_t size = (size_t)plan->tree.size;

	*trees = (struct subtrees){ 0 };
	trees->count = tmap_alloc(size, sizeof *trees->count, err);
	trees->place = tmap_alloc_raw(size, sizeof *trees->place, err);
	trees->list = tmap_alloc_raw(size, sizeof *trees->list, err);
	trees->run = folded ? NULL : tmap_alloc_raw(size, sizeof *trees->run, err);
	if (!trees->count || !trees->place || !trees->list || (!folded && !trees->run))
		return -1;
	plan_list_subtrees(trees, plan);
	return 0;
}

static int plan_send_subtree(struct tmap_emit *emit, const struct subtrees *trees, int from, int to,
			     int top)
{
	const int *list = trees->list + trees->place[top];
	int runs = 0;

	if (!trees->run)
		return tmap_emit_folded(emit, from, to, 1, 1,
					trees->count[top] * emit->call->bytes);
	for (int i = 0; i < trees->count[top]; i++) {
		struct tmap_run *last = &trees->run[runs - 1];

		if (runs && last->first + last->count == list[i])
			last->count++;
		else
			trees->run[runs++] = (struct tmap_run){ list[i], 1, 1 };
	}
	return tmap_emit_runs(emit, from, to, trees->run, runs);
}

static int plan_send_subtrees(struct tmap_emit *emit, const struct tmap_plan *plan, bool up)
{
	struct subtrees trees;
	int status = subtrees_init(&trees, plan, emit->visitor->folded, emit->err);

	emit->single = !plan->shares_turns;
	for (int t = 0; t < plan->rounds && status == 0; t++, emit->round++) {
		int arrival = up ? plan->rounds - 1 - t : t;

		for (int i = plan->start[arrival + 1]; i < plan->start[arrival + 2] && status == 0;
		     i++) {
			int r = plan->order[i], parent = plan->tree.parent[r];

			status = plan_send_subtree(emit, &trees, up ? r : parent, up ? parent : r,
						   r);
		}
	}
	subtrees_fini(&trees);
	return status;
}

int tmap_plan_scatter(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	return plan_send_subtrees(emit, plan, false);
}

int tmap_plan_gather(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	return plan_send_subtrees(emit, plan, true);
}
