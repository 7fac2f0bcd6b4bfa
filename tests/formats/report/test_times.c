/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The times document, and launches joined. Oracles: values written down here; the statistics of all
 * medians at once; a text that is wrong in one place, and the member that it names.
 */
#include "core/base/mem.h"
#include "core/measure/left_out.h"
#include "formats/report/times/keeping_report.h"
#include "formats/report/times/like_report.h"
#include "formats/report/times/times_read.h"
#include "formats/report/times/times_report.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static char *text_of(const struct tmap_times *times,
		     int (*write)(FILE *, const struct tmap_times *, struct tmap_error *))
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(write(out, times, &err), 0);
	fclose(out);
	return text;
}

static void add(struct tmap_times *times, enum tmap_collective collective, const char *algorithm,
		int64_t bytes, double median)
{
	struct tmap_experiment it = { .collective = collective,
				      .algorithm = strdup(algorithm),
				      .mode = TMAP_BLOCKING,
				      .bytes = bytes,
				      .repetitions = 10,
				      .is_correct = true,
				      .run_count = 1,
				      .run = malloc(sizeof(double)) };

	it.run[0] = median;
	it.seconds = (struct tmap_sample_statistics){ .min = median / 2,
						      .q1 = median,
						      .median = median,
						      .q3 = median,
						      .max = 2 * median,
						      .mean = median,
						      .has_interval = true,
						      .low = median,
						      .high = median };
	ck_assert_int_eq(tmap_times_add_take(times, &it, &err), 0);
}

/* Four ranks on two nodes of two cores. */
static struct tmap_times launch(const char *date)
{
	static const struct test_level levels[] = { { TMAP_CORE, 2 }, { 0, 0 } };
	struct tmap_times times = { .mpi = strdup("MPICH 4.0.2"),
				    .date = strdup(date),
				    .sync = strdup("barrier") };

	placement_block_take(&times.placement, machine_regular(2, levels));
	return times;
}

START_TEST(what_is_written_is_read_again)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), again;
	char *text, *other;

	add(&times, TMAP_ALLGATHER, "bruck,radix=4", 8, 1e-6);
	add(&times, TMAP_BARRIER, "native", 0, 2e-6);
	times.experiment[0].raw = calloc(10, sizeof(double));
	times.experiment[1].is_correct = false;
	times.experiment[1].seconds.has_interval = false;
	text = text_of(&times, tmap_json_write_times);
	ck_assert_msg(tmap_times_parse_json(&again, text, strlen(text), "text", &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(again.count, 2);
	ck_assert_str_eq(again.experiment[0].algorithm, "bruck,radix=4");
	ck_assert_int_eq(again.experiment[1].collective, TMAP_BARRIER);
	ck_assert(!again.experiment[1].is_correct && again.experiment[0].is_correct);
	ck_assert(again.experiment[0].raw && !again.experiment[1].raw);
	ck_assert_double_eq_tol(again.experiment[0].seconds.min, 0.5e-6, 1e-18);
	ck_assert_int_eq(again.placement.size, 4);
	other = text_of(&again, tmap_json_write_times);
	/* but for the objects that the test's machine leaves open */
	ck_assert_str_eq(strstr(text, "\"mpi\""), strstr(other, "\"mpi\""));
	free(text);
	free(other);
	tmap_times_fini(&times);
	tmap_times_fini(&again);
}
END_TEST

static void set_clock(struct tmap_times *times, int clocks, double uncertainty_s, int64_t late)
{
	free(times->sync);
	times->sync = strdup("clock");
	times->clock = (struct tmap_clock_use){ clocks, uncertainty_s, late };
}

START_TEST(the_common_clock_and_the_seed_are_read_again_and_said)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), again;
	char *text;

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	text = text_of(&times, tmap_text_write_times);
	ck_assert_ptr_nonnull(
		strstr(text, "slowest rank, from a barrier on\n\n# allgather, blocking\n# Size "));
	free(text);
	set_clock(&times, 2, 1.5e-6, 7);
	times.has_seed = true;
	times.seed = 42;
	times.off_cache = 64 << 20;
	times.by_rounds = times.says_rounds = true;
	times.neighborhood = (struct tmap_times_neighborhood){ strdup("moore:1"), strdup("2x2"),
							       strdup("1,0"), strdup("lmaj") };
	text = text_of(&times, tmap_json_write_times);
	ck_assert_msg(tmap_times_parse_json(&again, text, strlen(text), "text", &err) == 0, "%s",
		      err.text);
	free(text);
	ck_assert_int_eq(again.clock.clocks, 2);
	ck_assert_double_eq_tol(again.clock.uncertainty_s, 1.5e-6, 1e-18);
	ck_assert_int_eq(again.clock.late, 7);
	ck_assert(again.has_seed);
	ck_assert_int_eq(again.seed, 42);
	ck_assert_int_eq(again.off_cache, 64 << 20);
	ck_assert(again.by_rounds && again.says_rounds);
	ck_assert_str_eq(again.neighborhood.periods, "1,0");
	text = text_of(&again, tmap_text_write_times);
	ck_assert_msg(
		strstr(text,
		       "slowest rank, from starts\n"
		       "# by a common clock over 2, known within 1.50 us\n"
		       "# 7 repetitions that began late do not count\n"
		       "# data in no cache: before each repetition a rank writes 64MiB (--off-cache)\n"
		       "# neighbors: moore:1 on a grid of 2x2, periodic 1,0, in the order lmaj\n"
		       "# topomap's algorithms end each round before the next one (--by-rounds)\n"
		       "# measured in random order: --seed 42\n\n# allgather, blocking\n") != NULL,
		"%s", text);
	free(text);
	set_clock(&times, 1, 0, 0);
	times.has_seed = false;
	times.off_cache = 0;
	times.by_rounds = times.says_rounds = false;
	free(times.neighborhood.stencil);
	times.neighborhood.stencil = NULL;
	text = text_of(&times, tmap_text_write_times);
	ck_assert_ptr_nonnull(
		strstr(text,
		       "slowest rank, from starts\n"
		       "# by a clock that all ranks share\n\n# allgather, blocking\n"));
	free(text);
	tmap_times_fini(&times);
	tmap_times_fini(&again);
}
END_TEST

