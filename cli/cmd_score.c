/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/algorithm_names.h"
#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "cli/score_times.h"
#include "core/base/series.h"
#include "core/schedule/datatype.h"
#include "core/score/score.h"
#include "core/score/sweep.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/machine/json_profile.h"
#include "formats/report/score/score_report.h"
#include "formats/report/score/sweep_report.h"
#include "formats/report/times/measured_plot.h"
#include "options/grid.h"

#include <stdlib.h>
#include <string.h>

struct score_args {
	const char *input, *output, *profile, *comm, *adapters, *datatype;
	struct tmap_opt_list algorithms, times;
	int64_t bytes;
	int collective, root, library, format, plot;
	const char *sizes, *ranks;
	struct tmap_grid_args grid;
	bool sweep;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct score_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_CHOICE(struct score_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			  &tmap_collectives, TMAP_KEYWORDS_ALL,
			  "collective operation; required but for --times") },
	{ TMAP_OPT_BYTES(struct score_args, bytes, "") },
	{ TMAP_OPT_DATATYPE(struct score_args, datatype, "") },
	{ TMAP_OPT_LIST(struct score_args, algorithms, 'a', "algorithm", "NAME[,KEY=VALUE]...",
			"only this algorithm, with these parameters") },
	{ TMAP_OPT_INT(struct score_args, root, 'r', "root", "RANK", NULL, 0, INT_MAX,
		       "root of rooted collectives (0)") },
	{ TMAP_OPT_LIBRARY(
		struct score_args, library, 'l',
		"MPI library to mark what it can be set to, and to say how; with --sweep: "
		"only what it can be set to or takes by itself") },
	{ TMAP_OPT_PROFILE(struct score_args, profile, "") },
	{ TMAP_OPT_COMM(struct score_args, comm) },
	{ TMAP_OPT_ADAPTERS(struct score_args, adapters) },
	TMAP_OPT_GRID(struct score_args, grid),
	{ TMAP_OPT_FLAG(struct score_args, sweep, 0, "sweep",
			"a map of the fastest algorithm, for 1, 4, 16, ... bytes up to --bytes and "
			"the first 2, 4, 8, ... ranks") },
	{ TMAP_OPT_STRING(struct score_args, sizes, 0, "sizes", "LIST", NULL,
			  "with --sweep, instead of --bytes: these sizes, \"8,1KiB,64KiB\", "
			  "\"1..1MiB\" (doubling) or \"1..1MiB*4\"") },
	{ TMAP_OPT_STRING(
		  struct score_args, ranks, 0, "rank-counts", "LIST", NULL,
		  "with --sweep: the first so many ranks, \"2,16,60\", \"2..64\" (doubling)"),
	  .other_name = "ranks" },
	{ TMAP_OPT_OF(struct score_args, times, struct tmap_opt_list, &tmap_opt_files, 0, "times",
		      "FILE", NULL,
		      "compare predicted times with those that topomap-bench measured, on their "
		      "placement unless another is given; without --collective of each, without "
		      "--bytes of every size; several "
		      "files are launches of one job. With --sweep: a map of the best measured "
		      "algorithm, from a file for each number of ranks. Not with --algorithm, "
		      "--comm, --datatype, --library and the options of neighbors") },
	{ TMAP_OPT_CHOICE(struct score_args, plot, 0, "plot", "PLOT", NULL, &tmap_measured_plots,
			  TMAP_KEYWORDS_ALL, "with --times and -f svg: what is drawn (time)") },
	{ TMAP_OPT_FORMAT(struct score_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(CSV) |
				  TMAP_FORMATS(SVG)) },
	{ TMAP_OPT_OUTPUT(struct score_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the algorithms of allgather for 64 KiB a rank, fastest first",
	  "topomap score --collective allgather --bytes 64KiB job.json", NULL },
	{ "the same for a job in cyclic order",
	  "topomap place 'node:4 package:2 core:4' --map-by node | topomap score -c allgather "
	  "-b 64KiB",
	  NULL },
	{ "two algorithms, for a spreadsheet",
	  "topomap score -c allgather -b 4096 -a bruck,radix=4 -a ring -f csv job.json", NULL },
	{ "hierarchical allreduces with other algorithms between or inside nodes",
	  "topomap score -c allreduce -b 64KiB -a hierarchical,levels=node,inner=rabenseifner "
	  "-a hierarchical,levels=node,reduce=flat,bcast=flat job.json",
	  NULL },
	{ "an allreduce over all lanes, over two, and over one leader a node",
	  "topomap score -c allreduce -b 1MiB -a lane,inner=ring -a lane,lanes=2 -a lane,lanes=1 "
	  "job.json",
	  NULL },
	{ "were the predictions true? times that topomap-bench has measured",
	  "topomap score --times times.json", "it needs measured times" },
	{ "the same as a picture: measured times over sizes, predicted ones dashed",
	  "topomap score -c allgather --times times.json -o times.svg", "it needs measured times" },
	{ "and the bandwidth that comes of them",
	  "topomap score -c bcast --times times.json --plot bandwidth -o bandwidth.svg",
	  "it needs measured times" },
	{ "the best measured allgather by size and ranks, and what it gains over the second best",
	  "topomap score -c allgather --sweep --times two.json --times four.json --times eight.json",
	  "it needs measured times" },
	{ "a picture of the fastest bcast up to 1 MiB and 32 ranks",
	  "topomap score -c bcast -b 1MiB --sweep -f svg -o map.svg job.json", NULL },
	{ "what MPICH takes, and the best that its variables select",
	  "topomap score -c allgather -b 1KiB --library mpich job.json", NULL },
	{ "the best that Open MPI 5 can be set to, for a table of rules",
	  "topomap score -c allreduce --sweep --sizes 8..64KiB*8 --rank-counts 2,8,32 --datatype double "
	  "--library openmpi5 -f json job.json",
	  NULL },
	{ NULL, NULL, NULL },
};

