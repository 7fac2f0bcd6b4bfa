/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selection files of MPICH by release, also of those that are not run.
 * Oracle: what the sources of 4.0.2, 4.1, 4.2.1, 4.3.0 and 5.0.1 read (csel.c and csel_container.c), written
 * down here once more as a reader that is stricter than theirs: the names of algorithms, the tests that
 * topomap writes, their parameters; and that each level ends with what all calls pass. Of these 4.0.2 and
 * 4.2.1 were run (tests/mpi/selections.sh).
 */
#include "core/tune/selection_tuning.h"
#include "formats/rules/mpich_selection.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* "@41": from 4.1 on; "<41": before it. */
static const struct {
	const char *collective, *names;
} readers[] = {
	{ "allgather",
	  "allcomm_nb inter_local_gather_remote_bcast intra_brucks intra_k_brucks@41 "
	  "intra_recexch_doubling@42 intra_recexch_halving@42 intra_recursive_doubling "
	  "intra_ring" },
	{ "allgatherv",
	  "allcomm_nb inter_remote_gather_local_bcast intra_brucks "
	  "intra_recursive_doubling intra_ring" },
	{ "allreduce",
	  "allcomm_nb inter_reduce_exchange_bcast intra_ccl@50 "
	  "intra_k_reduce_scatter_allgather@41 intra_recexch@41 "
	  "intra_recursive_doubling intra_recursive_multiplying@43 "
	  "intra_reduce_scatter_allgather intra_ring@41 intra_smp intra_tree@41" },
	{ "alltoall",
	  "allcomm_nb inter_pairwise_exchange intra_brucks intra_k_brucks@41 "
	  "intra_pairwise intra_pairwise_sendrecv_replace intra_scattered" },
	{ "alltoallv",
	  "allcomm_nb inter_pairwise_exchange intra_pairwise_sendrecv_replace "
	  "intra_scattered" },
	{ "alltoallw",
	  "allcomm_nb inter_pairwise_exchange intra_pairwise_sendrecv_replace "
	  "intra_scattered" },
	{ "barrier",
	  "allcomm_nb inter_bcast intra_dissemination<41 intra_k_dissemination@41 "
	  "intra_recexch@41 intra_smp" },
	{ "bcast",
	  "allcomm_nb inter_remote_send_local_bcast intra_binomial "
	  "intra_pipelined_tree@41 intra_scatter_recursive_doubling_allgather "
	  "intra_scatter_ring_allgather intra_smp intra_tree@41" },
	{ "exscan", "allcomm_nb intra_recursive_doubling" },
	{ "gather", "allcomm_nb inter_linear inter_local_gather_remote_send intra_binomial" },
	{ "gatherv", "allcomm_linear allcomm_nb" },
	{ "iallgather",
	  "inter_sched_local_gather_remote_bcast intra_sched_brucks "
	  "intra_sched_recursive_doubling intra_sched_ring intra_tsp_brucks "
	  "intra_tsp_recexch_doubling intra_tsp_recexch_halving intra_tsp_ring" },
	{ "iallgatherv",
	  "inter_sched_remote_gather_local_bcast intra_sched_brucks "
	  "intra_sched_recursive_doubling intra_sched_ring intra_tsp_brucks "
	  "intra_tsp_recexch_doubling intra_tsp_recexch_halving intra_tsp_ring" },
	{ "iallreduce",
	  "inter_sched_remote_reduce_local_bcast intra_sched_naive "
	  "intra_sched_recursive_doubling intra_sched_reduce_scatter_allgather "
	  "intra_sched_smp intra_tsp_recexch_multiple_buffer "
	  "intra_tsp_recexch_reduce_scatter_recexch_allgatherv "
	  "intra_tsp_recexch_single_buffer intra_tsp_ring intra_tsp_tree" },
	{ "ialltoall",
	  "inter_sched_pairwise_exchange intra_sched_brucks intra_sched_inplace "
	  "intra_sched_pairwise intra_sched_permuted_sendrecv intra_tsp_brucks "
	  "intra_tsp_ring intra_tsp_scattered" },
	{ "ialltoallv",
	  "inter_sched_pairwise_exchange intra_sched_blocked intra_sched_inplace "
	  "intra_tsp_blocked intra_tsp_inplace intra_tsp_scattered" },
	{ "ialltoallw",
	  "inter_sched_pairwise_exchange intra_sched_blocked intra_sched_inplace "
	  "intra_tsp_blocked intra_tsp_inplace" },
	{ "ibarrier",
	  "inter_sched_bcast intra_sched_recursive_doubling intra_tsp_k_dissem@41 "
	  "intra_tsp_recexch" },
	{ "ibcast",
	  "inter_sched_flat intra_sched_binomial "
	  "intra_sched_scatter_recursive_doubling_allgather "
	  "intra_sched_scatter_ring_allgather intra_sched_smp intra_tsp_ring "
	  "intra_tsp_scatterv_recexch_allgatherv intra_tsp_tree" },
	{ "iexscan", "intra_sched_recursive_doubling" },
	{ "igather", "inter_sched_long inter_sched_short intra_sched_binomial intra_tsp_tree" },
	{ "igatherv", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "ineighbor_allgather", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "ineighbor_allgatherv", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "ineighbor_alltoall", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "ineighbor_alltoallv", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "ineighbor_alltoallw", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "ireduce",
	  "inter_sched_local_reduce_remote_send intra_sched_binomial "
	  "intra_sched_reduce_scatter_gather intra_sched_smp intra_tsp_ring "
	  "intra_tsp_tree" },
	{ "ireduce_scatter",
	  "inter_sched_remote_reduce_local_scatterv intra_sched_noncommutative "
	  "intra_sched_pairwise intra_sched_recursive_doubling "
	  "intra_sched_recursive_halving intra_tsp_recexch" },
	{ "ireduce_scatter_block",
	  "inter_sched_remote_reduce_local_scatterv intra_sched_noncommutative "
	  "intra_sched_pairwise intra_sched_recursive_doubling "
	  "intra_sched_recursive_halving intra_tsp_recexch" },
	{ "iscan", "intra_sched_recursive_doubling intra_sched_smp intra_tsp_recursive_doubling" },
	{ "iscatter",
	  "inter_sched_linear inter_sched_remote_send_local_scatter "
	  "intra_sched_binomial intra_tsp_tree" },
	{ "iscatterv", "allcomm_sched_linear allcomm_tsp_linear" },
	{ "neighbor_allgather", "allcomm_nb" },
	{ "neighbor_allgatherv", "allcomm_nb" },
	{ "neighbor_alltoall", "allcomm_nb" },
	{ "neighbor_alltoallv", "allcomm_nb" },
	{ "neighbor_alltoallw", "allcomm_nb" },
	{ "reduce",
	  "allcomm_nb inter_local_reduce_remote_send intra_binomial "
	  "intra_reduce_scatter_gather intra_smp" },
	{ "reduce_scatter",
	  "allcomm_nb inter_remote_reduce_local_scatter intra_noncommutative "
	  "intra_pairwise intra_recursive_doubling intra_recursive_halving" },
	{ "reduce_scatter_block",
	  "allcomm_nb inter_remote_reduce_local_scatter intra_noncommutative "
	  "intra_pairwise intra_recursive_doubling intra_recursive_halving" },
	{ "scan", "allcomm_nb intra_recursive_doubling intra_smp" },
	{ "scatter", "allcomm_nb inter_linear inter_remote_send_local_scatter intra_binomial" },
	{ "scatterv", "allcomm_linear allcomm_nb" },
};

