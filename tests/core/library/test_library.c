/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: a table of Open MPI's fixed rules that was extracted from its sources apart from
 * ours, if it is there; and choices worked out by hand from the libraries' sources.
 */
#include "core/algorithms/catalogue.h"
#include "core/library/library.h"
#include "core/library/rules.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct tmap_order one_node = {
	.used_nodes = 1, .ranks_min = 32, .ranks_max = 32, .regular = true, .consecutive = true
};
static const struct tmap_order four_nodes = {
	.used_nodes = 4, .ranks_min = 8, .ranks_max = 8, .regular = true, .consecutive = true
};
static const struct tmap_order two_nodes = {
	.used_nodes = 2, .ranks_min = 8, .ranks_max = 8, .regular = true, .consecutive = true
};
static const struct tmap_order uneven = {
	.used_nodes = 4, .ranks_min = 7, .ranks_max = 9, .consecutive = true
};
static const struct tmap_order one_each = {
	.used_nodes = 32, .ranks_min = 1, .ranks_max = 1, .regular = true, .consecutive = true
};

static const struct {
	const char *library;
	enum tmap_collective collective;
	int size;
	int64_t bytes;
	const struct tmap_order *order;
	const char *algorithm;
} choices[] = {
	{ "openmpi4", TMAP_ALLGATHER, 16, 65536, &four_nodes, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLGATHER, 24, 65536, &four_nodes, "bruck" },
	{ "openmpi4", TMAP_ALLGATHER, 32, 1023, &four_nodes, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLGATHER, 32, 1024, &four_nodes, "neighbor_exchange" },
	{ "openmpi4", TMAP_ALLGATHER, 33, 1024, &four_nodes, "ring" },
	{ "openmpi4", TMAP_ALLGATHER, 32, 65536, &four_nodes, "ring" },
	{ "openmpi4", TMAP_BCAST, 32, 1024, &four_nodes, "binomial_near" },
	{ "openmpi4", TMAP_BCAST, 32, 2048, &four_nodes, "knomial" },
	{ "openmpi4", TMAP_ALLREDUCE, 32, 1 << 20, &four_nodes, "rabenseifner" },
	{ "openmpi4", TMAP_SCAN, 32, 8, &four_nodes, "linear" },
	{ "openmpi4", TMAP_ALLREDUCE, 128, 1024, &four_nodes,
	  "reduce_bcast,reduce=binomial_far,bcast=binary" },
	{ "openmpi4", TMAP_ALLREDUCE, 300, 1024, &four_nodes,
	  "reduce_bcast,reduce=binomial_far,bcast=knomial" },
	{ "openmpi4", TMAP_REDUCE_SCATTER, 64, 200, &four_nodes,
	  "reduce_and_scatter,reduce=binomial_far,scatter=linear" },
	{ "openmpi4", TMAP_REDUCE_SCATTER_BLOCK, 20, 16, &one_node,
	  "reduce_and_scatter,reduce=binary,scatter=binomial_far" },
	{ "openmpi4", TMAP_REDUCE_SCATTER_BLOCK, 4, 8, &one_node, "recursive_doubling" },
	{ "openmpi4", TMAP_REDUCE_SCATTER_BLOCK, 5, 8, &one_node, "" },
	/* one double: fewer elements than ranks */
	{ "openmpi4", TMAP_ALLREDUCE, 4, 8, &one_node, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLREDUCE, 7, 8, &one_node, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLREDUCE, 16, 8, &one_node, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLREDUCE, 63, 8, &one_node, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLREDUCE, 2, 16, &one_node, "recursive_doubling" },
	{ "openmpi4", TMAP_ALLREDUCE, 2, 4096, &one_node, "ring" },
	{ "openmpi4", TMAP_ALLREDUCE, 32, 128, &one_node, "reduce_bcast,reduce=flat,bcast=flat" },
	{ "openmpi4", TMAP_ALLREDUCE, 32, 256, &one_node, "rabenseifner" },
	{ "openmpi4", TMAP_REDUCE, 3, 4, &one_node, "flat" },
	{ "openmpi5", TMAP_ALLGATHER, 32, 65536, &four_nodes,
	  "hierarchical,levels=node,inner=recursive_doubling,gather=binomial_far,bcast=flat" },
	{ "openmpi5", TMAP_ALLGATHER, 32, 100, &four_nodes,
	  "hierarchical,levels=node,inner=recursive_doubling,gather=binomial_far,bcast=knomial" },
	{ "openmpi5", TMAP_GATHER, 32, 100, &four_nodes,
	  "hierarchical,levels=node,inner=binomial_far+binomial_far" },
	{ "openmpi5", TMAP_SCATTER, 32, 1000, &four_nodes,
	  "hierarchical,levels=node,inner=binomial_far+binomial_far" },
	{ "openmpi5", TMAP_BCAST, 32, 65536, &four_nodes,
	  "hierarchical,levels=node,inner=flat+flat" },
	{ "openmpi5", TMAP_BCAST, 32, 65537, &four_nodes, "" },
	{ "openmpi5", TMAP_BCAST, 32, 1 << 20, &four_nodes,
	  "smp,between=flat,within=flat,segment=65536,later=flat" },
	{ "openmpi5", TMAP_REDUCE, 32, 24, &four_nodes,
	  "hierarchical,levels=node,inner=binomial_far+binary" },
	{ "openmpi5", TMAP_REDUCE, 32, 32, &four_nodes,
	  "hierarchical,levels=node,inner=rabenseifner+binary" },
	{ "openmpi5", TMAP_REDUCE, 32, 65536, &four_nodes,
	  "hierarchical,levels=node,inner=rabenseifner+binomial_far" },
	{ "openmpi5", TMAP_REDUCE, 32, 131072, &four_nodes,
	  "smp,between=rabenseifner,within=binomial_far,segment=65536" },
	{ "openmpi5", TMAP_ALLREDUCE, 32, 8, &four_nodes,
	  "smp,reduce=binary,up=binomial_far,down=flat,bcast=binary" },
	{ "openmpi5", TMAP_ALLREDUCE, 16, 1 << 20, &two_nodes,
	  "smp,reduce=binomial_far,up=binomial_far,down=flat,bcast=flat,segment=65536,piece=8192" },
	{ "openmpi5", TMAP_ALLREDUCE, 32, 64, &uneven, "" },
	{ "openmpi5", TMAP_BARRIER, 32, 0, &four_nodes,
	  "smp,between=linear,within=recursive_doubling" },
	{ "openmpi5", TMAP_REDUCE_SCATTER_BLOCK, 32, 8, &four_nodes, "" },
	{ "openmpi5", TMAP_ALLGATHER, 32, 65536, &uneven, "ring" },
	{ "openmpi5", TMAP_ALLGATHER, 32, 65536, &one_node, "ring" },
	{ "openmpi5", TMAP_ALLGATHER, 32, 65536, &one_each, "ring" },
	{ "openmpi5", TMAP_BCAST, 32, 1024, &uneven, "binomial_near" },
	{ "openmpi5", TMAP_ALLTOALL, 32, 256, &four_nodes, "bruck" },
	{ "mpich", TMAP_ALLGATHER, 32, 16383, &four_nodes, "recursive_doubling" },
	{ "mpich", TMAP_ALLGATHER, 32, 16384, &four_nodes, "ring" },
	{ "mpich", TMAP_ALLGATHER, 10, 8191, &four_nodes, "bruck" },
	{ "mpich", TMAP_ALLGATHER, 10, 8192, &four_nodes, "ring" },
	{ "mpich", TMAP_BCAST, 32, 12288, &one_node, "binomial_far" },
	{ "mpich", TMAP_BCAST, 32, 12288, &one_each, "binomial_far" },
	{ "mpich", TMAP_BCAST, 32, 12289, &one_each, "scatter_allgather" },
	{ "mpich", TMAP_BCAST, 4, 1 << 20, &one_node, "binomial_far" },
	{ "mpich", TMAP_BCAST, 32, 524288, &four_nodes, "scatter_allgather" },
	{ "mpich", TMAP_BCAST, 32, 524289, &four_nodes, "scatter_ring" },
	{ "mpich", TMAP_BCAST, 33, 12287, &four_nodes,
	  "hierarchical,levels=node,inner=binomial_far+binomial_far" },
	{ "mpich", TMAP_BCAST, 33, 12288, &four_nodes, "binomial_far" },
	{ "mpich", TMAP_ALLREDUCE, 32, 8, &one_node, "recursive_doubling" },
	{ "mpich", TMAP_ALLREDUCE, 32, 8, &one_each, "recursive_doubling" },
	{ "mpich", TMAP_ALLREDUCE, 32, 9, &one_each, "recursive_doubling" },
	{ "mpich", TMAP_ALLREDUCE, 32, 248, &one_each, "recursive_doubling" },
	{ "mpich", TMAP_ALLREDUCE, 32, 256, &one_each, "rabenseifner,fold=mpich" },
	{ "mpich", TMAP_ALLREDUCE, 32, 256, &four_nodes,
	  "hierarchical,levels=node,inner=rabenseifner,reduce=binomial_far,bcast=binomial_far" },
	{ "mpich", TMAP_ALLREDUCE, 32, 8, &uneven,
	  "hierarchical,levels=node,inner=recursive_doubling,reduce=binomial_far,bcast=binomial_far" },
	{ "mpich", TMAP_ALLREDUCE, 33, 65536, &uneven, "" },
	/* cut in equal parts, where Open MPI halves */
	{ "mpich", TMAP_REDUCE, 32, 8 * 1009, &four_nodes,
	  "hierarchical,levels=node,inner=rabenseifner_mpich+rabenseifner_mpich" },
	{ "mpich", TMAP_REDUCE, 32, 65536, &uneven,
	  "hierarchical,levels=node,inner=rabenseifner+rabenseifner_mpich" },
	{ "mpich", TMAP_BARRIER, 32, 0, &one_node,
	  "smp,between=dissemination,within=dissemination,release=binomial_far" },
	{ "mpich", TMAP_BARRIER, 32, 0, &one_each, "dissemination" },
	{ "mpich", TMAP_ALLTOALL, 8, 16, &one_each, "spread" },
	{ "mpich", TMAP_SCAN, 32, 9, &one_node,
	  "smp,between=recursive_doubling,within=recursive_doubling,bcast=binomial_far" },
	{ "mpich", TMAP_SCAN, 32, 9, &one_each, "recursive_doubling" },
	{ "mpich", TMAP_SCAN, 32, 9, &four_nodes,
	  "smp,between=recursive_doubling,within=recursive_doubling,bcast=binomial_far" },
	{ "mpich", TMAP_BCAST, 33, 12289, &one_node, "scatter_ring" },
	{ "mpich", TMAP_BCAST, 32, 524289, &one_node, "scatter_ring" },
	{ "mpich", TMAP_BCAST, 32, 12289, &four_nodes,
	  "hierarchical,levels=node,inner=binomial_far+scatter_allgather" },
	{ "mpich", TMAP_ALLTOALL, 32, 256, &four_nodes, "bruck" },
	{ "mpich", TMAP_ALLTOALL, 32, 257, &four_nodes, "spread" },
	{ "mpich", TMAP_ALLTOALL, 32, 32769, &four_nodes, "pairwise_xor" },
	{ "mpich", TMAP_ALLTOALL, 33, 32769, &four_nodes, "pairwise" },
	{ "ucc", TMAP_ALLREDUCE, 32, 8, &four_nodes, "" },
	{ "openmpi6", TMAP_ALLREDUCE, 32, 8, &four_nodes,
	  "smp,reduce=binary,up=binomial_far,down=flat,bcast=binary" },
	{ "openmpi6", TMAP_ALLTOALL, 32, 256, &four_nodes, "" },
	{ "openmpi6", TMAP_ALLTOALL, 32, 256, &one_node, "bruck" },
	{ "mpich5", TMAP_ALLTOALL, 32, 257, &four_nodes, "spread" },
	{ "mpich", TMAP_ALLREDUCE, 1, 8, &one_node, "" },
};