/* What was measured is of the ranks and the elements that it says, and of no library but one. */
static int check_times(const struct score_args *args, struct tmap_error *err)
{
	const char *other = args->sizes    ? "sizes" :
		args->ranks                ? "rank-counts" :
		args->algorithms.count     ? "algorithm" :
		args->comm                 ? "comm" :
		args->datatype             ? "datatype" :
		args->library != TMAP_NONE ? "library" :
		args->grid.stencil         ? "stencil" :
		args->grid.cart            ? "cart" :
		args->grid.periods         ? "periods" :
		args->grid.order           ? "order" :
					     NULL;

	if (other)
		return tmap_fail(err, TMAP_USAGE, "--times and --%s cannot be combined", other);
	if (args->plot != TMAP_NONE && (args->format != TMAP_FORMAT_SVG || args->sweep))
		return tmap_fail(err, TMAP_USAGE,
				 "--plot is for -f svg of --times, without --sweep");
	if (args->sweep && (strcmp(args->input, "-") != 0 || args->profile || args->adapters))
		return tmap_fail(err, TMAP_USAGE,
				 "--sweep of --times is a map of what was measured: it takes no %s",
				 args->profile          ? "--profile" :
					 args->adapters ? "--adapters" :
							  "placement");
	return 0;
}

/* What a time was measured of is in its document; a list and a map are of one collective. */
static int check_collective(const struct score_args *args, struct tmap_error *err)
{
	if (args->collective == TMAP_NONE && (!args->times.count || args->sweep))
		return tmap_fail(err, TMAP_USAGE, "--collective is missing%s",
				 args->times.count ? ": a map is of one" : "");
	if (args->collective == TMAP_NONE && args->root != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "--root is of one collective: --collective is missing");
	if (args->root > 0 && !tmap_collective_rows[args->collective].has_root)
		return tmap_fail(err, TMAP_USAGE, "%s has no root",
				 tmap_collective_rows[args->collective].word.name);
	return 0;
}

static int ask(struct tmap_score_request *request, const struct score_args *args,
	       struct tmap_error *err)
{
	bool is_barrier = args->collective == TMAP_BARRIER;

