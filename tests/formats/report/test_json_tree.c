/* Tree and ring documents. Oracle: the contract's members in their order, written by hand for
 * small cases; and that what is written reads back the same. */
#include "core/base/mem.h"
#include "formats/report/ring/json_ring.h"
#include "formats/report/tree/json_tree.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tmap_error err;
static char path[] = "/tmp/topomap-test-XXXXXX";

static void make_file(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void remove_file(void)
{
	unlink(path);
}

static void put(const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static char *tree_text(const struct tmap_tree *tree)
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	ck_assert_msg(tmap_tree_write_json(tree, "process", NULL, file, &err) == 0, "%s",
		      printed(&err));
	fclose(file);
	return text;
}

static char *ring_text(const struct tmap_ring *ring)
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	ck_assert_msg(tmap_ring_write_json(ring, "level", NULL, file, &err) == 0, "%s",
		      printed(&err));
	fclose(file);
	return text;
}

START_TEST(a_tree_is_written_as_the_contract_says)
{
	int parent[] = { 2, 0, TMAP_NONE, 2 };
	double distance[] = { 5, 1, 0, 0.5 };
	struct tmap_tree tree = { 4, 2, parent, distance, NULL };
	char *text = tree_text(&tree);

	ck_assert_str_eq(text,
			 "{\n"
			 "  \"kind\": \"tree\",\n"
			 "  \"format\": 1,\n"
			 "  \"size\": 4,\n"
			 "  \"root\": 2,\n"
			 "  \"scale\": \"process\",\n"
			 "  \"parent\": [2,0,-1,2],\n"
			 "  \"distance\": [5,1,0,0.5],\n"
			 "  \"weight\": 6.5,\n"
			 "  \"depth\": 2,\n"
			 "  \"fanout\": 2,\n"
			 "  \"edges_per_distance\": {\"0.5\": 1, \"1\": 1, \"5\": 1}\n"
			 "}\n");
	free(text);
}
END_TEST

START_TEST(a_ring_is_written_as_the_contract_says)
{
	static const char *const arrays[] = {
		"\"size\": 1,\n  \"scale\": \"level\",\n  \"order\": [0],\n  \"distance\": [],\n"
		"  \"weight\": 0,\n  \"edges_per_distance\": {}\n",
		"\"size\": 2,\n  \"scale\": \"level\",\n  \"order\": [0,1],\n  \"distance\": [3,3],\n"
		"  \"weight\": 6,\n  \"edges_per_distance\": {\"3\": 2}\n",
		"\"size\": 3,\n  \"scale\": \"level\",\n  \"order\": [0,2,1],\n"
		"  \"distance\": [3,3,3],\n  \"weight\": 9,\n  \"edges_per_distance\": {\"3\": 3}\n",
	};
	int one_two[] = { 0, 1 }, three[] = { 0, 2, 1 };
	double distance[] = { 3, 3, 3 };
	struct tmap_ring ring = { _i + 1, _i < 2 ? one_two : three, distance };
	char *text = ring_text(&ring), *expected;

	expected = tmap_format(&err, "{\n  \"kind\": \"ring\",\n  \"format\": 1,\n  %s}\n",
			       arrays[_i]);
	ck_assert_str_eq(text, expected);
	free(text);
	free(expected);
}
END_TEST

START_TEST(random_trees_and_rings_read_back_equal)
{
	struct dice dice = { 5 };

	for (int i = 0; i < 300; i++) {
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_tree tree, tree_back;
		struct tmap_ring ring, ring_back;
		char *text, *scale;
		size_t size;

		placement_random_take(&p, machine_random(&dice, 9), 1 + dice_roll(&dice, 40),
				      &dice);
		size = (size_t)p.size;
		ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_LEVEL, &err), 0);
		ck_assert_int_eq(tmap_tree_init(&tree, &metric, dice_roll(&dice, p.size), &err), 0);
		ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
		put(text = tree_text(&tree));
		free(text);
		ck_assert_msg(tmap_tree_read_json(&tree_back, &scale, path, &err) == 0, "%s",
			      printed(&err));
		ck_assert_str_eq(scale, "process");
		free(scale);
		ck_assert_int_eq(tree_back.size, tree.size);
		ck_assert_int_eq(tree_back.root, tree.root);
		ck_assert_mem_eq(tree_back.parent, tree.parent, size * sizeof(int));
		ck_assert_mem_eq(tree_back.distance, tree.distance, size * sizeof(double));
		put(text = ring_text(&ring));
		free(text);
		ck_assert_msg(tmap_ring_read_json(&ring_back, NULL, path, &err) == 0, "%s",
			      printed(&err));
		ck_assert_int_eq(ring_back.size, ring.size);
		ck_assert_mem_eq(ring_back.order, ring.order, size * sizeof(int));
		ck_assert_mem_eq(ring_back.distance, ring.distance,
				 (size_t)tmap_ring_steps(&ring) * sizeof(double));
		tmap_tree_fini(&tree);
		tmap_tree_fini(&tree_back);
		tmap_ring_fini(&ring);
		tmap_ring_fini(&ring_back);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

#define TREE(members) "{\"kind\": \"tree\", \"format\": 1, \"scale\": \"process\", " members "}"
#define RING(members) "{\"kind\": \"ring\", \"format\": 1, \"scale\": \"process\", " members "}"

