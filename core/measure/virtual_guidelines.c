/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/virtual_guidelines.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What the two sides of a row differ in. */
enum side { BY_CALL, BY_CONSTRUCTOR, BY_ORDER, BY_REORDER };

struct guideline_row {
	int number;
	const char *name;
	enum side side;
	int left, right;
	bool creates;  /* the communicator is what is timed; else a neighborhood collective on it */
	bool is_full;  /* on the full graph alone */
	bool is_alike; /* another row has it the other way round */
};

#define CALLS(number_, left_, right_, left_call, right_call) \
	.number = (number_), .name = "GL" #number_ " " left_ " <= " right_, .side = BY_CALL, \
	.left = TMAP_VIRTUAL_##left_call, .right = TMAP_VIRTUAL_##right_call
#define PAIR(number_, side_, left_, right_, left_value, right_value) \
	.number = (number_), .name = "GL" #number_ " " left_ " <= " right_, .side = (side_), \
	.left = (left_value), .right = (right_value)
#define ALIKE(number_, side_, one, other, one_value, other_value) \
	{ PAIR(number_, side_, one, other, one_value, other_value), .is_alike = true }, \
	{ \
		PAIR(number_, side_, other, one, other_value, one_value), .is_alike = true \
	}

static const struct guideline_row rows[] = {
	{ PAIR(1, BY_CONSTRUCTOR, "cart_create", "dist_graph_create_adjacent", TMAP_CART_CREATE,
	       TMAP_DIST_GRAPH_CREATE_ADJACENT),
	  .creates = true },
	{ PAIR(2, BY_CONSTRUCTOR, "dist_graph_create_adjacent", "dist_graph_create",
	       TMAP_DIST_GRAPH_CREATE_ADJACENT, TMAP_DIST_GRAPH_CREATE),
	  .creates = true },
	{ PAIR(3, BY_REORDER, "create, reorder=0", "reorder=1", 0, 1), .creates = true },
	{ CALLS(4, "neighbor_allgather", "neighbor_alltoall", NEIGHBOR_ALLGATHER,
		NEIGHBOR_ALLTOALL) },
	{ CALLS(4, "neighbor_allgatherv", "neighbor_alltoallv", NEIGHBOR_ALLGATHERV,
		NEIGHBOR_ALLTOALLV) },
	{ CALLS(5, "neighbor_allgather", "neighbor_allgatherv", NEIGHBOR_ALLGATHER,
		NEIGHBOR_ALLGATHERV) },
	{ CALLS(6, "neighbor_alltoall", "neighbor_alltoallv", NEIGHBOR_ALLTOALL,
		NEIGHBOR_ALLTOALLV) },
	{ CALLS(6, "neighbor_alltoall", "neighbor_alltoallw", NEIGHBOR_ALLTOALL,
		NEIGHBOR_ALLTOALLW) },
	{ CALLS(7, "allgather", "neighbor_allgather", ALLGATHER, NEIGHBOR_ALLGATHER),
	  .is_full = true },
	{ CALLS(7, "allgatherv", "neighbor_allgatherv", ALLGATHERV, NEIGHBOR_ALLGATHERV),
	  .is_full = true },
	{ CALLS(8, "alltoall", "neighbor_alltoall", ALLTOALL, NEIGHBOR_ALLTOALL), .is_full = true },
	{ CALLS(8, "alltoallv", "neighbor_alltoallv", ALLTOALLV, NEIGHBOR_ALLTOALLV),
	  .is_full = true },
	{ CALLS(8, "alltoallw", "neighbor_alltoallw", ALLTOALLW, NEIGHBOR_ALLTOALLW),
	  .is_full = true },
	{ PAIR(9, BY_CONSTRUCTOR, "cart_create", "dist_graph_create_adjacent", TMAP_CART_CREATE,
	       TMAP_DIST_GRAPH_CREATE_ADJACENT) },
	{ PAIR(9, BY_CONSTRUCTOR, "cart_create", "dist_graph_create", TMAP_CART_CREATE,
	       TMAP_DIST_GRAPH_CREATE) },
	ALIKE(10, BY_CONSTRUCTOR, "dist_graph_create_adjacent", "dist_graph_create",
	      TMAP_DIST_GRAPH_CREATE_ADJACENT, TMAP_DIST_GRAPH_CREATE),
	ALIKE(11, BY_ORDER, "fmaj", "lmaj", TMAP_ORDER_FMAJ, TMAP_ORDER_LMAJ),
	ALIKE(11, BY_ORDER, "fmaj", "rand", TMAP_ORDER_FMAJ, TMAP_ORDER_RAND),
	ALIKE(11, BY_ORDER, "lmaj", "rand", TMAP_ORDER_LMAJ, TMAP_ORDER_RAND),
	ALIKE(11, BY_ORDER, "linear", "rand", TMAP_ORDER_LINEAR, TMAP_ORDER_RAND),
	{ PAIR(12, BY_REORDER, "reorder=1", "reorder=0", 1, 0) },
};

