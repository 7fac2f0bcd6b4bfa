/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that share one placement and one set of distances, and make and release what they like of
 * them: all get what one thread gets. With SANITIZE=thread the sanitizer is the oracle, too. */
#include "tests/unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>

enum { THREADS = 8, ROUNDS = 20, SIZE = 64 };

static struct topomap_placement *shared;
static struct topomap_distances *distances;
static int parent[SIZE];
static char *document;
static size_t document_length;

/* Everything that can be made from the shared handles. NULL, or @p arg where something else
 * came. */
static void *work(void *arg)
{
	int number = *(int *)arg;
	struct topomap_error err;

	for (int i = 0; i < ROUNDS; i++) {
		struct topomap_tree *tree = topomap_tree_new(distances, 0, &err);
		struct topomap_ring *ring = topomap_ring_new(distances, &err);
		struct topomap_hierarchy *h = topomap_hierarchy_new(shared, NULL, 0, "idle", &err);
		struct topomap_lanes *lanes = topomap_lanes_new(shared, 0, &err);
		struct topomap_call *call = topomap_call_new("bcast", NULL, SIZE, 1024, 0, &err);
		struct topomap_score *score = topomap_score_new(shared, call, NULL, &err);
		const int half[] = { number, number + 8, number + 16 };
		struct topomap_placement *part = topomap_placement_subset(shared, half, 3, &err);
		struct topomap_placement *read;
		char *text = NULL;
		size_t length = 0;
		FILE *out = open_memstream(&text, &length);
		bool right = tree && ring && h && lanes && score && part && out &&
			memcmp(topomap_tree_parents(tree, NULL), parent, sizeof parent) == 0 &&
			topomap_placement_write(shared, out, &err) == 0;

		if (out)
			fclose(out);
		right = right && length == document_length && memcmp(text, document, length) == 0 &&
			(read = topomap_placement_parse(text, length, &err)) != NULL;
		if (right)
			topomap_placement_free(read);
		right = right && !topomap_tree_new(distances, SIZE + number, &err) &&
			strstr(err.text, "is not one of the 64 ranks");
		free(text);
		topomap_placement_free(part);
		topomap_score_free(score);
		topomap_call_free(call);
		topomap_lanes_free(lanes);
		topomap_hierarchy_free(h);
		topomap_ring_free(ring);
		topomap_tree_free(tree);
		if (!right)
			return arg;
	}
	return NULL;
}

START_TEST(threads_that_share_handles_do_not_disturb_each_other)
{
	const char *line = "node:4 package:2 core:8";
	struct topomap_error err;
	struct topomap_machine *machine = topomap_machine_read(&line, 1, &err);
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;
	struct topomap_tree *tree;
	pthread_t thread[THREADS];
	int number[THREADS];
	FILE *out;

	launch.map_by = "node";
	ck_assert_ptr_nonnull(shared = topomap_placement_launch(machine, &launch, &err));
	topomap_machine_free(machine);
	ck_assert_ptr_nonnull(distances = topomap_distances_new(shared, "process", NULL, &err));
	ck_assert_ptr_nonnull(tree = topomap_tree_new(distances, 0, &err));
	memcpy(parent, topomap_tree_parents(tree, &err), sizeof parent);
	topomap_tree_free(tree);
	ck_assert_ptr_nonnull(out = open_memstream(&document, &document_length));
	ck_assert_int_eq(topomap_placement_write(shared, out, &err), 0);
	fclose(out);
	for (int t = 0; t < THREADS; t++) {
		number[t] = t;
		ck_assert_int_eq(pthread_create(&thread[t], NULL, work, &number[t]), 0);
	}
	for (int t = 0; t < THREADS; t++) {
		void *wrong;

		ck_assert_int_eq(pthread_join(thread[t], &wrong), 0);
		ck_assert_ptr_null(wrong);
	}
	free(document);
	topomap_distances_free(distances);
	topomap_placement_free(shared);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("threads of libtopomap");
	TCase *tcase = tcase_create("all");

	tcase_add_test(tcase, threads_that_share_handles_do_not_disturb_each_other);
	suite_add_tcase(suite, tcase);
	return suite;
}
