/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs from the files of other programs. Oracle: a truth from which such files are printed, with 2 %
 * of noise; what is read is to be that truth, within 5 %. */
#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/costs/costs.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Two pieces. */
static double truth(double bytes)
{
	return bytes < 8192 ? 1.5e-6 + bytes * 4e-10 : 5e-6 + bytes * 1e-10;
}

static double noise(struct dice *dice)
{
	return 1 + 0.02 * (dice_roll(dice, 2001) - 1000) / 1000.0;
}

static int put(struct tmap_profile_draft *draft, const char *form, const char *text)
{
	struct tmap_spec spec;

	ck_assert_msg(tmap_spec_parse(&spec, &tmap_cost_forms, form, &err) == 0, "%s", err.text);
	return tmap_costs_parse(draft, &spec, text, &err);
}

static void begin(struct tmap_profile_draft *draft)
{
	ck_assert_int_eq(tmap_profile_draft_init(draft, NULL, &err), 0);
}

static void check_truth(const struct tmap_profile *profile, int distance)
{
	int first;

	for (double bytes = 1; bytes < 5e6; bytes *= 3) {
		const struct tmap_profile_row *row =
			tmap_profile_find(profile, distance, (int64_t)bytes);
		double seconds = row->latency_s + bytes * row->byte_s;

		/* near the border either piece may hold */
		if (bytes > 4096 && bytes < 16384)
			continue;
		ck_assert_int_eq(row->distance, distance);
		ck_assert_msg(fabs(seconds / truth(bytes) - 1) < 0.05, "%g bytes: %g s, not %g s",
			      bytes, seconds, truth(bytes));
	}
	ck_assert_int_gt(tmap_profile_count_points(profile, distance, &first), 20);
}

/* A table of a form: heading, then bytes and microseconds by a format. */
static char *print_table(const char *heading, const char *row, uint64_t seed)
{
	struct tmap_str str = TMAP_STR_INIT;
	struct dice dice = { seed };

	tmap_str_add(&str, heading);
	for (double bytes = 0; bytes <= 4194304; bytes = bytes < 1 ? 1 : 2 * bytes) {
		char line[160];

		snprintf(line, sizeof line, row, bytes, truth(bytes) * noise(&dice) * 1e6);
		tmap_str_add(&str, line);
	}
	return tmap_str_take(&str, &err);
}

#define OSU_LATENCY "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
#define IMB_HEADING \
	"#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n" \
	"# Benchmarking PingPing\n# #processes = 2\n" \
	"       #bytes #repetitions      t[usec]   Mbytes/sec\n            0         1000      " \
	"999.23         0.00\n\n# Benchmarking PingPong\n# #processes = 2\n" \
	"#---------------------------------------------------\n" \
	"       #bytes #repetitions      t[usec]   Mbytes/sec\n"
#define NETGAUGE_HEADING \
	"# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n" \
	"# to get o: plot \"./loggp.out\" using 1:(($5-$3)/($2-1)-$3)\n"

START_TEST(tables_of_times_are_fitted)
{
	static const struct {
		const char *form, *heading, *row;
		double factor;
	} rows[] = {
		{ "osu", OSU_LATENCY "# Size          Latency (us)\n", "%-10.0f %20.4f\n", 1 },
		{ "osu", OSU_LATENCY "# Size       Avg Latency(us)\n",
		  "%.0f  %.4f  1.00 9.99 100\n", 1 },
		{ "osu", "# Size Latency (us)\r\n", "%.0f\t%.4f\r\n", 1 },
		{ "osu", "# OSU MPI-CUDA Latency Test v5.9\n# Size Latency (us)\n", "%.0f %.4f\n",
		  1 },
		{ "imb", IMB_HEADING, "%13.0f          100 %12.4f         1.00\n", 1 },
	};
	struct tmap_profile_draft draft;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = print_table(rows[i].heading, rows[i].row, i + 1);
		char *form = tmap_format(&err, "%s,distance=%d", rows[i].form, 3 + (int)i);

		begin(&draft);
		ck_assert_msg(put(&draft, form, text) == 0, "%s: %s", form, err.text);
		check_truth(&draft.profile, 3 + (int)i);
		tmap_profile_draft_fini(&draft);
		free(form);
		free(text);
	}
}
END_TEST