static void set_like(struct tmap_experiment *it, enum tmap_like way, double least)
{
	it->like[way] = (struct tmap_like_times){ 10, 100, least, 2 * least, 4 * least };
}

START_TEST(what_other_benchmarks_say_is_read_again_and_goes_when_launches_are_joined)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), again, other;
	char *text;

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	add(&times, TMAP_ALLGATHER, "ring", 16, 1e-6);
	set_like(&times.experiment[0], TMAP_LIKE_OSU, 1e-6);
	set_like(&times.experiment[0], TMAP_LIKE_IMB_NOSYNC, 3e-6);
	text = text_of(&times, tmap_json_write_times);
	ck_assert_msg(tmap_times_parse_json(&again, text, strlen(text), "text", &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(tmap_times_parse_json(&other, text, strlen(text), "text", &err), 0);
	free(text);
	ck_assert_int_eq(again.experiment[0].like[TMAP_LIKE_OSU].warm_up, 10);
	ck_assert_int_eq(again.experiment[0].like[TMAP_LIKE_OSU].repetitions, 100);
	ck_assert_double_eq_tol(again.experiment[0].like[TMAP_LIKE_OSU].avg_s, 2e-6, 1e-18);
	ck_assert_double_eq_tol(again.experiment[0].like[TMAP_LIKE_IMB_NOSYNC].min_s, 3e-6, 1e-18);
	ck_assert_double_eq_tol(again.experiment[0].like[TMAP_LIKE_IMB_NOSYNC].max_s, 12e-6, 1e-18);
	ck_assert_int_eq(again.experiment[0].like[TMAP_LIKE_IMB].repetitions, 0);
	ck_assert_int_eq(again.experiment[1].like[TMAP_LIKE_OSU].repetitions, 0);
	ck_assert(!again.lost.like && !other.lost.like);
	ck_assert_int_eq(tmap_times_join(&again, &other, &err), 0);
	ck_assert(again.lost.like && !again.lost.raw);
	for (int way = 0; way < TMAP_LIKES; way++)
		ck_assert_int_eq(again.experiment[0].like[way].repetitions, 0);
	tmap_times_fini(&times);
	tmap_times_fini(&again);
	tmap_times_fini(&other);
}
END_TEST

/* Headings as those benchmarks print them; a row of a size that was not measured so is not there. */
START_TEST(a_table_of_a_benchmark_has_its_columns_and_topomaps_median)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z");
	const char *at;
	char *text;

	add(&times, TMAP_BCAST, "native", 1024, 5e-6);
	add(&times, TMAP_ALLGATHER, "ring", 4194304, 9e-3);
	add(&times, TMAP_BCAST, "native", 8, 3e-6);
	add(&times, TMAP_BCAST, "native", 16, 4e-6);
	set_like(&times.experiment[0], TMAP_LIKE_OSU, 1e-6);
	set_like(&times.experiment[1], TMAP_LIKE_IMB, 2e-3);
	set_like(&times.experiment[2], TMAP_LIKE_OSU, 1e-7);
	text = text_of(&times, tmap_text_write_like);
	at = strstr(
		text,
		"\n# bcast native, blocking, root 0, like OSU Micro-Benchmarks\n"
		"# Size   Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations  topomap\n"
		"8                   0.20             0.10             0.40         100     3.00\n"
		"1024                2.00             1.00             4.00         100     5.00\n");
	ck_assert_msg(at != NULL, "%s", text);
	at = strstr(at,
		    "\n# allgather ring, blocking, like Intel MPI Benchmarks\n"
		    "#bytes    #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  topomap\n"
		    "4194304            100      2000.00      8000.00      4000.00  9000.00\n");
	ck_assert_msg(at != NULL, "%s", text);
	free(text);
	text = text_of(&times, tmap_csv_write_times);
	ck_assert_ptr_nonnull(strstr(text, ",imb_repetitions,imb_min_seconds,imb_avg_seconds,"));
	free(text);
	memset(times.experiment[0].like, 0, sizeof times.experiment[0].like);
	memset(times.experiment[1].like, 0, sizeof times.experiment[1].like);
	memset(times.experiment[2].like, 0, sizeof times.experiment[2].like);
	text = text_of(&times, tmap_csv_write_times);
	ck_assert_ptr_nonnull(strstr(text, ",outliers\n"));
	free(text);
	tmap_times_fini(&times);
}
END_TEST

/* In whatever order they were measured. */
START_TEST(a_table_is_by_collective_size_and_algorithm_in_the_form_of_osu)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z");
	const char *tables;
	char *text;

	add(&times, TMAP_ALLREDUCE, "ring", 8, 1);
	add(&times, TMAP_ALLGATHER, "sparbit", 65536, 1);
	add(&times, TMAP_ALLGATHER, "sparbit", 8, 1);
	add(&times, TMAP_ALLGATHER, "bruck", 65536, 1);
	for (int i = 0; i < times.count; i++)
		times.experiment[i].seconds = (struct tmap_sample_statistics){ .min = 1e-8,
									       .median = 2.5e-6,
									       .max = 1.5 };
	text = text_of(&times, tmap_text_write_times);
	tables = strstr(text, "\n# allgather, blocking\n");
	ck_assert_msg(tables != NULL, "%s", text);
	ck_assert_str_eq(
		tables,
		"\n# allgather, blocking\n"
		"# Size   Min(us)  Median(us)     Max(us)  Iterations  Outliers  95%From(us)  To(us)  "
		"Runs  Algorithm\n"
		"8           0.01        2.50  1500000.00          10         0            -       -     1  sparbit\n"
		"65536       0.01        2.50  1500000.00          10         0            -       -     1  bruck\n"
		"65536       0.01        2.50  1500000.00          10         0            -       -     1  sparbit\n"
		"\n# allreduce, blocking\n"
		"# Size   Min(us)  Median(us)     Max(us)  Iterations  Outliers  95%From(us)  To(us)  "
		"Runs  Algorithm\n"
		"8           0.01        2.50  1500000.00          10         0            -       -     1  ring\n");
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		ck_assert_msg(strchr("#\n", *line) || line > tables, "no comment: %s", line);
	free(text);
	tmap_times_fini(&times);
}
END_TEST

