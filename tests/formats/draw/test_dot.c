/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: Graphviz itself reads and lays out every graph that is written here, in silence;
 * in the picture that comes of it there must be as many nodes and edges as the tree or the
 * ring has, and no two nodes may overlap.
 */
#include "core/tree/shapes.h"
#include "formats/draw/dot.h"
#include "formats/draw/graphviz.h"
#include "formats/report/ring/dot_ring.h"
#include "formats/report/tree/dot_tree.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tmap_error err;

struct job {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_view view;
};

/* The job takes the placement that stands in it. */
static void job_init(struct job *job, bool fold)
{
	ck_assert_int_eq(tmap_metric_init(&job->metric, &job->placement, TMAP_SCALE_PROCESS, &err),
			 0);
	job->view = (struct tmap_view){ .placement = &job->placement,
					.title = "Title",
					.scale = TMAP_SCALE_PROCESS,
					.fold = fold };
}

static void job_fini(struct job *job)
{
	tmap_metric_fini(&job->metric);
	tmap_placement_fini(&job->placement);
}

static char *tree_dot(const struct job *job, int root)
{
	struct tmap_tree tree;
	const struct tmap_tree *const trees[] = { &tree };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_tree_init(&tree, &job->metric, root, &err), 0);
	ck_assert_int_eq(tmap_dot_write_trees(out, &job->view, trees, 1, NULL, &err), 0);
	fclose(out);
	tmap_tree_fini(&tree);
	return text;
}

static char *ring_dot(const struct job *job)
{
	struct tmap_ring ring;
	const struct tmap_ring *const rings[] = { &ring };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_ring_init(&ring, &job->metric, &err), 0);
	ck_assert_int_eq(tmap_dot_write_rings(out, &job->view, rings, 1, NULL, &err), 0);
	fclose(out);
	tmap_ring_fini(&ring);
	return text;
}

/* dot(1) reads and draws the graph, and has nothing to complain of. */
static void check_dot_accepts(const char *dot)
{
	char path[] = "/tmp/topomap-test-dot-XXXXXX", command[100], said[200];
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w"), *answer;

	ck_assert_ptr_nonnull(file);
	fputs(dot, file);
	fclose(file);
	snprintf(command, sizeof command, "dot -Tsvg -o /dev/null %s 2>&1", path);
	answer = popen(command, "r");
	said[fread(said, 1, sizeof said - 1, answer)] = '\0';
	ck_assert_int_eq(pclose(answer), 0);
	ck_assert_str_eq(said, "");
	unlink(path);
}

static char *draw(const char *dot)
{
	char *svg = NULL;
	size_t length;
	FILE *out = open_memstream(&svg, &length);
	int status = tmap_graphviz_render(dot, "dot", "svg", out, &err);

	fclose(out);
	check_dot_accepts(dot);
	ck_assert_msg(status == 0, "%s", err.text);
	return svg;
}

static int count_of(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

/* Ranks are the only ellipses of a picture whose nodes are round. */
static void check_apart(const char *svg, int ranks)
{
	double *x = calloc((size_t)ranks, sizeof *x), *y = calloc((size_t)ranks, sizeof *y);
	int found = 0;

	for (const char *at = svg; (at = strstr(at, "<ellipse")); at++) {
		const char *cx = strstr(at, "cx=\""), *cy = strstr(at, "cy=\"");

		if (strstr(at, "fill=\"none\"") && strstr(at, "fill=\"none\"") < cx)
			continue;
		if (found < ranks) {
			x[found] = atof(cx + 4);
			y[found] = atof(cy + 4);
		}
		found++;
	}
	ck_assert_int_eq(found, ranks);
	for (int a = 0; a < ranks; a++)
		for (int b = 0; b < a; b++)
			ck_assert_msg(hypot(x[a] - x[b], y[a] - y[b]) > 26,
				      "nodes %d and %d overlap", a, b);
	free(x);
	free(y);
}

/* Width and height of the picture in points. */
static void size_of(const char *svg, double *width, double *height)
{
	*width = atof(strstr(svg, "width=\"") + 7);
	*height = atof(strstr(svg, "height=\"") + 8);
}

static const struct test_level eight_cores[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_L3, 1 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 }
};