int tmap_virtual_guideline_rows(void)
{
	return (int)(sizeof rows / sizeof *rows);
}

int tmap_virtual_guideline_number(int row)
{
	return rows[row].number;
}

const char *tmap_virtual_guideline_name(int row)
{
	return rows[row].name;
}

bool tmap_virtual_guideline_is_alike(int row)
{
	return rows[row].is_alike;
}

/* Is that call what the row is about? */
static bool row_has_call(const struct guideline_row *row, enum tmap_virtual_call call)
{
	if (row->side == BY_CALL)
		return (int)call == row->right;
	return row->creates ? call == TMAP_VIRTUAL_CREATE :
			      tmap_virtual_call_rows[call].has_neighbors;
}

bool tmap_virtual_guideline_left(int number, const struct tmap_virtual_key *right,
				 struct tmap_virtual_key *left)
{
	const struct guideline_row *row = &rows[number];
	const struct tmap_virtual_topology *on = &right->topology;
	struct tmap_error ignored;

	if (!row_has_call(row, right->call) || (row->is_full && on->stencil != TMAP_STENCIL_FULL))
		return false;
	*left = *right;
	switch (row->side) {
	case BY_CALL:
		left->call = (enum tmap_virtual_call)row->left;
		return true;
	case BY_CONSTRUCTOR:
		if ((int)on->constructor != row->right)
			return false;
		left->topology.constructor = (enum tmap_constructor)row->left;
		if (row->left == TMAP_CART_CREATE)
			left->topology.order = TMAP_ORDER_CART;
		break;
	case BY_ORDER:
		if ((int)on->order != row->right)
			return false;
		left->topology.order = (enum tmap_neighbor_order)row->left;
		break;
	case BY_REORDER:
		if (on->reorder != (row->right != 0))
			return false;
		left->topology.reorder = row->left;
	}
	return tmap_virtual_check(&left->topology, &ignored) == 0;
}

int tmap_virtual_key_compare(const struct tmap_virtual_key *a, const struct tmap_virtual_key *b)
{
	if (a->call != b->call)
		return a->call < b->call ? -1 : 1;
	return tmap_virtual_compare(&a->topology, &b->topology);
}

/* "GL" and a number of a guideline at *text, which moves behind it. */
static int number_parse(const char **text, int *number)
{
	const char *at = *text;
	char *end;
	long value;

	if (strncmp(at, "GL", 2) == 0 || strncmp(at, "gl", 2) == 0)
		at += 2;
	if (*at < '0' || *at > '9')
		return -1;
	value = strtol(at, &end, 10);
	if (value < 1 || value > TMAP_VIRTUAL_GUIDELINES)
		return -1;
	*number = (int)value;
	*text = end;
	return 0;
}

static int item_parse(const char *item, unsigned *set)
{
	const char *at = item;
	int first, last;

	if (strcmp(item, "all") == 0 || strcmp(item, "mockups") == 0) {
		*set |= *item == 'a' ? TMAP_ALL_GUIDELINES : TMAP_MOCKUP_GUIDELINES;
		return 0;
	}
	if ((*item != 'G' && *item != 'g') || number_parse(&at, &first) < 0)
		return -1;
	last = first;
	if (*at == '-') {
		at++;
		if (number_parse(&at, &last) < 0 || last < first)
			return -1;
	}
	for (int i = first; i <= last; i++)
		*set |= 1u << i;
	return *at ? -1 : 0;
}