START_TEST(choices_are_those_of_the_sources)
{
	const struct tmap_library_call question = {
		choices[_i].collective, choices[_i].size, choices[_i].bytes, 0, 0, choices[_i].order
	};
	int library = tmap_keywords_find(&tmap_libraries, choices[_i].library, &err);
	struct tmap_library_choice answer;

	ck_assert_int_ne(library, TMAP_NONE);
	answer = tmap_library_choose(library, &question);
	ck_assert_str_eq(answer.algorithm, choices[_i].algorithm);
	ck_assert_ptr_nonnull(answer.how);
}
END_TEST

/* Whatever is asked of so many ranks, what is answered is in the catalogue and runs there. */
static void check_answers(int library, const struct tmap_placement *p)
{
	struct tmap_metric metric;
	struct tmap_order order;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_order_find(&order, p, &err), 0);
	for (int c = 0; c <= TMAP_BARRIER; c++)
		for (int log = 0; log < 31; log++) {
			struct tmap_library_call question = {
				(enum tmap_collective)c, p->size, (int64_t)1 << log, 0, 0, &order
			};
			struct tmap_library_choice answer = tmap_library_choose(library, &question);
			struct tmap_call call = { .size = p->size,
						  .bytes = question.bytes,
						  .metric = &metric };

			if (answer.algorithm[0] &&
			    (tmap_call_parse(&call, question.collective, answer.algorithm, &err) <
				     0 ||
			     tmap_call_check(&call, &err) < 0))
				ck_abort_msg("%d ranks: %s", p->size, err.text);
		}
	tmap_metric_fini(&metric);
}