static void check_tree(struct job *job, int root)
{
	int size = job->placement.size;
	char *dot = tree_dot(job, root), *svg = draw(dot);

	ck_assert_int_eq(count_of(svg, "class=\"node\""), size);
	ck_assert_int_eq(count_of(svg, "class=\"edge\""), size - 1);
	check_apart(svg, size);
	free(dot);
	free(svg);
}

START_TEST(a_tree_on_four_nodes_is_no_wider_than_a_screen)
{
	struct job job;
	char *dot, *svg;
	double width, height;

	placement_block_take(&job.placement, machine_regular(4, eight_cores));
	job_init(&job, false);
	check_tree(&job, 0);
	dot = tree_dot(&job, 0);
	svg = draw(dot);
	size_of(svg, &width, &height);
	ck_assert_double_lt(width, 1000);
	ck_assert_double_lt(height, 700);
	/* four nodes and two packages in each */
	ck_assert_int_eq(count_of(svg, "class=\"cluster\""), 12);
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

START_TEST(trees_of_random_jobs_are_drawn)
{
	struct dice dice = { 8 + (uint64_t)_i };
	int size = 1 + dice_roll(&dice, 30);
	struct job job;

	placement_random_take(&job.placement, machine_random(&dice, 6), size, &dice);
	job_init(&job, false);
	check_tree(&job, dice_roll(&dice, size));
	job_fini(&job);
}
END_TEST

static void check_ring(struct job *job)
{
	int size = job->placement.size;
	char *dot = ring_dot(job), *svg = draw(dot);

	ck_assert_int_eq(count_of(svg, "class=\"edge\""), size > 1 ? size : 0);
	check_apart(svg, size);
	free(dot);
	free(svg);
}

START_TEST(a_ring_is_a_circle)
{
	struct job job;
	char *dot, *svg;

	placement_block_take(&job.placement, machine_zoot());
	job_init(&job, false);
	check_ring(&job);
	dot = ring_dot(&job);
	svg = draw(dot);
	/* four sectors, the corners' ellipses and the arrows apart */
	ck_assert_int_eq(count_of(svg, "<polygon fill=\"#f4f4f4\""), 4);
	ck_assert_int_eq(count_of(svg, ">package 3</text>"), 1);
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

START_TEST(rings_of_random_jobs_are_drawn)
{
	struct dice dice = { 800 + (uint64_t)_i };
	struct job job;

	placement_random_take(&job.placement, machine_random(&dice, 6), 1 + dice_roll(&dice, 30),
			      &dice);
	job_init(&job, false);
	check_ring(&job);
	job_fini(&job);
}
END_TEST

START_TEST(a_big_job_is_drawn_folded_and_the_heading_says_so)
{
	struct job job;
	char *dot, *svg;

	placement_block_take(&job.placement,
			     machine_regular(2000,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_L3, 3 },
									  { TMAP_CORE, 8 },
									  { TMAP_NODE, 0 } }));
	job_init(&job, true);
	dot = tree_dot(&job, 0);
	svg = draw(dot);
	ck_assert_ptr_nonnull(strstr(svg, "Double frames: several ranks"));
	ck_assert_ptr_nonnull(strstr(svg, ">1998 like 96<"));
	ck_assert_ptr_nonnull(strstr(svg, ">on n[2&#45;1999]<"));
	ck_assert_int_lt(count_of(svg, "class=\"node\""), 60);
	free(dot);
	free(svg);
	dot = ring_dot(&job);
	svg = draw(dot);
	ck_assert_ptr_nonnull(strstr(svg, "double frames: equal"));
	ck_assert_ptr_nonnull(strstr(svg, ">1998 like n"));
	ck_assert_int_lt(count_of(svg, "class=\"node\""), 60);
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

/* A tree and the flat one beside it, or a ring and the one by rank, with their baselines. */
static char *pair_dot(const struct job *job, bool is_ring, int64_t bytes)
{
	struct tmap_levels levels;
	struct tmap_cost_model model;
	const struct tmap_load load = {
		.process = &job->metric, .levels = &levels, .model = &model, .bytes = bytes
	};
	struct tmap_baselines baselines = { .load = &load };
	struct tmap_tree tree[2] = { { 0 } };
	struct tmap_ring ring[2] = { { 0 } };
	const struct tmap_tree *const trees[] = { &tree[0], &tree[1] };
	const struct tmap_ring *const rings[] = { &ring[0], &ring[1] };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_levels_init(&levels, job->placement.machine, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&model, &job->placement, &job->metric, &levels,
					      tmap_profile_at(0), &err),
			 0);
	if (is_ring) {
		ck_assert_int_eq(tmap_ring_init(&ring[0], &job->metric, &err), 0);
		ck_assert_int_eq(tmap_shape_ring_called(&ring[1], "ring", &job->metric, &err), 0);
	} else {
		ck_assert_int_eq(tmap_tree_init(&tree[0], &job->metric, 0, &err), 0);
		ck_assert_int_eq(tmap_shape_tree_called(&tree[1], "flat", &job->metric, 0, &err),
				 0);
	}
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(tmap_baselines_add(&baselines, i ? "other" : "ours", NULL,
						    is_ring ? NULL : &tree[i],
						    is_ring ? &ring[i] : NULL, &err),
				 0);
	ck_assert_int_eq(is_ring ?
				 tmap_dot_write_rings(out, &job->view, rings, 2, &baselines, &err) :
				 tmap_dot_write_trees(out, &job->view, trees, 2, &baselines, &err),
			 0);
	fclose(out);
	for (int i = 0; i < 2; i++) {
		tmap_tree_fini(&tree[i]);
		tmap_ring_fini(&ring[i]);
	}
	tmap_baselines_fini(&baselines);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	return text;
}

