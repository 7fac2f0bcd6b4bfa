/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: lines written down by hand for a small machine; for large and random ones the
 * properties that the issue of such a text is about: a page, at most 80 columns, every rank
 * that is not folded on a line of its own under its parent.
 */
#include "formats/report/ring/text_ring.h"
#include "formats/report/tree/text_tree.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

struct job {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_tree tree;
	struct tmap_tree_shape shape;
	struct tmap_ring ring;
	struct tmap_edge_count *edges;
	int edge_count;
	double weight;
	struct tmap_view view;
};

/* The job takes the placement that stands in it. */
static void job_init(struct job *job, int root, bool fold)
{
	ck_assert_int_eq(tmap_metric_init(&job->metric, &job->placement, TMAP_SCALE_PROCESS, &err),
			 0);
	ck_assert_int_eq(tmap_tree_init(&job->tree, &job->metric, root, &err), 0);
	ck_assert_int_eq(tmap_tree_measure(&job->tree, &job->shape, &err), 0);
	ck_assert_int_eq(tmap_ring_init(&job->ring, &job->metric, &err), 0);
	ck_assert_int_eq(
		tmap_ring_measure(&job->ring, &job->weight, &job->edges, &job->edge_count, &err),
		0);
	job->view = (struct tmap_view){ .placement = &job->placement,
					.title = "Title",
					.scale = TMAP_SCALE_PROCESS,
					.fold = fold };
}

static void job_fini(struct job *job)
{
	free(job->edges);
	tmap_ring_fini(&job->ring);
	tmap_tree_shape_fini(&job->shape);
	tmap_tree_fini(&job->tree);
	tmap_metric_fini(&job->metric);
	tmap_placement_fini(&job->placement);
}

static char *tree_text(const struct job *job)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_text_write_tree(out, &job->view, &job->tree, &job->shape, &err), 0);
	fclose(out);
	return text;
}

static char *ring_text(const struct job *job)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_text_write_ring(out, &job->view, &job->ring, job->weight, job->edges,
					      job->edge_count, &err),
			 0);
	fclose(out);
	return text;
}

static const struct test_level small_node[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_L3, 1 }, { TMAP_CORE, 2 }, { TMAP_NODE, 0 }
};

START_TEST(a_small_tree_has_a_line_a_rank)
{
	struct job job;
	char *text;

	placement_block_take(&job.placement, machine_regular(2, small_node));
	job_init(&job, 5, false);
	text = tree_text(&job);
	ck_assert_str_eq(text,
			 "Title: 8 ranks on 2 nodes, root 5\n"
			 "weight 17, depth 3, fan-out 3\n"
			 "\n"
			 "  distance      edges  meaning\n"
			 "         1          4  a shared cache or core\n"
			 "         3          2  same memory controller, different packages\n"
			 "         7          1  different nodes\n"
			 "\n"
			 "rank           distance  node\n"
			 "5                  root  n1\n"
			 "|-- 4                 1  n1\n"
			 "|-- 6                 3  n1\n"
			 "|   `-- 7             1  n1\n"
			 "`-- 0                 7  n0\n"
			 "    |-- 1             1  n0\n"
			 "    `-- 2             3  n0\n"
			 "        `-- 3         1  n0\n");
	free(text);
	job_fini(&job);
}
END_TEST

START_TEST(lines_are_drawn_where_the_terminal_can)
{
	struct job job;
	char *text;

	placement_block_take(&job.placement, machine_regular(1, small_node));
	job_init(&job, 0, false);
	job.view.utf8 = true;
	text = tree_text(&job);
	ck_assert_ptr_nonnull(strstr(text, "\u251c\u2500\u2500 1"));
	ck_assert_ptr_nonnull(strstr(text, "\u2514\u2500\u2500 2"));
	free(text);
	job_fini(&job);
}
END_TEST

START_TEST(a_sub_communicator_shows_the_ranks_of_the_job)
{
	const int world[] = { 3, 5, 8, 13 };
	struct job job;
	char *text;

	placement_block_take(&job.placement, machine_regular(1, small_node));
	job_init(&job, 0, false);
	job.view.world = world;
	text = tree_text(&job);
	ck_assert_ptr_nonnull(strstr(text, "n0  (rank 13 of the job)\n"));
	free(text);
	text = ring_text(&job);
	ck_assert_ptr_nonnull(strstr(text, "0(3) -1- 1(5) -3- 3(13) -1- 2(8) -3- 0(3)\n"));
	free(text);
	job_fini(&job);
}
END_TEST

START_TEST(one_rank_is_a_root_and_nothing_else)
{
	struct job job;
	char *text;

	placement_block_take(
		&job.placement,
		machine_regular(1,
				(const struct test_level[]){ { TMAP_CORE, 1 }, { TMAP_NODE, 0 } }));
	job_init(&job, 0, true);
	text = tree_text(&job);
	ck_assert_str_eq(text,
			 "Title: 1 rank on n0, root 0\nweight 0, depth 0, fan-out 0\n\n"
			 "rank  distance  node\n0         root  n0\n");
	free(text);
	text = ring_text(&job);
	ck_assert_str_eq(text, "Title: 1 rank on n0\nweight 0\n\n0\n");
	free(text);
	job_fini(&job);
}
END_TEST