START_TEST(every_answer_is_a_row_that_can_run)
{
	static const int sizes[][2] = {
		/* nodes, ranks a node */
		{ 1, 1 }, { 1, 2 },   { 1, 7 },   { 1, 64 },   { 1, 700 },  { 2, 1 },
		{ 5, 1 }, { 300, 1 }, { 2, 2 },   { 2, 3 },    { 3, 2 },    { 4, 8 },
		{ 7, 5 }, { 16, 20 }, { 33, 33 }, { 100, 40 }, { 2, 2500 },
	};

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		int nodes = sizes[i][0], each = sizes[i][1];

		for (int less = 0; less <= (nodes > 1 && each > 1); less++) {
			struct tmap_placement p;

			placement_on_take(&p,
					  machine_regular(nodes,
							  (const struct test_level[]){
								  { TMAP_CORE, each }, { 0 } }),
					  nodes * each - less);
			for (int r = 0; r < p.size; r++)
				placement_seat_pu(&p, r, r / each, r % each);
			check_answers(_i, &p);
			tmap_placement_fini(&p);
		}
	}
}
END_TEST

/* Where the libraries' own sources go by nodes: coll/han on several nodes with several ranks, and
 * what of it wants equally many; ch4's compositions wherever ranks share a node. */
static const struct {
	enum tmap_collective collective;
	const struct tmap_order *order;
	bool openmpi;
	const char *mpich;
} wholes[] = {
	{ TMAP_ALLGATHER, &four_nodes, true, NULL },
	{ TMAP_ALLGATHER, &uneven, false, NULL },
	{ TMAP_ALLGATHER, &one_node, false, NULL },
	{ TMAP_BCAST, &uneven, false, "MPIR_CVAR_BCAST_COMPOSITION=3" },
	{ TMAP_BCAST, &one_node, false, "MPIR_CVAR_BCAST_COMPOSITION=3" },
	{ TMAP_BCAST, &one_each, false, NULL },
	{ TMAP_ALLREDUCE, &four_nodes, true, "MPIR_CVAR_ALLREDUCE_COMPOSITION=2" },
	{ TMAP_ALLTOALL, &four_nodes, false, NULL },
};