static const struct {
	const char *text, *message;
} wrong_trees[] = {
	{ RING("\"size\": 1"), "a tree document is expected, this is a ring document" },
	{ TREE("\"size\": 0, \"root\": 0"), "size: 0 is less than 1" },
	{ TREE("\"size\": 3, \"root\": 3"), "root: 3 is not one of the 3 ranks" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 0], \"distance\": [0, 1, 1]"),
	  "parent: the list has 2 numbers where there must be 3" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 0, 0], \"distance\": [0, 1]"),
	  "distance: the array has 2 numbers where there must be 3" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 0, 0], \"distance\": [0, 1, -1]"),
	  "distance[2]: -1 is less than 0" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 0, 0], \"distance\": [0, 1, \"1\"]"),
	  "distance[2]: a number is expected, this is a string" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 0, 3], \"distance\": [0, 1, 1]"),
	  "parent[2]: 3 is not in -1-2" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [1, 0, 0], \"distance\": [0, 1, 1]"),
	  "the root, rank 0, has the parent 1" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 0, 0], \"distance\": [1, 1, 1]"),
	  "the root, rank 0, has a distance to a parent" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, -1, 0], \"distance\": [0, 1, 1]"),
	  "rank 1 has no parent, but the root is 0" },
	{ TREE("\"size\": 3, \"root\": 0, \"parent\": [-1, 1, 0], \"distance\": [0, 1, 1]"),
	  "rank 1 is its own ancestor" },
	{ TREE("\"size\": 5, \"root\": 0, \"parent\": [-1, 0, 3, 4, 2], "
	       "\"distance\": [0, 1, 1, 1, 1]"),
	  "rank 2 is its own ancestor" },
	{ TREE("\"size\": 5, \"root\": 0, \"parent\": [-1, 2, 3, 4, 3], "
	       "\"distance\": [0, 1, 1, 1, 1]"),
	  "rank 3 is its own ancestor" },
	{ TREE("\"size\": 2000000000, \"root\": 0, \"parent\": \"0x2000000000\", "
	       "\"distance\": [0]"),
	  "distance: the array has 1 numbers where there must be 2000000000" },
}, wrong_rings[] = {
	{ TREE("\"size\": 1"), "a ring document is expected, this is a tree document" },
	{ RING("\"size\": 3, \"order\": [0, 1, 1], \"distance\": [1, 1, 1]"),
	  "rank 1 is in the order twice" },
	{ RING("\"size\": 3, \"order\": [1, 0, 2], \"distance\": [1, 1, 1]"),
	  "the order begins with rank 1, not with rank 0" },
	{ RING("\"size\": 3, \"order\": [0, 1, 3], \"distance\": [1, 1, 1]"),
	  "order[2]: 3 is not in 0-2" },
	{ RING("\"size\": 3, \"order\": [0, 1, 2], \"distance\": [1, 1]"),
	  "distance: the array has 2 numbers where there must be 3" },
	{ RING("\"size\": 1, \"order\": [0], \"distance\": [0]"),
	  "distance: the array has 1 numbers where there must be 0" },
};

START_TEST(what_is_no_tree_is_refused)
{
	char *message = tmap_format(&err, "%s: %s", path, wrong_trees[_i].message);
	struct tmap_tree tree;

	put(wrong_trees[_i].text);
	ck_assert_int_eq(tmap_tree_read_json(&tree, NULL, path, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), message);
	free(message);
}
END_TEST

START_TEST(what_is_no_ring_is_refused)
{
	char *message = tmap_format(&err, "%s: %s", path, wrong_rings[_i].message);
	struct tmap_ring ring;

	put(wrong_rings[_i].text);
	ck_assert_int_eq(tmap_ring_read_json(&ring, NULL, path, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), message);
	free(message);
}
END_TEST

START_TEST(a_deep_tree_is_read_in_linear_time)
{
	enum { SIZE = 300000 };
	int *parent = malloc(SIZE * sizeof *parent);
	double *distance = malloc(SIZE * sizeof *distance);
	struct tmap_tree tree = { SIZE, SIZE - 1, parent, distance, NULL }, back;
	char *text;

	for (int r = 0; r < SIZE; r++) {
		parent[r] = r + 1 < SIZE ? r + 1 : TMAP_NONE;
		distance[r] = r + 1 < SIZE;
	}
	put(text = tree_text(&tree));
	ck_assert_ptr_nonnull(strstr(text, "\"depth\": 299999,"));
	ck_assert_msg(tmap_tree_read_json(&back, NULL, path, &err) == 0, "%s", printed(&err));
	ck_assert_mem_eq(back.parent, parent, SIZE * sizeof *parent);
	tmap_tree_fini(&back);
	free(text);
	free(parent);
	free(distance);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table)[0])

Suite *test_suite(void)
{
	Suite *suite = suite_create("json_tree");
	TCase *tests = tcase_create("json_tree");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, make_file, remove_file);
	tcase_add_test(tests, a_tree_is_written_as_the_contract_says);
	tcase_add_loop_test(tests, a_ring_is_written_as_the_contract_says, 0, 3);
	tcase_add_test(tests, random_trees_and_rings_read_back_equal);
	tcase_add_loop_test(tests, what_is_no_tree_is_refused, 0, COUNT(wrong_trees));
	tcase_add_loop_test(tests, what_is_no_ring_is_refused, 0, COUNT(wrong_rings));
	tcase_add_test(tests, a_deep_tree_is_read_in_linear_time);
	suite_add_tcase(suite, tests);
	return suite;
}