START_TEST(two_stand_beside_each_other)
{
	struct job job;
	char *dot, *svg;

	placement_block_take(&job.placement, machine_regular(2, eight_cores));
	job_init(&job, false);
	dot = pair_dot(&job, _i, 1000);
	svg = draw(dot);
	ck_assert_int_eq(count_of(svg, "class=\"edge\""), _i ? 32 : 30);
	check_apart(svg, 32);
	ck_assert_ptr_nonnull(strstr(svg, ">ours</text>"));
	ck_assert_ptr_nonnull(strstr(svg, ">other</text>"));
	/* ring: 15 rounds of a block over each of two steps; tree: one message, and eight */
	ck_assert_ptr_nonnull(strstr(svg, _i ? "node 30000" : "node 1000"));
	ck_assert_ptr_nonnull(strstr(svg, _i ? "node 30000" : "node 8000"));
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

START_TEST(pairs_of_random_jobs_are_drawn)
{
	struct dice dice = { 40 + (uint64_t)_i };
	int size = 1 + dice_roll(&dice, 30);
	struct job job;
	char *dot, *svg;

	placement_random_take(&job.placement, machine_random(&dice, 6), size, &dice);
	job_init(&job, false);
	dot = pair_dot(&job, _i % 2, _i % 3 ? TMAP_NONE : 77);
	svg = draw(dot);
	check_apart(svg, 2 * size);
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

/* Nodes of many sizes are no equal subtrees: the first are drawn. */
START_TEST(a_big_irregular_tree_is_cut)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct job job;
	char *dot, *svg;
	int size = 0;

	for (int n = 0; n < 90; n++) {
		char name[16];
		struct tmap_topology topo;

		snprintf(name, sizeof name, "n%d", n);
		ck_assert_int_eq(tmap_topology_init(&topo, 3 + n, &err), 0);
		ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
		ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), n);
		ck_assert_int_eq(tmap_machine_add_node(machine, name, n, &err), 0);
		size += 3 + n;
	}
	placement_block_take(&job.placement, machine);
	job_init(&job, true);
	dot = tree_dot(&job, 0);
	svg = draw(dot);
	ck_assert_int_le(count_of(svg, "class=\"node\""), 120);
	ck_assert_ptr_nonnull(strstr(svg, " more</text>"));
	ck_assert_ptr_nonnull(strstr(svg, "Double frames: several ranks"));
	ck_assert_int_gt(size, 2048);
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

/* Stretches of many lengths in a row cannot be folded: they are gathered. */
START_TEST(a_big_irregular_ring_is_gathered)
{
	struct dice dice = { 3 };
	struct job job;
	char *dot, *svg;

	placement_random_take(&job.placement, machine_random(&dice, 700), 9000, &dice);
	job_init(&job, true);
	dot = ring_dot(&job);
	svg = draw(dot);
	ck_assert_int_le(count_of(svg, "class=\"edge\""), 64);
	free(dot);
	free(svg);
	job_fini(&job);
}
END_TEST