START_TEST(options_say_that_libraries_shall_not_go_by_nodes)
{
	struct tmap_library_whole whole =
		tmap_library_whole(wholes[_i].collective, wholes[_i].order);

	ck_assert_pstr_eq(whole.openmpi, wholes[_i].openmpi ? "--mca coll_han_priority 0" : NULL);
	ck_assert_pstr_eq(whole.mpich, wholes[_i].mpich);
}
END_TEST

START_TEST(libraries_are_known_by_what_they_call_themselves)
{
	ck_assert_int_eq(tmap_library_of("Open MPI v4.1.4"),
			 tmap_keywords_find(&tmap_libraries, "openmpi4", &err));
	ck_assert_int_eq(tmap_library_of("Open MPI v5.0.10"),
			 tmap_keywords_find(&tmap_libraries, "openmpi5", &err));
	ck_assert_int_eq(tmap_library_of("MPICH 4.2.3"),
			 tmap_keywords_find(&tmap_libraries, "mpich", &err));
	ck_assert_int_eq(tmap_library_of("Open MPI v6.0.0"),
			 tmap_keywords_find(&tmap_libraries, "openmpi6", &err));
	ck_assert_int_eq(tmap_library_of("MPICH 5.0.1"),
			 tmap_keywords_find(&tmap_libraries, "mpich5", &err));
	ck_assert_int_eq(tmap_library_of("MPICH 3.4.3"), TMAP_NONE);
	ck_assert_int_eq(tmap_library_of("Open MPI v4.0.3"), TMAP_NONE);
	ck_assert_int_eq(tmap_library_of("CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)"),
			 TMAP_NONE);
	ck_assert_int_eq(tmap_library_of(""), TMAP_NONE);
}
END_TEST