static void leave_out(struct tmap_times *times, const char *algorithm, int64_t bytes,
		      const char *reason)
{
	struct tmap_experiment call = { .collective = TMAP_ALLGATHER,
					.algorithm = strdup(algorithm),
					.mode = TMAP_NONBLOCKING,
					.bytes = bytes };

	ck_assert_int_eq(tmap_times_leave_out(times, &call, reason, &err), 0);
	tmap_experiment_fini(&call);
}

/* Of comments, and of what stands before the algorithm's name. */
static int longest_line(const char *text)
{
	int most = 0, width = 0;

	for (int length; *text; text += length + 1) {
		length = width = (int)strcspn(text, "\n");
		while (*text != '#' && width && text[width - 1] != ' ')
			width--;
		most = width > most ? width : most;
	}
	return most;
}

/* Also with runs, intervals, numbers of many digits, and names that are as long as some are. */
START_TEST(no_line_is_longer_than_100_columns_but_for_a_name)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), other = launch("b");
	char *text;

	add(&times, TMAP_REDUCE_SCATTER_BLOCK, "native:recursive_doubling", 999999, 1.001e-3);
	add(&times, TMAP_REDUCE_SCATTER_BLOCK, "native:reduce_bcast,reduce=flat,bcast=flat", 8,
	    1e-7);
	add(&times, TMAP_REDUCE, "hierarchical,levels=node+numa,within=knomial", 8, 1e-7);
	leave_out(&times, "hierarchical,levels=node+numa,within=knomial", 8,
		  "Open MPI v4.1.4 does so few bytes (8 on 3 ranks) by another algorithm");
	times.experiment[0].mode = TMAP_NONBLOCKING;
	text = text_of(&times, tmap_text_write_times);
	ck_assert_int_le(longest_line(text), 100);
	ck_assert_ptr_nonnull(strstr(text, "\n# reduce, blocking, root 0\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n# reduce_scatter_block, nonblocking\n"));
	ck_assert_ptr_nonnull(strstr(text, "95%"));
	free(text);
	add(&other, TMAP_REDUCE, "hierarchical,levels=node+numa,within=knomial", 8, 2e-7);
	ck_assert_int_eq(tmap_times_join(&times, &other, &err), 0);
	text = text_of(&times, tmap_text_write_times);
	ck_assert_int_le(longest_line(text), 100);
	ck_assert_ptr_nonnull(strstr(text, "Runs"));
	free(text);
	tmap_times_fini(&times);
	tmap_times_fini(&other);
}
END_TEST

/* Of a heading, whose columns are two blanks or more apart. */
static int count_columns(const char *line, size_t length)
{
	int columns = 1;

	for (size_t i = 1; i + 1 < length; i++)
		columns += line[i - 1] != ' ' && line[i] == ' ' && line[i + 1] == ' ';
	return columns;
}

static int count_words(const char *line, size_t length)
{
	int words = 0;

	for (size_t i = 0; i < length; i++)
		words += line[i] != ' ' && (i == 0 || line[i - 1] == ' ');
	return words;
}

/* What is no comment has as many words as the heading above it: so many lines; frees the text. */
static void check_fields(char *text, int wanted)
{
	int columns = 0, lines = 0;

	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		size_t length = strcspn(line, "\n");

		if (strncmp(line, "# Size", 6) == 0 || strncmp(line, "#bytes", 6) == 0)
			columns = count_columns(line, length);
		if (!length || *line == '#')
			continue;
		ck_assert_msg(count_words(line, length) == columns, "%d: %.*s\n%s", columns,
			      (int)length, line, text);
		lines++;
	}
	ck_assert_msg(lines == wanted, "%d lines:\n%s", lines, text);
	free(text);
}

/* Of whatever there is: intervals, launches, modes, loops of others; also where a line has none of it. */
START_TEST(a_line_has_as_many_words_as_its_heading_has_columns)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), other = launch("b");

	add(&times, TMAP_BCAST, "knomial", 8, 1e-6);
	add(&times, TMAP_BCAST, "native", 8, 2e-6);
	add(&times, TMAP_BCAST, "native", 16, 3);
	add(&times, TMAP_BARRIER, "native", 0, 4e-6);
	for (int i = 0; i < times.count; i++)
		set_like(&times.experiment[i], i % 2 ? TMAP_LIKE_OSU : TMAP_LIKE_IMB, 1);
	times.experiment[0].seconds.has_interval = false;
	check_fields(text_of(&times, tmap_text_write_times), 4);
	check_fields(text_of(&times, tmap_text_write_like), 4);
	times.experiment[0].mode = TMAP_NAIVE;
	times.experiment[1].mode = TMAP_NONBLOCKING;
	times.experiment[2].mode = TMAP_PERSISTENT;
	times.experiment[3].mode = TMAP_NONBLOCKING;
	check_fields(text_of(&times, tmap_text_write_keeping), 4);
	add(&other, TMAP_BCAST, "flat", 8, 2e-7);
	other.experiment[0].collective = TMAP_COLLECTIVE_COUNT;
	other.experiment[0].on.call = TMAP_VIRTUAL_CREATE;
	other.experiment[0].on.topology.dimensions = 2;
	other.experiment[0].on.topology.reorder = true;
	check_fields(text_of(&other, tmap_text_write_times), 1);
	tmap_times_fini(&times);
	tmap_times_fini(&other);
}
END_TEST

