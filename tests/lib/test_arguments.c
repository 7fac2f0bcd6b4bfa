/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of every function of topomap.h: an error of kind TOPOMAP_USAGE with a sentence,
 * never a crash, and with no place for the error, too. Oracle: what topomap.h promises. */
#include "tests/unit.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>

static struct topomap_error err;
static const char *const line[] = { "node:2 package:2 core:4" };

/* One handle of every kind. */
static struct topomap_machine *machine;
static struct topomap_placement *placement;
static struct topomap_distances *distances;
static struct topomap_tree *tree;
static struct topomap_ring *ring;
static struct topomap_hierarchy *hierarchy;
static struct topomap_lanes *lanes;
static struct topomap_profile *profile;
static struct topomap_call *call;
static struct topomap_score *score;
static struct topomap_traffic *traffic;
static struct topomap_suggestion *suggestion;

static void make_all(void)
{
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;

	ck_assert_ptr_nonnull(machine = topomap_machine_read(line, 1, &err));
	ck_assert_ptr_nonnull(placement = topomap_placement_launch(machine, &launch, &err));
	ck_assert_ptr_nonnull(distances = topomap_distances_new(placement, "process", NULL, &err));
	ck_assert_ptr_nonnull(tree = topomap_tree_new(distances, 0, &err));
	ck_assert_ptr_nonnull(ring = topomap_ring_new(distances, &err));
	ck_assert_ptr_nonnull(hierarchy = topomap_hierarchy_new(placement, NULL, 0, NULL, &err));
	ck_assert_ptr_nonnull(lanes = topomap_lanes_new(placement, 0, &err));
	ck_assert_ptr_nonnull(profile = topomap_profile_read(topomap_word("profile", 0), &err));
	ck_assert_ptr_nonnull(call = topomap_call_new("bcast", "binomial_near", 16, 8, 0, &err));
	ck_assert_ptr_nonnull(score = topomap_score_new(placement, call, profile, &err));
	ck_assert_ptr_nonnull(traffic = topomap_traffic_new(16, &err));
	ck_assert_int_eq(topomap_traffic_add(traffic, 0, 15, 1000, &err), 0);
	ck_assert_ptr_nonnull(suggestion =
				      topomap_suggestion_new(placement, traffic, NULL, NULL, &err));
}

static void free_all(void)
{
	topomap_machine_free(machine);
	topomap_placement_free(placement);
	topomap_distances_free(distances);
	topomap_tree_free(tree);
	topomap_ring_free(ring);
	topomap_hierarchy_free(hierarchy);
	topomap_lanes_free(lanes);
	topomap_profile_free(profile);
	topomap_call_free(call);
	topomap_score_free(score);
	topomap_traffic_free(traffic);
	topomap_suggestion_free(suggestion);
}

/* What every call below is given: a handle, and where to put the error. */
static void *h;
static struct topomap_error *e;

/* The call must fail by its argument, with @p words in the sentence; and again without a place for
 * the error, which is filled before so that it is seen to be set. */