enum { COLLECTIVES = sizeof readers / sizeof *readers };

/* *since and *before of a name of the collective, else false. */
static bool reader_finds(const char *collective, const char *name, int *since, int *before)
{
	size_t length = strlen(name);

	for (int i = 0; i < COLLECTIVES; i++)
		for (const char *at = readers[i].names;
		     *at && strcmp(readers[i].collective, collective) == 0;
		     at += strcspn(at, " "), at += *at == ' ') {
			if (strcspn(at, " @<") != length || strncmp(at, name, length) != 0)
				continue;
			*since = at[length] == '@' ? atoi(at + length + 1) : 0;
			*before = at[length] == '<' ? atoi(at + length + 1) : 0;
			return true;
		}
	return false;
}

START_TEST(algorithms_are_those_that_each_release_reads)
{
	int count = 0;

	for (int row = 0; tmap_mpich_collective_at(row); row++) {
		const char *collective = tmap_mpich_collective_at(row)->word.name, *name;

		for (int i = 1, length; (name = tmap_mpich_algorithm_name(row, i, &length)); i++) {
			const struct tmap_mpich_detail *detail =
				tmap_mpich_algorithm_detail(row, i);
			char text[80];
			int since, before;

			snprintf(text, sizeof text, "%.*s", length, name);
			ck_assert_msg(reader_finds(collective, text, &since, &before), "%s %s",
				      collective, text);
			ck_assert_int_eq(detail->since, since);
			ck_assert_int_eq(detail->before, before);
			count++;
		}
	}
	for (int i = 0; i < COLLECTIVES; i++)
		for (const char *at = readers[i].names; *at; at++)
			count -= at == readers[i].names || *at == ' ';
	ck_assert_int_eq(count, 0);
}
END_TEST

/* Of what files of topomap have. */
static const char *parameters_of(const char *algorithm)
{
	return strcmp(algorithm, "barrier intra_k_dissemination") == 0 ? "k" : "";
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 11;
}