/* The root, which no line has, is said; the heading's sentences are not in one another. */
START_TEST(what_is_kept_is_said_with_its_root)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z");
	char *text;

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	add(&times, TMAP_BCAST, "knomial", 8, 1e-6);
	times.experiment[1].root = 2;
	text = text_of(&times, tmap_text_write_keeping);
	ck_assert_msg(strstr(text,
			     "# 4 ranks, MPICH 4.0.2; by what is kept from call to call,\n"
			     "# medians of the slowest rank's times, from a barrier on\n"
			     "# gain: nothing over the least of the others\n"
			     "# root 2\n\n# Size ") == text,
		      "%s", text);
	free(text);
	tmap_times_fini(&times);
}
END_TEST

/* Also of an odd number of bytes, and of launches. */
START_TEST(a_heading_says_what_its_numbers_are_of)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), other = launch("b");
	char *text;

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	add(&other, TMAP_ALLGATHER, "ring", 8, 2e-6);
	times.off_cache = other.off_cache = 3000000;
	ck_assert_int_eq(tmap_times_join(&times, &other, &err), 0);
	text = text_of(&times, tmap_text_write_times);
	ck_assert_msg(strstr(text,
			     "# 4 ranks, MPICH 4.0.2; medians of launches,\n"
			     "# of times of the slowest rank, from a barrier on\n"
			     "# data in no cache: before each repetition a rank writes 3000000 B "
			     "(--off-cache)\n") == text,
		      "%s", text);
	free(text);
	tmap_times_fini(&times);
	tmap_times_fini(&other);
}
END_TEST

START_TEST(joined_clocks_are_as_bad_as_the_worst)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), other = launch("b");

	set_clock(&times, 2, 2e-6, 3);
	set_clock(&other, 2, 3e-6, INT64_MAX - 1);
	ck_assert_int_eq(tmap_times_join(&times, &other, &err), 0);
	ck_assert_double_eq_tol(times.clock.uncertainty_s, 3e-6, 1e-18);
	ck_assert(times.clock.late == INT64_MAX);
	tmap_times_fini(&times);
	tmap_times_fini(&other);
}
END_TEST

/* The seeds of three launches, of which the second has none; written, and read again. */
START_TEST(joined_launches_keep_all_seeds)
{
	struct tmap_times all = launch("2026-01-01T00:00:00Z"), again, again_other;
	const int64_t seed[] = { 7, TMAP_NONE, INT64_MAX };
	char *text, *other_text;

	all.has_seed = true;
	all.seed = seed[0];
	add(&all, TMAP_ALLGATHER, "ring", 8, 1e-6);
	ck_assert_ptr_null(all.seeds);
	for (int i = 1; i < 3; i++) {
		struct tmap_times other = launch("2026-01-01T00:00:00Z");

		other.has_seed = seed[i] != TMAP_NONE;
		other.seed = seed[i];
		add(&other, TMAP_ALLGATHER, "ring", 8, 1e-6 + i * 1e-7);
		ck_assert_int_eq(tmap_times_join(&all, &other, &err), 0);
		tmap_times_fini(&other);
	}
	ck_assert_int_eq(all.seed_count, 2);
	ck_assert_int_eq(all.seeds[0], seed[0]);
	ck_assert_int_eq(all.seeds[1], seed[2]);
	text = text_of(&all, tmap_json_write_times);
	ck_assert_msg(tmap_times_parse_json(&again, text, strlen(text), "text", &err) == 0, "%s",
		      err.text);
	other_text = text_of(&again, tmap_json_write_times);
	ck_assert_str_eq(strstr(text, "\"mpi\""), strstr(other_text, "\"mpi\""));
	free(text);
	free(other_text);
	text = text_of(&again, tmap_text_write_times);
	ck_assert_msg(strstr(text,
			     "\n# measured in random orders, launch by launch: "
			     "--seed 7, 9223372036854775807\n") != NULL,
		      "%s", text);
	free(text);

	/* the last launch once more, whose one time is there already: by its seed alone */
	again_other = launch("2026-01-01T00:00:00Z");
	again_other.has_seed = true;
	again_other.seed = seed[2];
	add(&again_other, TMAP_ALLGATHER, "ring", 8, 1e-6 + 2 * 1e-7);
	ck_assert_int_eq(tmap_times_join(&again, &again_other, &err), -1);
	ck_assert_str_eq(err.text, "all its times are there already: it is of the same launch");
	tmap_times_fini(&again_other);
	tmap_times_fini(&again);
	tmap_times_fini(&all);
}
END_TEST

START_TEST(many_seeds_are_a_line)
{
	struct tmap_times all = launch("2026-01-01T00:00:00Z");
	char *text, *line;

	all.has_seed = true;
	all.seed = INT64_MAX;
	for (int i = 0; i < 30; i++) {
		struct tmap_times other = launch("2026-01-01T00:00:00Z");

		other.has_seed = true;
		other.seed = INT64_MAX - 1 - i;
		ck_assert_int_eq(tmap_times_join(&all, &other, &err), 0);
		tmap_times_fini(&other);
	}
	text = text_of(&all, tmap_text_write_times);
	line = strstr(text, "measured in random orders");
	ck_assert_ptr_nonnull(line);
	*strchr(line, '\n') = '\0';
	ck_assert_msg(strlen(line) <= 100, "%s", line);
	ck_assert_ptr_nonnull(strstr(line, "--seed 9223372036854775807 and 30 more"));
	free(text);
	tmap_times_fini(&all);
}
END_TEST

START_TEST(a_wrong_result_is_shown_below_the_table)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z");
	char *text;

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	text = text_of(&times, tmap_text_write_times);
	ck_assert_ptr_null(strstr(text, "Wrong"));
	free(text);
	times.experiment[0].is_correct = false;
	text = text_of(&times, tmap_text_write_times);
	ck_assert_ptr_nonnull(strstr(text, "# Wrong results:\n#   allgather ring, blocking, 8\n"));
	free(text);
	tmap_times_fini(&times);
}
END_TEST