/* Netgauge has round trips. */
START_TEST(round_trips_are_halved)
{
	struct tmap_profile_draft draft;
	struct tmap_str str = TMAP_STR_INIT;
	struct dice dice = { 7 };
	char *text;

	tmap_str_add(&str, NETGAUGE_HEADING);
	for (double bytes = 1; bytes <= 4194304; bytes *= 2)
		tmap_str_addf(&str, "%.0f 10 %.6f 30.0 120.0 1.5 0.3 0.5 -0.1 0.0001 0.0\n", bytes,
			      2e6 * truth(bytes) * noise(&dice));
	text = tmap_str_take(&str, &err);
	begin(&draft);
	ck_assert_msg(put(&draft, "netgauge", text) == 0, "%s", err.text);
	check_truth(&draft.profile, 7);
	ck_assert_double_eq_tol(draft.profile.row[0].overhead_s, 4e-7, 1e-12);
	tmap_profile_draft_fini(&draft);
	free(text);
}
END_TEST

START_TEST(what_netgauge_prints_is_a_line)
{
	struct tmap_profile_draft draft;

	begin(&draft);
	ck_assert_msg(
		put(&draft, "netgauge,distance=8",
		    "Testing 1 bytes 100 times:\n"
		    " L=2.500000  s=1  o_s=0.2  o_r=0.3  g=1.0  G=0.009 (0.86 GiB/s) lsqu(g,G)=0.1\n"
		    " L=2.000000  s=1025  o_s=0.4  o_r=0.6  g=1.0  G=0.001000 (7.8 GiB/s) "
		    "lsqu(g,G)=0.1\n") == 0,
		"%s", err.text);
	ck_assert_int_eq(draft.profile.row_count, 1);
	ck_assert_int_eq(draft.profile.row[0].distance, 8);
	ck_assert_double_eq_tol(draft.profile.row[0].latency_s, 2e-6, 1e-15);
	ck_assert_double_eq_tol(draft.profile.row[0].byte_s, 1e-9, 1e-18);
	ck_assert_double_eq_tol(draft.profile.row[0].overhead_s, 5e-7, 1e-15);
	tmap_profile_draft_fini(&draft);
}
END_TEST

/* Bandwidths say what adapters move, and how long a rank is busy with a message; within a node they say
 * nothing of adapters. */
START_TEST(bandwidths_are_of_adapters_and_overheads)
{
	static const char bandwidth[] =
		"# OSU MPI Bandwidth Test v7.4\n# Size Bandwidth (MB/s)\n"
		"8 40.0\n64 200.0\n4096 4000\n1048576 12000.0\n4194304 11900.0\n";
	static const char rate[] = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
				   "# [ pairs: 16 ] [ window size: 64 ]\n"
				   "# Size                  MB/s        Messages/s\n"
				   "1 100.0 100000000.0\n1048576 12500.0 11920.9\n";
	char *latency = print_table(OSU_LATENCY "# Size Latency (us)\n", "%.0f %.4f\n", 3);
	struct tmap_profile_draft draft;

	begin(&draft);
	ck_assert_int_eq(put(&draft, "osu", bandwidth), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "nothing says yet how long messages take"));
	ck_assert_int_eq(put(&draft, "osu", latency), 0);
	ck_assert_int_eq(put(&draft, "osu", bandwidth), 0);
	ck_assert_double_eq_tol(draft.profile.row[0].overhead_s, 2e-7, 1e-12);
	ck_assert_double_eq_tol(draft.profile.adapter_byte_s, 1 / 12e9, 1e-16);
	ck_assert_int_eq(put(&draft, "osu", rate), 0);
	ck_assert_double_eq_tol(draft.profile.adapter_byte_s, 1 / 12.5e9, 1e-16);
	ck_assert_double_eq_tol(draft.profile.adapter_message_s, 1e-8, 1e-12);
	check_truth(&draft.profile, 7);
	tmap_profile_draft_fini(&draft);
	begin(&draft);
	ck_assert_int_eq(put(&draft, "osu,distance=1", latency), 0);
	ck_assert_int_eq(put(&draft, "osu,distance=1", bandwidth), 0);
	ck_assert_double_eq(draft.profile.adapter_byte_s, 0);
	tmap_profile_draft_fini(&draft);
	free(latency);
}
END_TEST