int tmap_virtual_guidelines_parse(const char *text, unsigned *set, struct tmap_error *err)
{
	unsigned made = 0;

	for (const char *at = text;; at++) {
		size_t length = strcspn(at, ",");
		char item[16];

		if (length < sizeof item) {
			memcpy(item, at, length);
			item[length] = '\0';
		}
		if (length >= sizeof item || item_parse(item, &made) < 0)
			return tmap_fail(err, TMAP_USAGE,
					 "'%.*s' is no guideline (one of: GL1 to GL%d, ranges as "
					 "GL7-9, mockups, all)",
					 (int)(length < 60 ? length : 60), at,
					 TMAP_VIRTUAL_GUIDELINES);
		at += length;
		if (!*at)
			break;
	}
	*set = made;
	return 0;
}

void tmap_virtual_plan_fini(struct tmap_virtual_plan *plan)
{
	free(plan->key);
	*plan = (struct tmap_virtual_plan){ 0 };
}

static int compare_keys(const void *a, const void *b)
{
	return tmap_virtual_key_compare(a, b);
}

/* In their order, each once. */
static void plan_sort(struct tmap_virtual_plan *plan)
{
	int count = 0;

	if (plan->count)
		qsort(plan->key, (size_t)plan->count, sizeof *plan->key, compare_keys);
	for (int i = 0; i < plan->count; i++)
		if (count == 0 || compare_keys(&plan->key[count - 1], &plan->key[i]) != 0)
			plan->key[count++] = plan->key[i];
	plan->count = count;
}

static int plan_check(const struct tmap_virtual_plan *plan, struct tmap_error *err)
{
	return plan->count <= TMAP_VIRTUAL_PLAN_MOST ?
		0 :
		tmap_fail(err, TMAP_INPUT,
			  "more than %d experiments besides their sizes are asked for",
			  TMAP_VIRTUAL_PLAN_MOST);
}

/* Duplicates go where there are more than can be left. */
static int plan_add(struct tmap_virtual_plan *plan, const struct tmap_virtual_key *key,
		    struct tmap_error *err)
{
	if (plan->count == 2 * TMAP_VIRTUAL_PLAN_MOST) {
		plan_sort(plan);
		if (plan_check(plan, err) < 0)
			return -1;
	}
	if (tmap_grow(&plan->key, &plan->capacity, (size_t)plan->count + 1, sizeof *key, err) < 0)
		return -1;
	plan->key[plan->count++] = *key;
	return 0;
}

static bool is_wanted(const struct tmap_virtual_request *request, int row,
		      const struct tmap_virtual_key *left, const struct tmap_virtual_key *right)
{
	const struct tmap_virtual_topology *on = &right->topology;

	if (!(request->guidelines & 1u << rows[row].number))
		return false;
	if (rows[row].side != BY_CONSTRUCTOR && !rows[row].creates &&
	    on->constructor == TMAP_DIST_GRAPH_CREATE)
		return false;
	if (left->topology.order != TMAP_ORDER_CART &&
	    !(request->orders & 1u << left->topology.order))
		return false;
	if (!(request->reorders & 1u << left->topology.reorder))
		return false;
	return request->collective == TMAP_NONE ||
		tmap_virtual_call_rows[left->call].family ==
		(enum tmap_collective)request->collective;
}

/* All rows that have a call on this topology on their right. */
static int topology_add(struct tmap_virtual_plan *plan, const struct tmap_virtual_request *request,
			const struct tmap_virtual_topology *topology, struct tmap_error *err)
{
	for (int call = TMAP_VIRTUAL_CREATE; call < TMAP_VIRTUAL_CALLS; call++)
		for (int row = 0; row < tmap_virtual_guideline_rows(); row++) {
			const struct tmap_virtual_key right = { (enum tmap_virtual_call)call,
								*topology };
			struct tmap_virtual_key left;

			if (tmap_virtual_guideline_left(row, &right, &left) &&
			    is_wanted(request, row, &left, &right) &&
			    (plan_add(plan, &left, err) < 0 || plan_add(plan, &right, err) < 0))
				return -1;
		}
	return 0;
}