/* Lines of the text: one for an algorithm and a reason, however many calls it is. */
START_TEST(what_was_left_out_is_read_again_and_said_with_the_reason)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), again;
	char *text;

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	text = text_of(&times, tmap_json_write_times);
	ck_assert_ptr_null(strstr(text, "left_out"));
	free(text);
	leave_out(&times, "swing", 8, "3 ranks are no power of two");
	leave_out(&times, "native:ring", 8, "it cannot be set");
	leave_out(&times, "swing", 16, "3 ranks are no power of two");
	text = text_of(&times, tmap_json_write_times);
	ck_assert_msg(tmap_times_parse_json(&again, text, strlen(text), "text", &err) == 0, "%s",
		      err.text);
	free(text);
	ck_assert_int_eq(again.left_out_count, 3);
	ck_assert_str_eq(again.left_out[1].call.algorithm, "native:ring");
	ck_assert_str_eq(again.left_out[1].reason, "it cannot be set");
	ck_assert_int_eq(again.left_out[2].call.collective, TMAP_ALLGATHER);
	ck_assert_int_eq(again.left_out[2].call.bytes, 16);
	ck_assert_int_eq(again.left_out[2].call.mode, TMAP_NONBLOCKING);
	text = text_of(&again, tmap_text_write_times);
	ck_assert_msg(strstr(text,
			     "\n# Left out:\n"
			     "#   - allgather native:ring: it cannot be set\n"
			     "#   - allgather swing, 2 calls: 3 ranks are no power of two\n") !=
			      NULL,
		      "%s", text);
	free(text);
	tmap_times_fini(&times);
	tmap_times_fini(&again);
}
END_TEST

START_TEST(what_either_launch_left_out_is_there_once)
{
	struct tmap_times times = launch("a"), other = launch("b");

	add(&times, TMAP_BCAST, "native", 8, 1);
	add(&other, TMAP_BCAST, "native", 8, 2);
	leave_out(&times, "swing", 8, "no power of two");
	leave_out(&other, "native:ring", 8, "it cannot be set");
	leave_out(&other, "swing", 8, "no power of two");
	ck_assert_int_eq(tmap_times_join(&times, &other, &err), 0);
	ck_assert_int_eq(times.left_out_count, 2);
	ck_assert_str_eq(times.left_out[0].call.algorithm, "native:ring");
	ck_assert_str_eq(times.left_out[1].call.algorithm, "swing");
	ck_assert_int_eq(other.left_out_count, 2);
	tmap_times_fini(&times);
	tmap_times_fini(&other);
}
END_TEST

START_TEST(joined_launches_are_statistics_of_their_medians)
{
	static const double median[] = { 5e-6, 1e-6, 4e-6, 2e-6, 3e-6, 9e-6, 7e-6 };
	struct tmap_times times = launch("2026-01-01T00:00:00Z");
	struct tmap_sample_statistics wanted;
	const struct tmap_experiment *it;

	add(&times, TMAP_ALLGATHER, "ring", 8, median[0]);
	add(&times, TMAP_ALLGATHER, "bruck", 8, 1);
	for (int i = 1; i < 7; i++) {
		struct tmap_times other = launch("2026-01-02T00:00:00Z");

		/* in another order, and one that the first has not */
		add(&other, TMAP_ALLGATHER, "bruck", 8, 1);
		add(&other, TMAP_ALLGATHER, "ring", 16, 1);
		add(&other, TMAP_ALLGATHER, "ring", 8, median[i]);
		ck_assert_msg(tmap_times_join(&times, &other, &err) == 0, "%s", err.text);
		tmap_times_fini(&other);
	}
	ck_assert_int_eq(times.count, 3);
	ck_assert_str_eq(times.date, "2026-01-01T00:00:00Z");
	it = &times.experiment[0];
	ck_assert_int_eq(it->run_count, 7);
	ck_assert_mem_eq(it->run, median, sizeof median);
	ck_assert_int_eq(it->repetitions, 70);
	ck_assert_int_eq(tmap_sample_statistics_init(&wanted, median, 7, &err), 0);
	ck_assert_double_eq_tol(it->seconds.median, wanted.median, 1e-18);
	ck_assert_double_eq_tol(it->seconds.q3, wanted.q3, 1e-18);
	ck_assert(it->seconds.has_interval);
	ck_assert_double_eq_tol(it->seconds.low, wanted.low, 1e-18);
	ck_assert_int_eq(times.experiment[2].run_count, 6);
	ck_assert_int_eq(times.experiment[2].bytes, 16);
	tmap_times_fini(&times);
}
END_TEST

/* Oracle: the five numbers of add(). */
static void check_box(const struct tmap_experiment *it, int run, double median)
{
	struct tmap_box box;

	ck_assert(tmap_experiment_box(it, run, &box));
	ck_assert_double_eq(box.min, median / 2);
	ck_assert_double_eq(box.q1, median);
	ck_assert_double_eq(box.median, median);
	ck_assert_double_eq(box.q3, median);
	ck_assert_double_eq(box.max, 2 * median);
}

START_TEST(joined_launches_keep_the_quartiles_of_each_where_they_are_known)
{
	struct tmap_times one = launch("a"), two = launch("b"), three = launch("c"), again;
	char *text;

	add(&one, TMAP_BCAST, "native", 8, 1e-6);
	add(&two, TMAP_BCAST, "native", 8, 2e-6);
	add(&two, TMAP_BCAST, "binomial", 8, 5e-6);
	add(&three, TMAP_BCAST, "native", 8, 3e-6);
	ck_assert_int_eq(tmap_times_join(&one, &two, &err), 0);
	text = text_of(&one, tmap_json_write_times);
	ck_assert_int_eq(tmap_times_parse_json(&again, text, strlen(text), "text", &err), 0);
	ck_assert_int_eq(tmap_times_join(&again, &three, &err), 0);
	ck_assert_int_eq(again.experiment[0].run_count, 3);
	for (int i = 0; i < 3; i++)
		check_box(&again.experiment[0], i, (i + 1) * 1e-6);
	ck_assert_int_eq(again.experiment[1].run_count, 1);
	check_box(&again.experiment[1], 0, 5e-6);
	/* of two launches only the medians are known */
	free(one.experiment[0].box);
	one.experiment[0].box = NULL;
	ck_assert_int_eq(tmap_times_join(&one, &three, &err), 0);
	ck_assert(!tmap_experiment_box(&one.experiment[0], 0, &(struct tmap_box){ 0 }));
	free(text);
	tmap_times_fini(&one);
	tmap_times_fini(&two);
	tmap_times_fini(&three);
	tmap_times_fini(&again);
}
END_TEST