#define REFUSES(failed, called, words) \
	do { \
		memset(&err, 'x', sizeof err); \
		e = &err; \
		ck_assert_msg((called) == (failed), "%s", #called); \
		ck_assert_msg(err.status == TOPOMAP_USAGE, "status %d: %.99s", err.status, \
			      err.text); \
		ck_assert_msg(strstr(err.text, words) != NULL, "'%s' in '%s'", words, err.text); \
		ck_assert_str_ne(err.reason, ""); \
		e = NULL; \
		ck_assert((called) == (failed)); \
	} while (0)

static int64_t no_handle[64];

static void *other_than(const char *kind)
{
	return strcmp(kind, "placement") ? (void *)placement : (void *)tree;
}

/* A handle that is NULL, one of another kind, and what is none. */
#define HANDLE(failed, kind, called) \
	do { \
		h = NULL; \
		REFUSES(failed, called, "the " kind " handle is NULL"); \
		h = other_than(kind); \
		REFUSES(failed, called, "a " kind " handle is expected, and this is a "); \
		h = no_handle; \
		REFUSES(failed, called, "a " kind " handle is expected, and this is no handle"); \
	} while (0)

static int visit(void *context, const struct topomap_message *message)
{
	(void)context;
	(void)message;
	return 0;
}

static int refuse(void *context, const struct topomap_message *message)
{
	(void)context;
	(void)message;
	return -5;
}

START_TEST(no_function_takes_a_null_handle_or_one_of_another_kind)
{
	const char *names[] = { "a", "b" }, *pus[16] = { NULL }, *reason;
	int numbers[16] = { 0 }, number;
	const int *list;
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;
	double value;
	int64_t pairs;
	char text[8];

	make_all();
	HANDLE(-1, "machine", topomap_machine_rename(h, names, 2, e));
	HANDLE(-1, "machine", topomap_machine_add_switches(h, numbers, 1, e));
	HANDLE(-1, "machine", topomap_machine_node_count(h, e));
	HANDLE(NULL, "machine", topomap_machine_node_name(h, 0, e));
	HANDLE(NULL, "machine", topomap_placement_new(h, 1, numbers, pus, e));
	HANDLE(NULL, "machine", topomap_placement_launch(h, &launch, e));
	HANDLE(NULL, "machine", topomap_placement_read_launcher(h, "openmpi4", "file", 0, e));
	HANDLE(NULL, "placement", topomap_placement_subset(h, numbers, 1, e));
	HANDLE(-1, "placement", topomap_placement_size(h, e));
	HANDLE(-1, "placement", topomap_placement_node(h, 0, e));
	HANDLE(NULL, "placement", topomap_placement_node_name(h, 0, e));
	HANDLE(-1, "placement", topomap_placement_pus(h, 0, text, sizeof text, e));
	HANDLE(-1, "placement", topomap_placement_is_bound(h, 0, e));
	HANDLE(-1, "placement", topomap_placement_write(h, stdout, e));
	HANDLE(NULL, "placement", topomap_distances_new(h, "process", NULL, e));
	HANDLE(-1, "distances", topomap_distances_get(h, 0, 0, &value, e));
	HANDLE(-1, "distances", topomap_distances_row(h, 0, &value, e));
	HANDLE(-1, "distances", topomap_distances_count(h, &value, &pairs, 1, e));
	HANDLE(-1, "distances", topomap_distances_meaning(h, 1, text, sizeof text, e));
	HANDLE(NULL, "distances", topomap_tree_new(h, 0, e));
	HANDLE(NULL, "distances", topomap_tree_new_shape(h, "binomial_near", 0, e));
	HANDLE(NULL, "tree", topomap_tree_parents(h, e));
	HANDLE(-1, "tree", topomap_tree_children(h, 0, &list, e));
	HANDLE(-1, "tree", topomap_tree_measure(h, &value, &number, &number, e));
	HANDLE(-1, "tree", topomap_tree_write(h, "json", stdout, e));
	HANDLE(NULL, "distances", topomap_ring_new(h, e));
	HANDLE(NULL, "distances", topomap_ring_new_shape(h, "ring", e));
	HANDLE(NULL, "ring", topomap_ring_order(h, e));
	HANDLE(-1, "ring", topomap_ring_measure(h, &value, e));
	HANDLE(-1, "ring", topomap_ring_write(h, "json", stdout, e));
	HANDLE(NULL, "placement", topomap_hierarchy_new(h, NULL, 0, NULL, e));
	HANDLE(-1, "hierarchy", topomap_hierarchy_level_count(h, e));
	HANDLE(NULL, "hierarchy", topomap_hierarchy_level_name(h, 0, e));
	HANDLE(-1, "hierarchy", topomap_hierarchy_count(h, e));
	HANDLE(-1, "hierarchy", topomap_hierarchy_find(h, 0, 0, &number, e));
	HANDLE(-1, "hierarchy", topomap_hierarchy_members(h, 0, &list, &number, e));
	HANDLE(-1, "hierarchy", topomap_hierarchy_write(h, "json", stdout, e));
	HANDLE(NULL, "placement", topomap_lanes_new(h, 0, e));
	HANDLE(-1, "lanes", topomap_lanes_count(h, &number, e));
	HANDLE(-1, "lanes", topomap_lanes_members(h, 0, numbers, 16, e));
	HANDLE(-1, "lanes", topomap_lanes_reason(h, &reason, e));
	HANDLE(-1, "lanes", topomap_lanes_write(h, "json", stdout, e));
	HANDLE(-1, "call", topomap_call_set_distances(h, distances, e));
	HANDLE(-1, "call", topomap_call_set_element(h, 8, e));
	HANDLE(-1, "call", topomap_call_set_neighbors(h, "moore:1", "4x4", NULL, e));
	HANDLE(-1, "call", topomap_call_unit_count(h, e));
	HANDLE(-1, "call", topomap_call_unit(h, 0, &pairs, &pairs, e));
	HANDLE(-1, "call", topomap_call_visit(h, visit, NULL, e));
	HANDLE(-1, "call", topomap_call_visit_rank(h, 0, visit, NULL, e));
	HANDLE(NULL, "placement", topomap_score_new(h, call, NULL, e));
	HANDLE(-1, "score", topomap_score_count(h, e));
	HANDLE(NULL, "score", topomap_score_algorithm(h, 0, &value, &reason, e));
	HANDLE(NULL, "score", topomap_score_default(h, "openmpi4", &value, e));
	HANDLE(-1, "score", topomap_score_write(h, "json", stdout, e));
	HANDLE(-1, "traffic", topomap_traffic_add(h, 0, 1, 8, e));
	HANDLE(-1, "traffic", topomap_traffic_add_call(h, call, 1, e));
	HANDLE(-1, "traffic", topomap_traffic_read(h, "file", NULL, e));
	HANDLE(NULL, "placement", topomap_suggestion_new(h, traffic, NULL, NULL, e));
	HANDLE(-1, "suggestion", topomap_suggestion_gain(h, &value, e));
	HANDLE(NULL, "suggestion", topomap_suggestion_place_of(h, e));
	HANDLE(NULL, "suggestion", topomap_suggestion_placement(h, e));
	HANDLE(-1, "suggestion", topomap_suggestion_write_launcher(h, "openmpi4", stdout, e));
	HANDLE(NULL, "suggestion", topomap_suggestion_command(h, "openmpi4", "file", e));
	HANDLE(NULL, "suggestion", topomap_suggestion_note(h, "openmpi4", "file", e));
	HANDLE(-1, "suggestion", topomap_suggestion_write(h, stdout, e));
	free_all();
}
END_TEST

/* A later argument that is a handle. */
#define WITH(expression, kind) \
	do { \
		ck_assert_msg(!(expression), #expression); \
		ck_assert_int_eq(err.status, TOPOMAP_USAGE); \
		ck_assert_msg(strstr(err.text, kind) != NULL, "%s", err.text); \
	} while (0)

START_TEST(handles_of_another_kind_are_refused_where_they_come_later_too)
{
	make_all();
	WITH(topomap_distances_new(placement, "latency", (void *)tree, &err),
	     "this is a tree handle");
	WITH(topomap_call_set_distances(call, (void *)tree, &err) == 0, "cannot be changed");
	WITH(topomap_score_new(placement, NULL, NULL, &err), "call handle is NULL");
	WITH(topomap_score_new(placement, (void *)tree, NULL, &err), "this is a tree handle");
	WITH(topomap_score_new(placement, call, (void *)tree, &err), "this is a tree handle");
	WITH(topomap_traffic_add_call(traffic, (void *)tree, 1, &err) == 0,
	     "this is a tree handle");
	WITH(topomap_suggestion_new(placement, (void *)tree, NULL, NULL, &err),
	     "this is a tree handle");
	WITH(topomap_suggestion_new(placement, NULL, (void *)tree, NULL, &err),
	     "this is a tree handle");
	free_all();
}
END_TEST

/* Freeing what is none of its kind must do nothing: these are not ours to release. */
START_TEST(free_takes_null_and_leaves_other_kinds_alone)
{
	make_all();
	topomap_machine_free(NULL);
	topomap_placement_free(NULL);
	topomap_distances_free(NULL);
	topomap_tree_free(NULL);
	topomap_ring_free(NULL);
	topomap_hierarchy_free(NULL);
	topomap_lanes_free(NULL);
	topomap_profile_free(NULL);
	topomap_call_free(NULL);
	topomap_score_free(NULL);
	topomap_traffic_free(NULL);
	topomap_suggestion_free(NULL);
	topomap_tree_free((void *)placement);
	ck_assert_int_eq(topomap_placement_size(placement, &err), 16);
	free_all();
}
END_TEST

START_TEST(ranks_and_other_indexes_out_of_range_are_refused)
{
	double value, row[16];
	int64_t unit;
	int number, numbers[16];
	char text[8];

	make_all();
	REFUSES(NULL, topomap_tree_new(distances, 16, e),
		"root: rank 16 is not one of the 16 ranks");
	REFUSES(NULL, topomap_tree_new(distances, -1, e), "rank -1 is not one of");
	REFUSES(-1, topomap_distances_get(distances, 0, 16, &value, e),
		"rank 16 is not one of the 16 ranks");
	REFUSES(-1, topomap_distances_get(distances, INT_MIN, 0, &value, e), "rank -2147483648");
	REFUSES(-1, topomap_distances_row(distances, INT_MAX, row, e), "rank 2147483647");
	REFUSES(-1, topomap_placement_node(placement, 16, e), "rank 16");
	REFUSES(-1, topomap_placement_pus(placement, -1, text, sizeof text, e), "rank -1");
	REFUSES(-1, topomap_tree_children(tree, 16, NULL, e), "rank 16");
	REFUSES(-1, topomap_hierarchy_find(hierarchy, 0, 16, &number, e), "rank 16");
	REFUSES(-1, topomap_hierarchy_find(hierarchy, 99, 0, &number, e), "level 99");
	REFUSES(-1, topomap_hierarchy_members(hierarchy, -1, NULL, NULL, e), "communicator -1");
	REFUSES(NULL, topomap_hierarchy_new(placement, NULL, 16, NULL, e), "root: rank 16");
	REFUSES(-1, topomap_lanes_members(lanes, 8, numbers, 16, e),
		"lane 8 is not one of the 8 lanes");
	REFUSES(-1, topomap_lanes_members(lanes, 0, numbers, 1, e), "room for 1 ranks");
	REFUSES(NULL, topomap_call_new("bcast", NULL, 16, 8, 16, e), "root: rank 16");
	REFUSES(-1, topomap_call_visit_rank(call, 16, visit, NULL, e), "rank 16");
	REFUSES(-1, topomap_call_visit_rank(call, -1, visit, NULL, e), "rank -1");
	REFUSES(-1, topomap_call_unit(call, 1, &unit, &unit, e),
		"unit 1 is not one of the 1 units");
	REFUSES(-1, topomap_call_unit(call, -1, &unit, &unit, e), "unit -1");
	REFUSES(NULL, topomap_score_algorithm(score, 1, NULL, NULL, e), "algorithm 1");
	REFUSES(-1, topomap_traffic_add(traffic, 16, 0, 8, e), "rank 16");
	REFUSES(-1, topomap_traffic_add(traffic, 0, -1, 8, e), "rank -1");
	REFUSES(NULL, topomap_machine_node_name(machine, 2, e), "node 2");
	free_all();
}
END_TEST

START_TEST(an_argument_that_is_null_is_named)
{
	const char *nothing[2] = { NULL, NULL };
	int numbers[16] = { 0 };
	struct topomap_machine *fresh;

	make_all();
	ck_assert_ptr_nonnull(fresh = topomap_machine_read(line, 1, &err));
	REFUSES(NULL, topomap_machine_read(NULL, 1, e), "spec is NULL");
	REFUSES(NULL, topomap_machine_read(nothing, 1, e), "a string of spec is NULL");
	REFUSES(-1, topomap_machine_rename(fresh, NULL, 2, e), "name is NULL");
	REFUSES(-1, topomap_machine_rename(fresh, nothing, 2, e), "a string of name is NULL");
	REFUSES(-1, topomap_machine_add_switches(fresh, NULL, 1, e), "switch_of is NULL");
	REFUSES(NULL, topomap_placement_read(NULL, e), "path is NULL");
	REFUSES(NULL, topomap_placement_parse(NULL, 3, e), "text is NULL");
	REFUSES(NULL, topomap_placement_new(machine, 1, NULL, nothing, e), "node is NULL");
	REFUSES(NULL, topomap_placement_new(machine, 1, numbers, NULL, e), "pus is NULL");
	REFUSES(NULL, topomap_placement_launch(machine, NULL, e), "launch is NULL");
	REFUSES(NULL, topomap_placement_read_launcher(fresh, NULL, "file", 0, e),
		"launcher is NULL");
	REFUSES(NULL, topomap_placement_read_launcher(fresh, "openmpi4", NULL, 0, e),
		"path is NULL");
	REFUSES(NULL, topomap_placement_subset(placement, NULL, 3, e), "rank is NULL");
	REFUSES(-1, topomap_placement_pus(placement, 0, NULL, 3, e), "text is NULL");
	REFUSES(-1, topomap_placement_write(placement, NULL, e), "out is NULL");
	REFUSES(NULL, topomap_distances_new_measured(2, NULL, e), "value is NULL");
	REFUSES(-1, topomap_distances_get(distances, 0, 0, NULL, e), "value is NULL");
	REFUSES(-1, topomap_distances_row(distances, 0, NULL, e), "row is NULL");
	REFUSES(-1, topomap_distances_count(distances, NULL, NULL, 1, e), "value is NULL");
	REFUSES(NULL, topomap_tree_new_shape(distances, NULL, 0, e), "shape is NULL");
	REFUSES(NULL, topomap_ring_new_shape(distances, NULL, e), "shape is NULL");
	REFUSES(-1, topomap_tree_write(tree, NULL, stdout, e), "format is NULL");
	REFUSES(-1, topomap_tree_write(tree, "json", NULL, e), "out is NULL");
	REFUSES(-1, topomap_ring_measure(ring, NULL, e), "weight is NULL");
	REFUSES(-1, topomap_hierarchy_find(hierarchy, 0, 0, NULL, e), "comm is NULL");
	REFUSES(-1, topomap_lanes_members(lanes, 0, NULL, 16, e), "rank is NULL");
	REFUSES(-1, topomap_lanes_reason(lanes, NULL, e), "reason is NULL");
	REFUSES(NULL, topomap_profile_read(NULL, e), "name is NULL");
	REFUSES(NULL, topomap_call_new(NULL, NULL, 4, 8, 0, e), "collective is NULL");
	REFUSES(-1, topomap_call_visit(call, NULL, NULL, e), "visit is NULL");
	REFUSES(-1, topomap_call_unit(call, 0, NULL, NULL, e), "first is NULL");
	REFUSES(NULL, topomap_score_default(score, NULL, NULL, e), "library is NULL");
	REFUSES(-1, topomap_traffic_read(traffic, NULL, NULL, e), "path is NULL");
	REFUSES(-1, topomap_suggestion_gain(suggestion, NULL, e), "gain is NULL");
	REFUSES(NULL, topomap_suggestion_command(suggestion, "openmpi4", NULL, e), "file is NULL");
	REFUSES(NULL, topomap_suggestion_command(suggestion, NULL, "", e), "file has no name");
	ck_assert_ptr_null(topomap_word(NULL, 0));
	ck_assert_ptr_null(topomap_algorithm(NULL, 0));
	topomap_machine_free(fresh);
	free_all();
}
END_TEST

START_TEST(words_that_are_not_known_are_refused_with_those_that_are)
{
	struct topomap_search mapper = TOPOMAP_SEARCH_INIT, objective = TOPOMAP_SEARCH_INIT,
			      slots = TOPOMAP_SEARCH_INIT, grid = TOPOMAP_SEARCH_INIT;
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT, option = TOPOMAP_LAUNCH_INIT,
			      map_by = TOPOMAP_LAUNCH_INIT;
	struct topomap_machine *fresh;

	make_all();
	ck_assert_ptr_nonnull(fresh = topomap_machine_read(line, 1, &err));
	mapper.mapper = objective.objective = slots.slots = launch.launcher = map_by.map_by = "oak";
	grid.mapper = "grid";
	option.launcher = "slurm";
	option.rank_by = "core";
	REFUSES(NULL, topomap_distances_new(placement, "metres", NULL, e),
		"unknown scale 'metres' (one of: process, level, latency)");
	REFUSES(NULL, topomap_distances_new(placement, "measured", NULL, e),
		"unknown scale 'measured'");
	REFUSES(NULL, topomap_tree_new_shape(distances, "oak", 0, e),
		"unknown tree 'oak' (one of: ");
	REFUSES(-1, topomap_tree_write(tree, "svg", stdout, e),
		"unknown format 'svg' (one of: json, text, dot)");
	REFUSES(NULL, topomap_hierarchy_new(placement, NULL, 0, "everybody", e),
		"'everybody' (one of: first, ");
	REFUSES(NULL, topomap_call_new("chat", NULL, 4, 8, 0, e),
		"unknown collective 'chat' (one of: allgather, ");
	REFUSES(NULL, topomap_call_new("bcast", "oak", 4, 8, 0, e), "'oak' (one of: ");
	REFUSES(NULL, topomap_score_default(score, "mpi", NULL, e), "'mpi' (one of: openmpi4, ");
	REFUSES(-1, topomap_traffic_read(traffic, "file", "paper", e), "'paper' (one of: ");
	REFUSES(NULL, topomap_suggestion_new(placement, traffic, NULL, &mapper, e),
		"'oak' (one of: best, ");
	REFUSES(NULL, topomap_suggestion_new(placement, traffic, NULL, &objective, e),
		"'oak' (one of: ");
	REFUSES(NULL, topomap_suggestion_new(placement, traffic, NULL, &slots, e),
		"'oak' (one of: given, ");
	REFUSES(NULL, topomap_suggestion_new(placement, traffic, NULL, &grid, e),
		"is for grids of ranks");
	REFUSES(-1, topomap_suggestion_write_launcher(suggestion, "catapult", stdout, e),
		"'catapult' (one of: ");
	REFUSES(NULL, topomap_placement_launch(machine, &launch, e), "'oak' (one of: ");
	REFUSES(NULL, topomap_placement_launch(machine, &option, e), "rank_by");
	REFUSES(NULL, topomap_placement_launch(machine, &map_by, e), "oak");
	REFUSES(NULL, topomap_placement_read_launcher(fresh, "catapult", "file", 0, e),
		"'catapult' (one of: ");
	ck_assert_ptr_null(topomap_word("colour", 0));
	ck_assert_ptr_null(topomap_algorithm("chat", 0));
	ck_assert_ptr_null(topomap_word("scale", -1));
	ck_assert_ptr_null(topomap_word("scale", INT_MAX));
	topomap_machine_free(fresh);
	free_all();
}
END_TEST

START_TEST(numbers_that_mean_nothing_are_refused)
{
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT, no_size = { 0 };
	struct topomap_search effort = TOPOMAP_SEARCH_INIT;
	struct topomap_traffic *quiet, *small;
	struct topomap_call *four, *neighbors;
	struct topomap_machine *fresh;
	const char *pus[16] = { NULL };
	int numbers[16] = { 0 };
	double value = 0;
	struct {
		struct topomap_launch known;
		int later;
	} larger = { { .struct_size = sizeof larger }, 1 };

	make_all();
	launch.ranks = -1;
	effort.effort = -1;
	ck_assert_ptr_nonnull(fresh = topomap_machine_read(line, 1, &err));
	ck_assert_ptr_nonnull(quiet = topomap_traffic_new(16, &err));
	ck_assert_ptr_nonnull(small = topomap_traffic_new(4, &err));
	ck_assert_ptr_nonnull(four = topomap_call_new("bcast", NULL, 4, 8, 0, &err));
	ck_assert_ptr_nonnull(neighbors =
				      topomap_call_new("neighbor_allgather", NULL, 16, 8, 0, &err));
	REFUSES(-1, topomap_machine_rename(fresh, pus, 1, e), "1 names for 2 nodes");
	REFUSES(-1, topomap_traffic_add(traffic, 0, 1, -8, e), "-8 bytes from rank 0 to rank 1");
	REFUSES(-1, topomap_traffic_add(traffic, 0, 1, (double)NAN, e), "nan bytes");
	REFUSES(-1, topomap_call_unit_count(four, e), "no algorithm yet");
	REFUSES(-1, topomap_call_visit(call, refuse, NULL, e), "the visitor returned -5");
	REFUSES(NULL, topomap_call_new("bcast", NULL, 0, 8, 0, e), "0 ranks");
	REFUSES(NULL, topomap_call_new("bcast", NULL, INT_MAX, 8, 0, e), "2147483647 ranks");
	REFUSES(NULL, topomap_call_new("bcast", NULL, 4, -8, 0, e), "-8 bytes");
	REFUSES(NULL, topomap_call_new("barrier", NULL, 4, 8, 0, e),
		"8 bytes for a call of barrier");
	REFUSES(NULL, topomap_call_new("allgather", NULL, 4, 8, 1, e), "allgather has no root");
	REFUSES(NULL, topomap_traffic_new(0, e), "0 ranks");
	REFUSES(NULL, topomap_traffic_new(INT_MAX, e), "2147483647 ranks");
	REFUSES(-1, topomap_traffic_add_call(traffic, call, 0, e), "0 times");
	REFUSES(-1, topomap_traffic_add_call(traffic, call, (double)NAN, e), "nan times");
	REFUSES(NULL, topomap_placement_new(machine, 0, numbers, pus, e), "0 ranks");
	REFUSES(NULL, topomap_placement_subset(placement, numbers, 0, e), "0 ranks");
	REFUSES(NULL, topomap_lanes_new(placement, -1, e), "-1 lanes");
	REFUSES(NULL, topomap_distances_new_measured(0, &value, e), "0 ranks");
	REFUSES(NULL, topomap_suggestion_new(placement, traffic, NULL, &effort, e), "-1 steps");
	REFUSES(NULL, topomap_placement_launch(machine, &launch, e), "ranks -1");
	REFUSES(NULL, topomap_placement_launch(machine, &no_size, e), "struct_size");
	REFUSES(NULL, topomap_placement_launch(machine, &larger.known, e),
		"members that this release does not know");
	REFUSES(-1, topomap_machine_add_switches(fresh, numbers, 3, e), "3 switches for 2 nodes");
	numbers[1] = 1;
	REFUSES(-1, topomap_machine_add_switches(fresh, numbers, 1, e),
		"node 1: switch 1 is not one of the 1 switches");
	numbers[1] = 0;
	REFUSES(NULL, topomap_suggestion_new(placement, quiet, NULL, NULL, e),
		"no rank sends anything");
	REFUSES(NULL, topomap_suggestion_new(placement, small, NULL, NULL, e),
		"traffic among 4 ranks for a placement of 16");
	REFUSES(NULL, topomap_score_new(placement, four, NULL, e),
		"a call of 4 ranks for a placement of 16");
	REFUSES(-1, topomap_call_visit(four, visit, NULL, e), "no algorithm yet");
	REFUSES(-1, topomap_call_set_neighbors(four, "moore:1", "2x2", NULL, e),
		"bcast has no neighborhood");
	REFUSES(-1, topomap_call_set_element(four, -1, e), "-1 bytes are no element");
	REFUSES(-1, topomap_call_set_element(four, 65537, e), "65537 bytes are no element");
	REFUSES(-1, topomap_call_set_element(four, 7, e), "no whole number of elements of 7 bytes");
	REFUSES(NULL, topomap_score_new(placement, neighbors, NULL, e),
		"neighbors of neighbor_allgather are not set");
	REFUSES(-1, topomap_call_set_distances(four, distances, e),
		"distances of 16 ranks for a call of 4");
	REFUSES(-1, topomap_machine_add_switches(machine, numbers, 1, e),
		"something was made from it");
	topomap_traffic_free(quiet);
	topomap_traffic_free(small);
	topomap_call_free(four);
	topomap_call_free(neighbors);
	topomap_machine_free(fresh);
	free_all();
}
END_TEST

/* What a program compiled with a later header hands over is fine while it uses nothing new. */
START_TEST(structs_of_other_releases_are_taken_by_their_size)
{
	struct {
		struct topomap_launch known;
		int later;
	} larger = { { .struct_size = sizeof larger, .ranks = 5 }, 0 };
	struct topomap_placement *p;

	make_all();
	ck_assert_ptr_nonnull(p = topomap_placement_launch(machine, &larger.known, &err));
	ck_assert_int_eq(topomap_placement_size(p, &err), 5);
	topomap_placement_free(p);
	larger.known.struct_size = offsetof(struct topomap_launch, launcher) + 4;
	REFUSES(NULL, topomap_placement_launch(machine, &larger.known, e), "struct_size of struct");
	free_all();
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("arguments of libtopomap");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, no_function_takes_a_null_handle_or_one_of_another_kind);
	tcase_add_test(tcase, handles_of_another_kind_are_refused_where_they_come_later_too);
	tcase_add_test(tcase, free_takes_null_and_leaves_other_kinds_alone);
	tcase_add_test(tcase, ranks_and_other_indexes_out_of_range_are_refused);
	tcase_add_test(tcase, an_argument_that_is_null_is_named);
	tcase_add_test(tcase, words_that_are_not_known_are_refused_with_those_that_are);
	tcase_add_test(tcase, numbers_that_mean_nothing_are_refused);
	tcase_add_test(tcase, structs_of_other_releases_are_taken_by_their_size);
	suite_add_tcase(suite, tcase);
	return suite;
}