START_TEST(a_small_ring_has_a_line_a_node)
{
	struct job job;
	char *text;

	placement_block_take(&job.placement, machine_regular(3, small_node));
	job_init(&job, 0, false);
	text = ring_text(&job);
	ck_assert_ptr_nonnull(strstr(text,
				     "n0:  0 -1- 1 -7-\n"
				     "n1:  5 -1- 4 -3- 6 -1- 7 -7-\n"
				     "n2:  11 -1- 10 -3- 8 -1- 9 -7-\n"
				     "n0:  3 -1- 2 -3- 0\n"));
	free(text);
	job_fini(&job);
}
END_TEST

START_TEST(equal_stretches_of_a_ring_are_said_once)
{
	struct job job;
	char *text;

	placement_block_take(&job.placement,
			     machine_regular(5,
					     (const struct test_level[]){ { TMAP_L3, 1 },
									  { TMAP_CORE, 16 },
									  { TMAP_NODE, 0 } }));
	job_init(&job, 0, true);
	text = ring_text(&job);
	ck_assert_ptr_nonnull(strstr(text,
				     "n2:  46 -1- 44 .. 32 -1- 33 -1- 35 .. 47 -7-\n"
				     "3 more like n2: n4, n3, n1\n"
				     "    from rank 78, 63, 31\n"
				     "n0:  14 -1- 12 .. 2 -1- 0\n"));
	free(text);
	job_fini(&job);
}
END_TEST

/* Number of lines; none may be wider than 80 columns. */
static int lines_of(const char *text)
{
	int lines = 0;

	for (const char *at = text; *at; lines++) {
		size_t length = strcspn(at, "\n");

		ck_assert_msg(length <= 80, "%.*s", (int)length, at);
		at += length + 1;
	}
	return lines;
}

START_TEST(a_big_job_fits_on_a_page)
{
	struct dice dice = { 5 };
	struct job job;
	char *text;

	placement_block_take(&job.placement,
			     machine_regular(2000,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_L3, 3 },
									  { TMAP_CORE, 8 },
									  { TMAP_NODE, 0 } }));
	if (_i)
		dice_shuffle(&dice, job.placement.node, job.placement.size);
	job_init(&job, _i * 1234, true);
	text = tree_text(&job);
	if (!_i)
		ck_assert_int_lt(lines_of(text), 66);
	ck_assert_int_gt(lines_of(text), 10);
	free(text);
	text = ring_text(&job);
	if (!_i)
		ck_assert_int_lt(lines_of(text), 66);
	free(text);
	job_fini(&job);
}
END_TEST

/* Without folding, a rank's line is deeper than its parent's by one, and comes behind it. */
START_TEST(every_rank_stands_below_its_parent)
{
	struct dice dice = { 600 + (uint64_t)_i };
	int size = 1 + dice_roll(&dice, 40), path[64];
	struct job job;
	char *text, *at;

	placement_random_take(&job.placement, machine_random(&dice, 6), size, &dice);
	job_init(&job, dice_roll(&dice, size), false);
	text = tree_text(&job);
	at = strstr(text, "\nrank");
	at = strchr(at + 1, '\n') + 1;
	for (int line = 0; line < size; line++) {
		int column = (int)strspn(at, "|`- "), rank = atoi(at + column), depth = column / 4;

		ck_assert_int_eq(column % 4, 0);
		path[depth] = rank;
		ck_assert_int_eq(job.tree.parent[rank], depth ? path[depth - 1] : TMAP_NONE);
		at = strchr(at, '\n') + 1;
	}
	ck_assert_str_eq(at, "");
	free(text);
	job_fini(&job);
}
END_TEST

START_TEST(a_path_of_many_ranks_keeps_to_the_page)
{
	const int size = 300;
	struct job job;
	char *text;

	placement_block_take(
		&job.placement,
		machine_regular(
			1, (const struct test_level[]){ { TMAP_CORE, size }, { TMAP_NODE, 0 } }));
	job_init(&job, 0, false);
	for (int r = 1; r < size; r++)
		job.tree.parent[r] = r - 1;
	text = tree_text(&job);
	ck_assert_int_gt(lines_of(text), size);
	ck_assert_ptr_nonnull(strstr(text, "(299 down) 299 "));
	free(text);
	job_fini(&job);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("text_tree");
	TCase *c = tcase_create("text_tree");

	tcase_add_test(c, a_small_tree_has_a_line_a_rank);
	tcase_add_test(c, lines_are_drawn_where_the_terminal_can);
	tcase_add_test(c, a_sub_communicator_shows_the_ranks_of_the_job);
	tcase_add_test(c, one_rank_is_a_root_and_nothing_else);
	tcase_add_test(c, a_small_ring_has_a_line_a_node);
	tcase_add_test(c, equal_stretches_of_a_ring_are_said_once);
	tcase_add_loop_test(c, a_big_job_fits_on_a_page, 0, 2);
	tcase_add_loop_test(c, every_rank_stands_below_its_parent, 0, 100);
	tcase_add_test(c, a_path_of_many_ranks_keeps_to_the_page);
	tcase_set_timeout(c, 60);
	suite_add_tcase(suite, c);
	return suite;
}