/* What is not named stays; published ones are none any more. */
START_TEST(a_profile_keeps_what_no_file_says)
{
	const struct tmap_profile *base = tmap_profile_at(0);
	char *latency = print_table(OSU_LATENCY "# Size Latency (us)\n", "%.0f %.4f\n", 5);
	struct tmap_profile_draft draft;
	int others = 0, kept = 0;

	ck_assert_int_eq(tmap_profile_draft_init(&draft, base, &err), 0);
	ck_assert_int_eq(put(&draft, "osu", latency), 0);
	ck_assert_int_eq(put(&draft, "stream,controllers=2", "Triad:  200000.0 0.1 0.1 0.1\n"), 0);
	check_truth(&draft.profile, 7);
	ck_assert_int_eq(tmap_profile_check(&draft.profile, &err), 0);
	ck_assert(!draft.profile.is_published);
	ck_assert_double_eq_tol(draft.profile.memory_byte_s, 1e-11, 1e-16);
	for (int i = 0; i < base->row_count; i++)
		others += base->row[i].distance != 7;
	for (int i = 0; i < draft.profile.row_count; i++)
		kept += draft.profile.row[i].distance != 7;
	ck_assert_int_gt(others, 0);
	ck_assert_int_eq(kept, others);
	tmap_profile_draft_fini(&draft);
	free(latency);
}
END_TEST

START_TEST(memory_is_the_slowest_of_the_nodes_own)
{
	struct tmap_profile_draft draft;

	begin(&draft);
	ck_assert_msg(put(&draft, "mlc",
			  "Measuring idle latencies for sequential access (in ns)...\n"
			  "\t\tNuma node\nNuma node\t     0\t     1\n"
			  "       0\t  78.1\t 131.9\n       1\t 131.2\t  77.9\n\n"
			  "Measuring Memory Bandwidths between nodes within system\n"
			  "Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)\n"
			  "Using all the threads from each core if Hyper-threading is enabled\n"
			  "Using Read-only traffic type\n"
			  "\t\tNuma node\nNuma node\t     0\t     1\t     2\n"
			  "       0\t110000.5\t34000.1\t9000.1\n"
			  "       1\t34100.2\t100000.0\t9000.2\n\n"
			  "Measuring Loaded Latencies for the system\n"
			  " 00000\t250.1\t 1.5\n") == 0,
		      "%s", err.text);
	ck_assert_double_eq_tol(draft.profile.memory_byte_s, 1e-11, 1e-20);
	tmap_profile_draft_fini(&draft);
}
END_TEST

#define FACTORS "--cfg=smpi/lat-factor:0:2 --cfg=smpi/bw-factor:0:0.5 "
#define CLUSTER \
	"<cluster id=\"c\" bw=\"100MBps\" lat='10us' bb_bw=\"80MBps\"\n bb_lat=\"5us\" " \
	"loopback_bw=\"1Gbps\" loopback_lat=\"2e-7\"/>"

START_TEST(simgrid_costs_are_lines)
{
	struct tmap_profile_draft draft;

	begin(&draft);
	ck_assert_msg(put(&draft, "simgrid",
			  FACTORS CLUSTER
			  "<prop id=\"smpi/os\" value=\"0:1e-6:1e-9\"/>\n"
			  "<prop id='other' value='1'/> --cfg=smpi/or:0:3e-6:0\n") == 0,
		      "%s", err.text);
	ck_assert_int_eq(draft.profile.row_count, 4);
	ck_assert_int_eq(draft.profile.row[0].distance, 1);
	ck_assert_double_eq_tol(draft.profile.row[0].latency_s, 2 * 2e-7 + 4e-6, 1e-15);
	ck_assert_double_eq_tol(draft.profile.row[0].byte_s, 2 * 8e-9 + 1e-9, 1e-18);
	/* the smallest latency has those of both ranks in it */
	ck_assert_double_eq_tol(draft.profile.row[0].overhead_s, 2e-7, 1e-12);
	ck_assert_int_eq(draft.profile.row[0].protocol, TMAP_PROTOCOL_EAGER);
	ck_assert_int_eq(draft.profile.row[0].below_bytes, 65536);
	ck_assert_double_eq_tol(draft.profile.row[1].latency_s, 4e-7, 1e-12);
	ck_assert_int_eq(draft.profile.row[2].distance, 7);
	ck_assert_double_eq_tol(draft.profile.row[2].overhead_s, 2e-6, 1e-8);
	ck_assert_double_eq_tol(draft.profile.row[3].overhead_s, 2e-6, 1e-8);
	ck_assert_double_eq_tol(draft.profile.row[2].latency_s, 2 * 25e-6 + 4e-6, 1e-12);
	ck_assert_double_eq_tol(draft.profile.row[3].byte_s, 2 / 80e6, 1e-14);
	ck_assert_int_eq(draft.profile.row[3].protocol, TMAP_PROTOCOL_RENDEZVOUS);
	ck_assert_double_eq_tol(draft.profile.adapter_byte_s, 2 / 100e6, 1e-15);
	ck_assert_int_eq(draft.profile.point_count, 0);
	tmap_profile_draft_fini(&draft);
}
END_TEST