START_TEST(any_name_is_written_so_that_it_can_be_read)
{
	struct tmap_machine *machine = machine_regular(2, eight_cores);
	struct job job;
	char *dot, *svg;

	/* no host may be called so, but switches are called as somebody likes */
	free(machine->node_name[0]);
	machine->node_name[0] = strdup("a\"b\\c<d>&e\tf");
	placement_block_take(&job.placement, machine);
	job_init(&job, false);
	job.view.title = "A <title> & \"more\"";
	for (int ring = 0; ring < 2; ring++) {
		dot = ring ? ring_dot(&job) : tree_dot(&job, 0);
		svg = draw(dot);
		ck_assert_ptr_nonnull(strstr(svg, ">a&quot;b\\c&lt;d&gt;&amp;e\\tf</text>"));
		ck_assert_ptr_nonnull(strstr(svg, "A &lt;title&gt; &amp; &quot;more&quot;"));
		free(dot);
		free(svg);
	}
	job_fini(&job);
}
END_TEST

START_TEST(ranks_of_the_job_stand_below_those_of_a_sub_communicator)
{
	int world[16];
	struct job job;
	char *dot, *svg;

	for (int r = 0; r < 16; r++)
		world[r] = 100 + 3 * r;
	placement_block_take(&job.placement, machine_zoot());
	job_init(&job, false);
	job.view.world = world;
	for (int ring = 0; ring < 2; ring++) {
		dot = ring ? ring_dot(&job) : tree_dot(&job, 0);
		svg = draw(dot);
		ck_assert_ptr_nonnull(strstr(svg, ">(145)</text>"));
		free(dot);
		free(svg);
	}
	job_fini(&job);
}
END_TEST

START_TEST(what_graphviz_refuses_becomes_one_sentence)
{
	FILE *out = tmpfile();

	err.kind = TMAP_OK;
	ck_assert_int_eq(tmap_graphviz_render("digraph {", "dot", "svg", out, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.text, "the graph cannot be read: Graphviz says 'syntax"));
	ck_assert_ptr_null(strchr(err.text, '\n'));
	ck_assert_int_eq(tmap_graphviz_render("digraph { a }", "dot", "no-such", out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no-such"));
	ck_assert_int_eq(tmap_graphviz_render("digraph { a }", "no-engine", "svg", out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no-engine"));
	ck_assert_int_eq(ftell(out), 0);
	fclose(out);
}
END_TEST

START_TEST(a_picture_may_be_a_bitmap)
{
	char head[8] = "";
	FILE *out = tmpfile();

	ck_assert_int_eq(tmap_graphviz_render("digraph { a -> b }", "dot", "png", out, &err), 0);
	rewind(out);
	ck_assert_uint_eq(fread(head, 1, 8, out), 8);
	ck_assert_int_eq(memcmp(head, "\x89PNG\r\n\x1a\n", 8), 0);
	fclose(out);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("dot");
	TCase *c = tcase_create("dot");

	tcase_add_test(c, a_tree_on_four_nodes_is_no_wider_than_a_screen);
	tcase_add_loop_test(c, trees_of_random_jobs_are_drawn, 0, test_cases(40));
	tcase_add_test(c, a_ring_is_a_circle);
	tcase_add_loop_test(c, rings_of_random_jobs_are_drawn, 0, test_cases(40));
	tcase_add_test(c, a_big_job_is_drawn_folded_and_the_heading_says_so);
	tcase_add_loop_test(c, two_stand_beside_each_other, 0, 2);
	tcase_add_loop_test(c, pairs_of_random_jobs_are_drawn, 0, test_cases(30));
	tcase_add_test(c, a_big_irregular_tree_is_cut);
	tcase_add_test(c, a_big_irregular_ring_is_gathered);
	tcase_add_test(c, any_name_is_written_so_that_it_can_be_read);
	tcase_add_test(c, ranks_of_the_job_stand_below_those_of_a_sub_communicator);
	tcase_add_test(c, what_graphviz_refuses_becomes_one_sentence);
	tcase_add_test(c, a_picture_may_be_a_bitmap);
	tcase_set_timeout(c, 60);
	suite_add_tcase(suite, c);
	return suite;
}