/* A neighborhood by all constructors, in all orders. */
static int neighborhood_add(struct tmap_virtual_plan *plan,
			    const struct tmap_virtual_request *request,
			    struct tmap_virtual_topology topology, struct tmap_error *err)
{
	struct tmap_error ignored;

	for (int c = 0; c < TMAP_CONSTRUCTORS; c++)
		for (int order = 0; order < TMAP_ORDERS; order++) {
			topology.constructor = (enum tmap_constructor)c;
			topology.order = (enum tmap_neighbor_order)order;
			if ((order != TMAP_ORDER_CART && !(request->orders & 1u << order)) ||
			    tmap_virtual_check(&topology, &ignored) < 0)
				continue;
			for (int reorder = 0; reorder < 2; reorder++) {
				topology.reorder = reorder;
				if ((request->reorders & 1u << reorder) &&
				    topology_add(plan, request, &topology, err) < 0)
					return -1;
			}
		}
	return 0;
}

/* Can its neighbors be listed? */
static int grid_check(const struct tmap_virtual_request *request,
		      struct tmap_virtual_topology topology, struct tmap_error *err)
{
	struct tmap_virtual_neighbors neighbors;

	topology.constructor = TMAP_DIST_GRAPH_CREATE_ADJACENT;
	topology.order = TMAP_ORDER_FMAJ;
	if (tmap_virtual_neighbors_init(&neighbors, &topology, request->size, err) < 0)
		return -1;
	tmap_virtual_neighbors_fini(&neighbors);
	return 0;
}

static int grid_add(struct tmap_virtual_plan *plan, const struct tmap_virtual_request *request,
		    struct tmap_virtual_topology topology, struct tmap_error *err)
{
	const int64_t usual[] = { 0, topology.dimensions };
	const int64_t *finite = request->finite_count ? request->finite : usual;
	int count = request->finite_count ? request->finite_count : 2;

	for (int r = 0; r < request->radius_count; r++) {
		topology.radius = (int)request->radius[r];
		topology.finite = 0;
		if (grid_check(request, topology, err) < 0)
			return -1;
		for (int f = 0; f < count; f++) {
			topology.finite = (int)finite[f];
			if (finite[f] <= topology.dimensions &&
			    neighborhood_add(plan, request, topology, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Has each of so many dimensions more than one rank? */
static bool is_spread(int dimensions, int size)
{
	int dim[TMAP_DIMENSIONS_MAX] = { 0 };
	struct tmap_error ignored;

	return tmap_dimensions_choose(dim, dimensions, size, &ignored) == 0 &&
		dim[dimensions - 1] > 1;
}

enum { USUAL_DIMENSIONS = 4 };

static int stencil_add(struct tmap_virtual_plan *plan, const struct tmap_virtual_request *request,
		       enum tmap_stencil stencil, struct tmap_error *err)
{
	struct tmap_virtual_topology topology = { .stencil = stencil };

	if (stencil == TMAP_STENCIL_FULL)
		return neighborhood_add(plan, request, topology, err);
	for (int i = 0; i < request->dimension_count; i++) {
		topology.dimensions = (int)request->dimensions[i];
		if (grid_add(plan, request, topology, err) < 0)
			return -1;
	}
	for (int d = 1; d <= USUAL_DIMENSIONS && !request->dimension_count; d++) {
		topology.dimensions = d;
		if (is_spread(d, request->size) && grid_add(plan, request, topology, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_virtual_plan_init(struct tmap_virtual_plan *plan,
			   const struct tmap_virtual_request *request, struct tmap_error *err)
{
	struct tmap_virtual_plan made = { 0 };
	int status = 0;

	if (request->size < 2)
		return tmap_fail(err, TMAP_INPUT,
				 "guidelines of topologies are about ranks that communicate, and "
				 "there is one");
	for (int row = 0; tmap_keywords_at(&tmap_stencils, (size_t)row) && status == 0; row++)
		if (request->stencils & 1u << row)
			status = stencil_add(&made, request, tmap_stencil_at(row), err);
	plan_sort(&made);
	if (status == 0)
		status = plan_check(&made, err);
	if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT,
				   "these guidelines compare nothing on these neighborhoods");
	if (status < 0) {
		tmap_virtual_plan_fini(&made);
		return -1;
	}
	*plan = made;
	return 0;
}