/* SimGrid's own order is falling; names of earlier releases; factors of the loopback. */
START_TEST(simgrid_settings_have_more_than_one_form)
{
	struct tmap_profile_draft draft, other;

	begin(&draft);
	begin(&other);
	ck_assert_msg(
		put(&draft, "simgrid",
		    "--cfg=smpi/lat-factor:0:1;4e+03:2 --cfg=smpi/bw-factor:0:0.5;4000:1 "
		    "--cfg=smpi/send-is-detached-thresh:4000 --cfg=smpi/os:0:1e-6:0 " CLUSTER) == 0,
		"%s", err.text);
	ck_assert_msg(
		put(&other, "simgrid",
		    "--cfg=smpi/lat_factor:'4000:2;0:1' --cfg=smpi/bw_factor:\"4000:1;0:0.5\" "
		    "--cfg=smpi/loopback-bw-factor:1 --cfg=smpi/loopback-lat-factor:0:3 "
		    "<prop id=\"smpi/send_is_detached_thres\" value=\"4000\"/>"
		    "--cfg=smpi/os:0:1e-6:0 " CLUSTER) == 0,
		"%s", err.text);
	ck_assert_int_eq(draft.profile.row_count, 4);
	ck_assert_int_eq(other.profile.row_count, 4);
	for (int i = 2; i < 4; i++) {
		ck_assert_int_eq(draft.profile.row[i].below_bytes,
				 other.profile.row[i].below_bytes);
		ck_assert(draft.profile.row[i].latency_s == other.profile.row[i].latency_s);
		ck_assert(draft.profile.row[i].byte_s == other.profile.row[i].byte_s);
	}
	ck_assert_double_eq_tol(draft.profile.row[1].latency_s, 4e-7, 1e-12);
	ck_assert_double_eq_tol(other.profile.row[1].latency_s, 6e-7, 1e-12);
	ck_assert_double_eq_tol(other.profile.row[0].byte_s, 8e-9, 1e-15);
	tmap_profile_draft_fini(&draft);
	tmap_profile_draft_fini(&other);
}
END_TEST

/* More pieces than a document has are fitted, and what is computed is no point. */
START_TEST(simgrid_costs_of_many_pieces_are_fitted)
{
	struct tmap_profile_draft draft;
	const struct tmap_profile *p = &draft.profile;

	begin(&draft);
	ck_assert_msg(put(&draft, "simgrid,latency_ns=1000,bandwidth=1000000000",
			  "--cfg=smpi/lat-factor:0:1;1000:2;20000:5;300000:6 "
			  "--cfg=smpi/bw-factor:0:0.5;1000:0.6;20000:0.9;300000:1") == 0,
		      "%s", err.text);
	ck_assert_int_eq(p->row_count, 3);
	ck_assert_int_eq(p->point_count, 0);
	ck_assert_double_eq(p->row[0].latency_high_s, 0);
	ck_assert_double_eq_tol(p->row[0].latency_s, 1e-6, 1e-7);
	ck_assert_double_eq_tol(p->row[2].byte_s, 1e-9, 5e-11);
	tmap_profile_draft_fini(&draft);
}
END_TEST