/* Does the reader of every release know such a test? */
static bool is_test(const char *key)
{
	static const char *const whole[] = {
		"comm_type=intra",
		"comm_type=inter",
		"comm_size=pow2",
		"comm_size=any",
		"count<pow2",
		"count=any",
		"is_commutative=yes",
		"is_commutative=no",
		"is_op_built_in=yes",
		"is_op_built_in=no",
		"is_sendbuf_inplace=yes",
		"is_sendbuf_inplace=no",
		"is_block_regular=yes",
		"is_block_regular=no",
		"is_node_consecutive=yes",
		"comm_hierarchy=parent",
	};
	static const char *const begins[] = {
		"comm_size<=",   "count<=",          "avg_msg_size<=",
		"avg_msg_size<", "total_msg_size<=", "total_msg_size<"
	};

	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strcmp(key, whole[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(key, begins[i], strlen(begins[i])) == 0 &&
		    is_number(key + strlen(begins[i])))
			return true;
	return false;
}

/* "algorithm=MPIR_Barrier_intra_smp" below "barrier": one of the release, with all of its parameters. */
static void check_leaf(const char *collective, const char *key, const json_t *value, int release)
{
	char begin[80], algorithm[120];
	const char *parameters, *parameter;
	const json_t *empty;
	int since, before;

	snprintf(begin, sizeof begin, "algorithm=MPIR_%c%s_", toupper(*collective), collective + 1);
	ck_assert_msg(strncmp(key, begin, strlen(begin)) == 0, "%s: %s", collective, key);
	ck_assert_msg(reader_finds(collective, key + strlen(begin), &since, &before), "%s", key);
	ck_assert_msg(since <= release && (!before || release < before), "%s", key);
	snprintf(algorithm, sizeof algorithm, "%s %s", collective, key + strlen(begin));
	parameters = parameters_of(algorithm);
	ck_assert_uint_eq(json_object_size(value), *parameters != '\0');
	json_object_foreach((json_t *)value, parameter, empty)
	{
		size_t length = strlen(parameters);

		ck_assert(strncmp(parameter, parameters, length) == 0 && parameter[length] == '=');
		ck_assert(is_number(parameter + length + 1));
		ck_assert_uint_eq(json_object_size(empty), 0);
	}
}

/* A leaf stands alone; else the last test is one that all calls pass, or the other half of one before it. */
static void check_level(const char *collective, const json_t *level, int release)
{
	const char *key, *last = "";
	const json_t *value;
	size_t count = json_object_size(level);

	ck_assert_uint_gt(count, 0);
	json_object_foreach((json_t *)level, key, value)
	{
		if (strncmp(key, "algorithm=", strlen("algorithm=")) == 0) {
			ck_assert_uint_eq(count, 1);
			check_leaf(collective, key, value, release);
			return;
		}
		ck_assert_msg(is_test(key), "%s: %s", collective, key);
		check_level(collective, value, release);
		last = key;
	}
	ck_assert_msg(strcmp(last + strcspn(last, "="), "=any") == 0 ||
			      (strcmp(last, "comm_type=inter") == 0 &&
			       json_object_get(level, "comm_type=intra")),
		      "%s ends with %s", collective, last);
}

static void check_file(const struct tmap_selection *selection, int release)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	json_t *root;

	ck_assert_int_eq(tmap_mpich_selection_write(selection, out, &err), 0);
	fclose(out);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_uint_eq(json_object_size(root), COLLECTIVES);
	for (int i = 0; i < COLLECTIVES; i++) {
		char key[80];

		snprintf(key, sizeof key, "collective=%s", readers[i].collective);
		check_level(readers[i].collective, json_object_get(root, key), release);
	}
	json_decref(root);
	free(text);
}

/* On one rank a node, and where ranks share nodes. */
START_TEST(files_are_what_the_reader_of_each_release_takes)
{
	static const struct {
		const char *library;
		int first, last;
	} rows[] = { { "mpich", 40, 40 }, { "mpich41", 41, 43 }, { "mpich5", 50, 50 } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int cores = 1; cores < 4; cores += 2) {
			const struct tmap_tune_request request = { .most = 1 << 18,
								   .library = tmap_keywords_find(
									   &tmap_libraries,
									   rows[i].library, &err) };
			static int place[8 * 3];
			struct tmap_placement job = { 0 };
			struct tmap_tune_places places;
			struct tmap_selection selection;
			struct tmap_tuning tuning;

			for (int r = 0; r < 8 * cores; r++)
				place[r] = r;
			placement_seats_take(
				&job,
				machine_regular(8,
						(const struct test_level[]){ { TMAP_CORE, cores },
									     { TMAP_CORE, 0 } }),
				place, 8 * cores);
			ck_assert_int_eq(
				tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
			ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
			ck_assert_int_eq(tmap_selection_init(&selection, &tuning, &err), 0);
			check_file(&selection, rows[i].first);
			check_file(&selection, rows[i].last);
			tmap_selection_fini(&selection);
			tmap_tuning_fini(&tuning);
			tmap_tune_places_fini(&places);
			tmap_placement_fini(&job);
		}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mpich_releases_jansson");
	TCase *mpich_releases = tcase_create("mpich_releases");

	tcase_set_timeout(mpich_releases, 120);
	tcase_add_test(mpich_releases, algorithms_are_those_that_each_release_reads);
	tcase_add_test(mpich_releases, files_are_what_the_reader_of_each_release_takes);
	suite_add_tcase(suite, mpich_releases);
	return suite;
}