	if (check_collective(args, err) < 0)
		return -1;
	if (is_barrier && args->bytes != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "a barrier has no --bytes");
	if (is_barrier && args->datatype)
		return tmap_fail(err, TMAP_USAGE, "a barrier has no --datatype");
	if (!args->sweep && (args->sizes || args->ranks))
		return tmap_fail(err, TMAP_USAGE, "--%s is for a map: --sweep is missing%s",
				 args->sizes ? "sizes" : "rank-counts",
				 args->sizes ? "" : "; ranks of a sub-communicator: --comm");
	if (args->sizes && (is_barrier || args->bytes != TMAP_NONE))
		return tmap_fail(err, TMAP_USAGE,
				 is_barrier ? "a barrier has no --sizes" :
					      "--bytes and --sizes cannot be combined");
	if (args->plot != TMAP_NONE && !args->times.count)
		return tmap_fail(err, TMAP_USAGE, "--plot is for --times, which is missing");
	if (args->times.count && check_times(args, err) < 0)
		return -1;
	if (!is_barrier && args->bytes == TMAP_NONE && !args->sizes && !args->times.count)
		return tmap_fail(err, TMAP_USAGE,
				 args->sweep ? "--bytes or --sizes is missing" :
					       "--bytes is missing");
	if (!args->sweep && !args->times.count && args->format == TMAP_FORMAT_SVG)
		return tmap_fail(
			err, TMAP_USAGE,
			"-f svg draws the map of --sweep or the times of --times; neither is given");
	if (tmap_algorithm_names_check(&args->algorithms, (enum tmap_collective)args->collective,
				       err) < 0)
		return -1;
	*request =
		(struct tmap_score_request){ .collective = (enum tmap_collective)args->collective,
					     .bytes = is_barrier || args->sizes ? 0 : args->bytes,
					     .root = args->root == TMAP_NONE ? 0 : args->root,
					     .algorithm = args->algorithms.items,
					     .algorithm_count = args->algorithms.count,
					     .has_library = args->library != TMAP_NONE,
					     .library = args->library,
					     .defaults = args->format == TMAP_FORMAT_CSV ?
						     TMAP_SCORE_DEFAULTS_NONE :
						     TMAP_SCORE_DEFAULTS_LISTED };
	if (args->datatype &&
	    (tmap_datatype_parse(args->datatype, &request->element, err) < 0 ||
	     tmap_datatype_check(request->element, request->bytes, err) < 0))
		return tmap_wrap(err, "--datatype");
	return 0;
}

static int write_score(FILE *out, const struct tmap_score *score, int format,
		       struct tmap_error *err)
{
	return (format == TMAP_FORMAT_JSON        ? tmap_json_write_score :
			format == TMAP_FORMAT_CSV ? tmap_csv_write_score :
						    tmap_text_write_score)(out, score, err);
}

static int write_sweep(FILE *out, const struct tmap_sweep *sweep, int format,
		       struct tmap_error *err)
{
	return (format == TMAP_FORMAT_SVG          ? tmap_svg_write_sweep :
			format == TMAP_FORMAT_JSON ? tmap_json_write_sweep :
			format == TMAP_FORMAT_CSV  ? tmap_csv_write_sweep :
						     tmap_text_write_sweep)(out, sweep, err);
}

/* Who names algorithms wants one of them. */
static int check_score(const struct tmap_score *score, const struct score_args *args,
		       struct tmap_error *err)
{
	if (!args->algorithms.count || score->applicable)
		return 0;
	return tmap_fail(err, TMAP_INPUT, "%s%s",
			 score->count > 1 ? "none of the algorithms can run "
					    "here: " :
					    "",
			 score->row[0].reason);
}

static int check_sweep(const struct tmap_sweep *sweep, const struct score_args *args,
		       struct tmap_error *err)
{
	return !args->algorithms.count || sweep->name_count ?
		0 :
		tmap_fail(err, TMAP_INPUT,
			  "none of the algorithms can run on any part of this job");
}