START_TEST(one_wrong_result_makes_the_joined_ones_wrong)
{
	for (int which = 0; which < 2; which++) {
		struct tmap_times times = launch("a"), other = launch("b");

		add(&times, TMAP_BCAST, "native", 8, 1);
		add(&other, TMAP_BCAST, "native", 8, 1);
		(which ? &times : &other)->experiment[0].is_correct = false;
		ck_assert_int_eq(tmap_times_join(&times, &other, &err), 0);
		ck_assert(!times.experiment[0].is_correct);
		tmap_times_fini(&times);
		tmap_times_fini(&other);
	}
}
END_TEST

START_TEST(repetitions_of_many_launches_do_not_wrap)
{
	struct tmap_times times = launch("a"), other = launch("b");

	add(&times, TMAP_BCAST, "native", 8, 1);
	add(&other, TMAP_BCAST, "native", 8, 1);
	times.experiment[0].repetitions = other.experiment[0].repetitions = INT64_MAX;
	ck_assert_int_eq(tmap_times_join(&times, &other, &err), 0);
	ck_assert_int_eq(times.experiment[0].run_count, 2);
	ck_assert(times.experiment[0].repetitions == INT64_MAX);
	tmap_times_fini(&times);
	tmap_times_fini(&other);
}
END_TEST

/* Of another job, and unchanged then. */
START_TEST(launches_of_other_jobs_are_refused)
{
	static const char *const wanted[] = { "MPI library",
					      "sync",
					      "placed otherwise",
					      "of 3 ranks",
					      "off_cache is 64 bytes, not 0",
					      "one was measured by rounds and the other was not",
					      "the order of its neighborhood is rand:1, not "
					      "none as before" };

	for (int i = 0; i < 7; i++) {
		static const struct test_level levels[] = { { TMAP_CORE, 2 }, { 0, 0 } };
		struct tmap_times times = launch("a"), other = launch("b");

		add(&times, TMAP_BCAST, i == 5 ? "binomial_far" : "native", 8, 1);
		add(&other, TMAP_BCAST, i == 5 ? "binomial_far" : "native", 8, 1);
		if (i < 2) {
			char **text = i ? &other.sync : &other.mpi;

			free(*text);
			*text = strdup("other");
		} else if (i == 4) {
			other.off_cache = 64;
		} else if (i == 5) {
			other.by_rounds = other.says_rounds = true;
		} else if (i == 6) {
			times.neighborhood.stencil = strdup("full");
			other.neighborhood.stencil = strdup("full");
			other.neighborhood.order = strdup("rand:1");
		} else {
			static const int cyclic[] = { 0, 2, 1, 3 };

			tmap_placement_fini(&other.placement);
			placement_seats_take(&other.placement, machine_regular(2, levels), cyclic,
					     i == 2 ? 4 : 3);
		}
		ck_assert_int_eq(tmap_times_join(&times, &other, &err), -1);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_msg(strstr(err.text, wanted[i]) != NULL, "%s", err.text);
		ck_assert_int_eq(times.experiment[0].run_count, 1);
		tmap_times_fini(&times);
		tmap_times_fini(&other);
	}
}
END_TEST

/* Either may be first, and the whole has the neighbors; of two other ones it is said what differs. */
START_TEST(launches_without_a_neighborhood_join_those_with_one)
{
	for (int i = 0; i < 2; i++) {
		struct tmap_times on = launch("a"), none = launch("b"), other = launch("c");
		struct tmap_times *times = i ? &on : &none;

		add(&on, TMAP_NEIGHBOR_ALLGATHER, "linear", 8, 1);
		on.neighborhood.stencil = strdup("moore:1");
		on.neighborhood.cart = strdup("2x2");
		add(&none, TMAP_BCAST, "native", 8, 2);
		ck_assert_int_eq(tmap_times_join(times, i ? &none : &on, &err), 0);
		ck_assert_int_eq(times->count, 2);
		ck_assert_str_eq(times->neighborhood.stencil, "moore:1");
		ck_assert_str_eq(times->neighborhood.cart, "2x2");
		ck_assert_ptr_null(times->neighborhood.periods);
		add(&other, TMAP_NEIGHBOR_ALLGATHER, "linear", 8, 3);
		other.neighborhood.stencil = strdup("moore:1");
		other.neighborhood.cart = strdup("4x1");
		ck_assert_int_eq(tmap_times_join(times, &other, &err), -1);
		ck_assert_str_eq(err.text,
				 "the cart of its neighborhood is 4x1, not 2x2 as before");
		tmap_times_fini(&on);
		tmap_times_fini(&none);
		tmap_times_fini(&other);
	}
}
END_TEST

START_TEST(the_librarys_times_join_those_by_rounds_and_others)
{
	static const char *const algorithm[] = { "native:ring", "native", "mockup:gather+bcast" };

	for (int i = 0; i < 12; i++) {
		bool by_rounds = i & 1, is_first = i & 2;
		struct tmap_times own = launch("a"), none = launch("b"), two = launch("c");
		struct tmap_times *times = is_first ? &own : &none;

		add(&own, TMAP_ALLGATHER, "ring", 8, 1);
		own.by_rounds = by_rounds;
		own.says_rounds = true;
		add(&none, TMAP_ALLGATHER, algorithm[i / 4], 8, 2);
		ck_assert_int_eq(tmap_times_join(times, is_first ? &none : &own, &err), 0);
		ck_assert_int_eq(times->count, 2);
		ck_assert(times->by_rounds == by_rounds && times->says_rounds);
		/* which way the whole went is known from then on */
		add(&two, TMAP_ALLGATHER, "bruck", 8, 1);
		two.by_rounds = !by_rounds;
		two.says_rounds = true;
		ck_assert_int_eq(tmap_times_join(times, &two, &err), -1);
		two.by_rounds = by_rounds;
		two.says_rounds = by_rounds; /* as in older documents */
		ck_assert_int_eq(tmap_times_join(times, &two, &err), 0);
		ck_assert(times->by_rounds == by_rounds && times->says_rounds == by_rounds);
		tmap_times_fini(&own);
		tmap_times_fini(&none);
		tmap_times_fini(&two);
	}
}
END_TEST