/* The first row of the table that fits; 0: none. */
static int look_up(FILE *table, const char *collective, int size, int64_t bytes)
{
	char line[200], who[20], what[40], how[40], ranks[20], limit[30];
	int algorithm;

	rewind(table);
	while (fgets(line, sizeof line, table)) {
		bool fits_size, fits_bytes;

		if (*line == '#' ||
		    sscanf(line, "%19s %39s %39s %19s %29s %d", who, what, how, ranks, limit,
			   &algorithm) != 6 ||
		    strcmp(who, "all") != 0 || strcmp(what, collective) != 0 ||
		    strcmp(how, "noncommutative") == 0)
			continue;
		fits_size = strcmp(ranks, "inf") == 0 || size < atoi(ranks) ||
			(strncmp(ranks, "eq", 2) == 0 && size == atoi(ranks + 2));
		fits_bytes = strcmp(limit, "inf") == 0 || bytes < atoll(limit);
		if (fits_size && fits_bytes)
			return algorithm;
	}
	return 0;
}

START_TEST(fixed_rules_are_those_of_the_table)
{
	static const int ranks[] = { 2,   3,    4,    7,    8,    15,   16,   31,
				     32,  63,   64,   127,  128,  255,  256,  511,
				     512, 1023, 1024, 2047, 2048, 4095, 4096, 100000 };
	const char *collective = tmap_collective_rows[_i].word.name;
	char path[4096];
	FILE *table;

	snprintf(path, sizeof path, "%s/tables/ompi_tuned_fixed_rules.tsv", test_data());
	table = fopen(path, "r");
	ck_assert_ptr_nonnull(table);
	for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
		for (int64_t bytes = 1; bytes <= (int64_t)1 << 24; bytes *= 2)
			for (int64_t b = bytes - 1; b <= bytes; b++) {
				int told = tmap_tuned_number((enum tmap_collective)_i, ranks[i], b);
				int wanted = look_up(table, collective, ranks[i], b);

				if (told != wanted)
					ck_abort_msg("%s of %" PRId64
						     " bytes, %d ranks: %d instead of "
						     "%d",
						     collective, b, ranks[i], told, wanted);
			}
	fclose(table);
}
END_TEST

static bool has_table(void)
{
	char path[4096];
	FILE *table;

	if (!test_data())
		return false;
	snprintf(path, sizeof path, "%s/tables/ompi_tuned_fixed_rules.tsv", test_data());
	table = fopen(path, "r");
	if (table)
		fclose(table);
	return table != NULL;
}

Suite *test_suite(void)
{
	Suite *suite = suite_create("library");
	TCase *tests = tcase_create("library");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, choices_are_those_of_the_sources, 0,
			    (int)(sizeof choices / sizeof choices[0]));
	tcase_add_loop_test(tests, every_answer_is_a_row_that_can_run, 0, 4);
	tcase_add_loop_test(tests, options_say_that_libraries_shall_not_go_by_nodes, 0,
			    (int)(sizeof wholes / sizeof wholes[0]));
	tcase_add_test(tests, libraries_are_known_by_what_they_call_themselves);
	if (has_table())
		tcase_add_loop_test(tests, fixed_rules_are_those_of_the_table, 0,
				    TMAP_COLLECTIVE_COUNT);
	else
		test_skip("no table of Open MPI's fixed rules to compare with");
	suite_add_tcase(suite, tests);
	return suite;
}