/* The axes are the user's, or the preset ones. */
static int sweep_init(struct tmap_sweep *sweep, const struct score_args *args,
		      const struct tmap_placement *placement,
		      const struct tmap_score_request *request, struct tmap_error *err)
{
	struct tmap_sweep_axes axes = { .asks_others = args->format == TMAP_FORMAT_TEXT };
	int status = 0;

	if (args->sizes &&
	    tmap_series_parse(args->sizes, 0, INT64_MAX, &axes.bytes, &axes.size_count, err) < 0)
		status = tmap_wrap(err, "--sizes");
	if (status == 0 && args->ranks &&
	    tmap_series_parse(args->ranks, 2, placement->size, &axes.ranks, &axes.rank_count, err) <
		    0)
		status = tmap_wrap(err, "--rank-counts");
	if (status == 0)
		status = tmap_sweep_init(sweep, placement, request, &axes, err);
	free(axes.bytes);
	free(axes.ranks);
	return status;
}

/* Score or sweep, into a file that is open. */
static int answer(FILE *out, const struct score_args *args, const struct tmap_placement *placement,
		  struct tmap_score_request *request, struct tmap_progress_line *line,
		  struct tmap_error *err)
{
	struct tmap_score score = { 0 };
	struct tmap_sweep sweep = { 0 };
	int status;

	request->progress = &line->progress;
	if (args->sweep) {
		status = sweep_init(&sweep, args, placement, request, err);
		tmap_progress_line_fini(line);
		if (status == 0)
			status = check_sweep(&sweep, args, err);
		if (status == 0 && args->format == TMAP_FORMAT_TEXT)
			status = tmap_communicator_write_text(out, placement, err);
		if (status == 0)
			status = write_sweep(out, &sweep, args->format, err);
		tmap_sweep_fini(&sweep);
		return status;
	}
	status = tmap_score_init(&score, placement, request, err);
	tmap_progress_line_fini(line);
	if (status == 0)
		status = check_score(&score, args, err);
	if (status == 0 && args->format == TMAP_FORMAT_TEXT)
		status = tmap_communicator_write_text(out, placement, err);
	if (status == 0)
		status = write_score(out, &score, args->format, err);
	tmap_score_fini(&score);
	return status;
}

static int run(const void *data, struct tmap_error *err)
{
	const struct score_args *args = data;
	struct tmap_profile_request profile = { 0 };
	struct tmap_placement placement = { 0 };
	struct tmap_score_request request;
	struct tmap_output out = { 0 };
	struct tmap_neighborhood neighborhood = { 0 };
	struct tmap_progress_line line;
	int status = -1;

	if (ask(&request, args, err) < 0)
		return -1;
	if (args->times.count)
		return tmap_score_times_run(
			&(struct tmap_score_times){ args->input, args->output, args->profile,
						    args->adapters, &args->times, args->collective,
						    args->bytes, request.root, args->format,
						    args->plot, args->sweep },
			err);
	request.profile = &profile.profile;
	tmap_progress_line_start(&line, "topomap score");
	if (tmap_communicator_read(&placement, args->input, args->comm, args->adapters, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, &placement, err) < 0 ||
	    tmap_grid_init(&neighborhood, &args->grid, request.collective, placement.size, err) < 0)
		goto out;
	if (neighborhood.size)
		request.neighborhood = &neighborhood;
	if (tmap_output_init(&out, args->output, err) == 0)
		status = answer(out.file, args, &placement, &request, &line, err);
out:
	tmap_progress_line_fini(&line);
	status = tmap_output_end(&out, status, err);
	tmap_neighborhood_fini(&neighborhood);
	tmap_placement_fini(&placement);
	tmap_profile_request_fini(&profile);
	return status;
}

const struct tmap_command tmap_cmd_score = {
	.name = "score",
	.summary = "list the algorithms of a collective, fastest first",
	.description =
		"For each algorithm: the predicted time, rounds, messages and bytes, and how "
		"many bytes cross each level of the machine and the network. Below the list "
		"are the default algorithms of Open MPI, MPICH and UCC for this call, the best "
		"that their options select, and how to select it in one of them. Times follow a cost profile with "
		"contention for adapters and memory; they are predictions, not measurements.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct score_args),
	.examples = examples,
	.run = run,
};