static const char *const bad[][3] = {
	{ "osu", "", "it has no table of the OSU Micro-Benchmarks" },
	{ "osu", "0 1.5\n", "it has no table of the OSU Micro-Benchmarks" },
	{ "osu", "# OSU MPI Allreduce Latency Test v7\n# Size Avg Latency(us)\n4 1.5\n8 1.6\n",
	  "this is no table of osu_latency, osu_bw or osu_mbw_mr" },
	{ "osu", "# OSU MPI Bi-Directional Bandwidth Test v7\n# Size Bandwidth (MB/s)\n4 1.5\n",
	  "this is no table of osu_latency" },
	{ "osu", "# Size Latency (us)\n4 fast\n", "a size and what it takes are expected" },
	{ "osu", "# Size Latency (us)\n4 0.00\n", "0 seconds of 4 bytes are no time of a message" },
	{ "osu", "# Size Latency (us)\n4 1e12\n", "1e+06 seconds of 4 bytes are no time" },
	{ "osu", "# Size Latency (us)\n4 1.0\n8 1.0\n", "lines are fitted through" },
	{ "osu", "# Size Bandwidth (MB/s)\n4 0\n", "0 MB/s of 4 bytes are no bandwidth" },
	{ "osu", "# Size MB/s Messages/s\n4 1 7e16\n", "7e+16 messages a second are no rate" },
	{ "osu", "# Size MB/s Messages/s\n4 1\n", "a size and what it takes are expected" },
	{ "imb", "", "it has no table of PingPong" },
	{ "imb", "# Benchmarking Bcast\n#bytes #repetitions t[usec]\n0 1 1\n",
	  "it has no table of PingPong" },
	{ "imb", "# Benchmarking PingPong\n#bytes #repetitions t[usec]\n0 1000\n",
	  "bytes, repetitions and microseconds are expected" },
	{ "netgauge", "hello\n", "it has neither Netgauge's table" },
	{ "netgauge", NETGAUGE_HEADING "1 10 3\n", "10 numbers are expected, and there are 3" },
	{ "netgauge", NETGAUGE_HEADING "1 10 3 4 5 6 7 x 9 10 11\n", "'x' is no number" },
	{ "netgauge", " L=0.0  s=1  G=0.001\n", "are no costs of a message" },
	{ "mlc", "Measuring idle latencies (in ns)\n 0 1 2\n", "it has latencies alone" },
	{ "mlc", "hello", "it has no matrix" },
	{ "stream", "Copy: 1000\n", "it has no line 'Triad:'" },
	{ "stream", "Triad: none\n", "behind 'Triad:' MB/s are expected" },
	{ "stream", "Triad: 0\n", "0 MB/s are no bandwidth of memory" },
	{ "simgrid", "", "it says nothing of smpi/lat-factor" },
	{ "simgrid", "--cfg=smpi/lat-factor:0:1 " CLUSTER, "it says nothing of smpi/bw-factor" },
	{ "simgrid", FACTORS, "it has no <cluster> with bw and lat" },
	{ "simgrid", FACTORS "<cluster bw=\"fast\"/>", "bw=\"fast\" is no bandwidth" },
	{ "simgrid", FACTORS "<cluster bw=\"1MBps\" lat=\"1 year\"/>",
	  "lat=\"1 year\" is no time" },
	{ "simgrid", FACTORS "<cluster bw=\"1MBps\"", "the cluster does not end" },
	{ "simgrid", "--cfg=smpi/lat-factor:0:0 --cfg=smpi/bw-factor:0:1 " CLUSTER,
	  "a factor of smpi/lat-factor is 0" },
	{ "simgrid", "--cfg=smpi/lat-factor:0:1:2", "is not SIZE:FACTOR;..." },
	{ "simgrid", "--cfg=smpi/os:0:1", "is not SIZE:SECONDS:SECONDS;..." },
	{ "simgrid", "--cfg=smpi/lat-factor:5:1;5:2", "each size once" },
	{ "simgrid", "--cfg=smpi/send-is-detached-thresh:x", "is no size" },
	{ "simgrid", FACTORS "<cluster bw=\"1e20\" lat=\"1us\" bb_bw=\"1e9\"/>",
	  "s a byte are no cost of an adapter" },
	{ "simgrid,latency_ns=0,bandwidth=1000", FACTORS, "are no costs of a message" },
};

START_TEST(what_is_no_such_file_is_refused)
{
	struct tmap_profile_draft draft;

	begin(&draft);
	ck_assert_int_eq(put(&draft, bad[_i][0], bad[_i][1]), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strstr(err.text, bad[_i][2]) != NULL, "%s", err.text);
	tmap_profile_draft_fini(&draft);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("costs");
	TCase *c = tcase_create("costs");

	tcase_add_test(c, tables_of_times_are_fitted);
	tcase_add_test(c, round_trips_are_halved);
	tcase_add_test(c, what_netgauge_prints_is_a_line);
	tcase_add_test(c, bandwidths_are_of_adapters_and_overheads);
	tcase_add_test(c, a_profile_keeps_what_no_file_says);
	tcase_add_test(c, memory_is_the_slowest_of_the_nodes_own);
	tcase_add_test(c, simgrid_costs_are_lines);
	tcase_add_test(c, simgrid_settings_have_more_than_one_form);
	tcase_add_test(c, simgrid_costs_of_many_pieces_are_fitted);
	tcase_add_loop_test(c, what_is_no_such_file_is_refused, 0, (int)(sizeof bad / sizeof *bad));
	suite_add_tcase(suite, c);
	return suite;
}