#define SYNC(word, clocks, uncertainty, late) \
	"\"sync\": \"" word "\", \"clock\": {\"clocks\": " clocks \
	", \"uncertainty_s\": " uncertainty ", \"late\": " late "}"

#define LIKE(word, warm_up, repetitions, min, avg, max) \
	"{\"as\": \"" word "\", \"warm_up\": " warm_up ", \"repetitions\": " repetitions \
	", \"min_s\": " min ", \"avg_s\": " avg ", \"max_s\": " max "}"
#define WITH_LIKE(ways) "\"runs\": [1e-06], \"like\": [" ways "]"

#define LEFT_OUT(collective, root, reason) \
	"{\"collective\": \"" collective "\", \"algorithm\": \"ring\", \"mode\": \"blocking\"" \
	", \"bytes\": 8, \"root\": " root ", \"reason\": " reason "}"
#define WITH_LEFT_OUT(calls) "\"left_out\": [" calls "], \"mpi\""

/* What stands in the place of what, and which member the sentence names. */
static const struct {
	const char *from, *to, *member;
} bad[] = {
	{ "\"times\"", "\"tree\"", "times document" },
	{ "\"sync\": \"barrier\"", "\"sync\": 3", "sync" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"clock\"",
	  "sync is 'clock', and there is no clock" },
	{ "\"sync\": \"barrier\"", SYNC("barrier", "1", "0", "0"), "and there is a clock" },
	{ "\"sync\": \"barrier\"", SYNC("clock", "0", "0", "0"), "clock.clocks: 0 is not in 1-4" },
	{ "\"sync\": \"barrier\"", SYNC("clock", "5", "0", "0"), "clock.clocks: 5 is not in 1-4" },
	{ "\"sync\": \"barrier\"", SYNC("clock", "2", "-1e-9", "0"), "clock.uncertainty_s" },
	{ "\"sync\": \"barrier\"", SYNC("clock", "2", "0", "-1"), "clock.late" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"barrier\", \"off_cache\": 0", "off_cache" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"barrier\", \"off_cache\": 1.5", "off_cache" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"barrier\", \"by_rounds\": 1", "by_rounds" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"barrier\", \"neighborhood\": {}",
	  "neighborhood: the member 'stencil' is missing" },
	{ "\"sync\": \"barrier\"",
	  "\"sync\": \"barrier\", \"neighborhood\": {\"stencil\": \"star\"}", "neighborhood: " },
	{ "\"sync\": \"barrier\"",
	  "\"sync\": \"barrier\", \"neighborhood\": {\"stencil\": \"cart\", \"cart\": \"5x7\"}",
	  "neighborhood: " },
	{ "\"sync\": \"barrier\"",
	  "\"sync\": \"barrier\", \"neighborhood\": {\"stencil\": \"full\", \"order\": 1}",
	  "neighborhood.order" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"barrier\", \"seed\": -1", "seed" },
	{ "\"sync\": \"barrier\"", "\"sync\": \"barrier\", \"seed\": \"x\"", "seed" },
	{ "\"mpi\"", "\"mpj\"", "mpi" },
	{ "\"allgather\"", "\"gossip\"", "experiments[0].collective: unknown collective 'gossip'" },
	{ "\"blocking\"", "\"later\"", "experiments[0].mode: unknown mode 'later'" },
	{ "\"bytes\": 8", "\"bytes\": -8", "experiments[0].bytes" },
	{ "\"bytes\": 8", "\"bytes\": 8.5", "experiments[0].bytes" },
	{ "\"root\": 0", "\"root\": 4", "experiments[0].root: 4 is not in 0-3" },
	{ "\"root\": 0", "\"root\": 1", "allgather has no root" },
	{ "\"repetitions\": 10", "\"repetitions\": 0", "experiments[0].repetitions" },
	{ "\"correct\": true", "\"correct\": 1", "experiments[0].correct" },
	{ "\"q1\": 1e-06", "\"q1\": 1e-07", "experiments[0].seconds.q1" },
	{ "\"median\": 1e-06", "\"median\": 1", "experiments[0].seconds.q3" },
	{ "\"min\": 5e-07", "\"min\": -5e-07", "experiments[0].seconds.min" },
	{ "\"max\": 2e-06", "\"max\": 2e300", "experiments[0].seconds.max" },
	{ "\"min\": 5e-07", "\"min\": 5e-320",
	  "experiments[0].seconds.min: 4.99994e-320 is neither" },
	{ "\"runs\": [1e-06]", "\"runs\": [1e-30]", "experiments[0].runs[0]: 1e-30 is neither" },
	{ "\"ring\"", "\"\\u001b[31m\"", "experiments[0].algorithm: '\\x1b[31m' has" },
	{ "\"MPICH 4.0.2\"", "\"MPICH\\n4\"", "mpi: 'MPICH\\n4' has" },
	{ "[1e-06,1e-06]", "[1e-06]", "experiments[0].seconds.ci" },
	{ "[1e-06,1e-06]", "[1e-06, 3e-06]", "experiments[0].seconds.ci[1]" },
	{ "\"outliers\": 0", "\"outliers\": 11", "10 repetitions have not 11 outliers" },
	{ "\"runs\": [1e-06]", "\"runs\": []", "experiments[0].runs" },
	{ "\"runs\": [1e-06]", "\"runs\": [\"x\"]", "experiments[0].runs[0]" },
	{ "\"runs\": [1e-06]", "\"runs\": [1e-06], \"raw\": [1]", "experiments[0].raw" },
	{ "\"runs\": [1e-06]", "\"runs\": [1e-06], \"like\": 1", "experiments[0].like" },
	{ "\"runs\": [1e-06]", WITH_LIKE("1"), "experiments[0].like[0]" },
	{ "\"runs\": [1e-06]", WITH_LIKE(LIKE("usu", "1", "1", "1", "1", "1")),
	  "experiments[0].like[0].as: unknown benchmark 'usu' (did you mean 'osu'?); one of: osu, imb, imb-nosync" },
	{ "\"runs\": [1e-06]",
	  WITH_LIKE(LIKE("osu", "1", "1", "1", "1", "1") "," LIKE("osu", "1", "1", "1", "1", "1")),
	  "experiments[0].like[1]: 'osu' is there twice" },
	{ "\"runs\": [1e-06]", WITH_LIKE(LIKE("osu", "-1", "1", "1", "1", "1")),
	  "experiments[0].like[0].warm_up" },
	{ "\"runs\": [1e-06]", WITH_LIKE(LIKE("imb", "1", "0", "1", "1", "1")),
	  "experiments[0].like[0].repetitions" },
	{ "\"runs\": [1e-06]", WITH_LIKE(LIKE("imb", "1", "1", "-1", "1", "1")),
	  "experiments[0].like[0].min_s" },
	{ "\"runs\": [1e-06]", WITH_LIKE(LIKE("imb", "1", "1", "2", "1", "3")),
	  "experiments[0].like[0].avg_s: 1 is not from 2" },
	{ "\"runs\": [1e-06]", WITH_LIKE(LIKE("imb", "1", "1", "1", "2", "1")),
	  "experiments[0].like[0].max_s: 1 is not from 2" },
	{ "\"mpi\"", WITH_LEFT_OUT("1"), "left_out[0]" },
	{ "\"mpi\"", WITH_LEFT_OUT(LEFT_OUT("gossip", "0", "\"x\"")),
	  "left_out[0].collective: unknown collective 'gossip'" },
	{ "\"mpi\"", WITH_LEFT_OUT(LEFT_OUT("bcast", "4", "\"x\"")),
	  "left_out[0].root: 4 is not in 0-3" },
	{ "\"mpi\"", WITH_LEFT_OUT(LEFT_OUT("allgather", "1", "\"x\"")),
	  "left_out[0]: allgather has no root" },
	{ "\"mpi\"", WITH_LEFT_OUT(LEFT_OUT("bcast", "1", "1")), "left_out[0].reason" },
	{ "\"mpi\"", WITH_LEFT_OUT(LEFT_OUT("bcast", "1", "\"\\u001b[31m\"")),
	  "left_out[0].reason: '\\x1b[31m' has" },
	{ "\"mpi\"", "\"left_out\": {}, \"mpi\"", "left_out" },
	{ "\"bytes\": 16", "\"bytes\": 8", "experiments[0] and experiments[1]" },
	{ "\"size\": 4", "\"size\": 5", "placement" },
};

START_TEST(one_wrong_place_is_named)
{
	struct tmap_times times = launch("2026-01-01T00:00:00Z"), unread = { 0 };
	char *text, *at, *wrong, line[TMAP_ERROR_SIZE];

	add(&times, TMAP_ALLGATHER, "ring", 8, 1e-6);
	add(&times, TMAP_ALLGATHER, "ring", 16, 1e-6);
	text = text_of(&times, tmap_json_write_times);
	at = strstr(text, bad[_i].from);
	ck_assert_msg(at != NULL, "'%s' is not in %s", bad[_i].from, text);
	wrong = tmap_format(&err, "%.*s%s%s", (int)(at - text), text, bad[_i].to,
			    at + strlen(bad[_i].from));
	ck_assert_int_eq(tmap_times_parse_json(&unread, wrong, strlen(wrong), "t.json", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	tmap_error_print(&err, line);
	ck_assert_msg(strncmp(line, "t.json: ", 8) == 0, "%s", line);
	ck_assert_msg(strstr(line, bad[_i].member) != NULL, "%s", line);
	ck_assert_ptr_null(unread.experiment);
	free(text);
	free(wrong);
	tmap_times_fini(&times);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("times");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, what_is_written_is_read_again);
	tcase_add_test(tc, the_common_clock_and_the_seed_are_read_again_and_said);
	tcase_add_test(tc,
		       what_other_benchmarks_say_is_read_again_and_goes_when_launches_are_joined);
	tcase_add_test(tc, a_table_of_a_benchmark_has_its_columns_and_topomaps_median);
	tcase_add_test(tc, a_table_is_by_collective_size_and_algorithm_in_the_form_of_osu);
	tcase_add_test(tc, no_line_is_longer_than_100_columns_but_for_a_name);
	tcase_add_test(tc, a_line_has_as_many_words_as_its_heading_has_columns);
	tcase_add_test(tc, what_is_kept_is_said_with_its_root);
	tcase_add_test(tc, a_heading_says_what_its_numbers_are_of);
	tcase_add_test(tc, joined_clocks_are_as_bad_as_the_worst);
	tcase_add_test(tc, joined_launches_keep_all_seeds);
	tcase_add_test(tc, many_seeds_are_a_line);
	tcase_add_test(tc, a_wrong_result_is_shown_below_the_table);
	tcase_add_test(tc, what_was_left_out_is_read_again_and_said_with_the_reason);
	tcase_add_test(tc, what_either_launch_left_out_is_there_once);
	tcase_add_test(tc, joined_launches_are_statistics_of_their_medians);
	tcase_add_test(tc, joined_launches_keep_the_quartiles_of_each_where_they_are_known);
	tcase_add_test(tc, one_wrong_result_makes_the_joined_ones_wrong);
	tcase_add_test(tc, repetitions_of_many_launches_do_not_wrap);
	tcase_add_test(tc, launches_of_other_jobs_are_refused);
	tcase_add_test(tc, launches_without_a_neighborhood_join_those_with_one);
	tcase_add_test(tc, the_librarys_times_join_those_by_rounds_and_others);
	tcase_add_loop_test(tc, one_wrong_place_is_named, 0, (int)(sizeof bad / sizeof *bad));
	suite_add_tcase(suite, tc);
	return suite;
}
