#include "cli/command.h"

#include "cli/suggest_lint.h"
#include "cli/level_costs.h"
#include "cli/suggest_slots.h"
#include "cli/suggest_traffic.h"
#include "core/mappers/suggestion.h"
#include "formats/file.h"
#include "formats/format.h"
#include "formats/json_placement.h"
#include "formats/json_profile.h"
#include "formats/json_suggestion.h"
#include "formats/launchers/advice.h"
#include "formats/launchers/launcher.h"
#include "formats/svg_suggestion.h"
#include "formats/text_suggestion.h"

#include <stdlib.h>
#include <string.h>

struct suggest_args {
	const char *input, *output, *profile, *level_costs, *lint;
	int mapper, goal, launcher, format;
	int64_t effort, seed;
	struct tm_suggest_traffic_args traffic;
	struct tm_suggest_slots_args slots;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_FILE(struct suggest_args, input, "PLACEMENT", NULL,
			  "placement document to read, standard input if none is named; with --lint "
			  "also a MACHINE, or nothing") },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	TM_OPT_SUGGEST_TRAFFIC(struct suggest_args, traffic),
	TM_OPT_SUGGEST_SLOTS(struct suggest_args, slots),
	{ TM_OPT_CHOICE(struct suggest_args, mapper, 'm', "mapper", "MAPPER", NULL, &tm_mappers,
			TM_WORDS_ALL, "who finds the mapping; best by default, and walk where it is "
			"unknown what the ranks say to each other") },
	{ TM_OPT_CHOICE(struct suggest_args, goal, 0, "objective", "FIGURE", NULL, &tm_goals,
			TM_WORDS_ALL, "what is to be small; seconds by default, and cost where it is "
			"unknown what the ranks say to each other") },
	{ TM_OPT_STRING(struct suggest_args, level_costs, 0, "level-costs", "LEVEL:COST,...", NULL,
			"what a byte costs that goes from one object of a level to another, in the "
			"place of process distances: \"node:100,package:20,numa:10,core:1\"; the "
			"outermost level that is crossed counts") },
	{ TM_OPT_INT64(struct suggest_args, effort, 0, "effort", "STEPS", "200000000", 0, INT64_MAX,
		       "work that the mapper may do, about a message looked at each") },
	{ TM_OPT_INT64(struct suggest_args, seed, 0, "seed", "NUMBER", "1", 0, INT64_MAX,
		       "of what is tried at random: the same one gives the same mapping") },
	{ TM_OPT_FILE(struct suggest_args, profile, 0, "profile", "PROFILE", "summit",
		      "what messages cost: summit, bluewaters, or a file of your own, see "
		      "topomap-json(5)") },
	{ TM_OPT_CHOICE(struct suggest_args, launcher, 'l', "launcher", "LAUNCHER", "openmpi4",
			&tm_launchers, TM_WORDS_ALL, "whose file to write") },
	{ TM_OPT_FILE(struct suggest_args, lint, 0, "lint", "FILE", NULL,
		      "write nothing, but judge this file of the launcher; findings make the exit "
		      "status 4") },
	{ TM_OPT_CHOICE(struct suggest_args, format, 'f', "format", "FORMAT", "text", &tm_formats,
			TM_FORMATS(TEXT) | TM_FORMATS(JSON) | TM_FORMATS(SVG),
			"the launcher's file (text), the suggestion document, or a picture of the "
			"ranks in their places before and after") },
	{ TM_OPT_OUTPUT(struct suggest_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "a rankfile that brings neighbouring ranks together",
	  "topomap suggest-rankfile job.json -o better.rankfile", NULL },
	{ "for a program that calls two collectives, the first one more often; with little effort",
	  "topomap suggest-rankfile --effort 1000000 --for allgather:bruck:64KiB@3 "
	  "--for bcast:openmpi4:8 job.json", NULL },
	{ "for a grid with periodic borders, on any core that the job may use",
	  "topomap suggest-rankfile --effort 1000000 --cart 0x0 --periods 1,1 --slots core job.json",
	  NULL },
	{ "rank 0 stays, and the next three are on one node; a picture of it",
	  "topomap suggest-rankfile --effort 1000000 --for allreduce:ring:1MiB --pin-rank 0=here "
	  "--together 1-3 -f svg job.json", NULL },
	{ "the same mapping in another launcher's words",
	  "topomap suggest-rankfile --mapper identity --launcher hydra job.json", NULL },
	{ "what is wrong with a rankfile that somebody wrote",
	  "topomap suggest-rankfile --lint my.rankfile job.json", "there is no such rankfile" },
	{ "which rank takes whose place, for a script",
	  "topomap suggest-rankfile -f json job.json", NULL },
	{ NULL, NULL, NULL }
};

/* The suggestion itself, or a picture of it. */
static int write_document(const struct tm_suggestion *suggestion, const struct suggest_args *args,
			  const char *launch, struct tm_error *err)
{
	struct tm_output out = { 0 };
	int status = tm_output_init(&out, args->output, err);

	if (status == 0)
		status = args->format == TM_FORMAT_SVG ?
			 tm_suggestion_write_svg(suggestion, out.file, err) :
			 tm_suggestion_write_json(suggestion, launch, out.file, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
	tm_output_fini(&out);
	return status;
}

/* The launcher's file or the document, and the report. */
static int write_all(const struct tm_suggestion *suggestion, const struct suggest_args *args,
		     struct tm_error *err)
{
	bool document = args->format != TM_FORMAT_TEXT;
	struct tm_launch job = { 0 };
	char *line = NULL, *advice = NULL;
	int status = -1;

	if (tm_launch_init(&job, args->launcher, &suggestion->after, suggestion->before,
			   suggestion->place_of, document ? "-" : args->output, err) == 0 &&
	    tm_launch_check(&job, err) == 0 && (line = tm_launch_command(&job, err)))
		advice = tm_launch_advice(&job, err);
	if (advice)
		status = document ? write_document(suggestion, args, line, err) :
			 tm_launch_write(&job, args->output, err);
	if (status == 0)
		status = tm_suggestion_write_text(suggestion, line, stderr, err);
	if (status == 0)
		fputs(advice, stderr);
	free(advice);
	free(line);
	tm_launch_fini(&job);
	return status;
}

/* Mapper and objective depend on whether it is known what the ranks say. */
static int choose(struct tm_wish *wish, const struct suggest_args *args, struct tm_error *err)
{
	wish->mapper = args->mapper == TM_NONE ?
		       tm_words_find(&tm_mappers, wish->traffic ? "best" : "walk", err) :
		       args->mapper;
	wish->aim.goal = args->goal != TM_NONE ? (enum tm_goal)args->goal :
			 wish->traffic ? TM_GOAL_SECONDS : TM_GOAL_DISTANCE;
	if (args->level_costs && !wish->traffic)
		return tm_fail(err, TM_USAGE, "--level-costs weighs what the ranks say: --for, --cart, "
			       "--stencil or --matrix is missing");
	return wish->mapper == TM_NONE ? -1 : 0;
}

/* What was asked, as options. */
static char *say_request(const struct suggest_args *args, int mapper, struct tm_error *err)
{
	struct tm_str text = TM_STR_INIT;

	tm_suggest_traffic_say(&text, &args->traffic);
	tm_suggest_slots_say(&text, &args->slots);
	tm_str_addf(&text, "--mapper %s", tm_words_at(&tm_mappers, (size_t)mapper)->name);
	return tm_str_take(&text, err);
}

/* *costs is what the aim borrows. */
static int read_costs(struct tm_aim *aim, double **costs, const struct suggest_args *args,
		      const struct tm_machine *machine, struct tm_error *err)
{
	struct tm_levels levels;
	int status;

	if (!args->level_costs)
		return 0;
	if (tm_levels_init(&levels, machine, err) < 0)
		return -1;
	status = tm_level_costs_parse(costs, args->level_costs, &levels, err);
	aim->level_cost = *costs;
	aim->level_cost_count = levels.count;
	tm_levels_fini(&levels);
	return status < 0 ? tm_wrap(err, "--level-costs") : 0;
}

static int suggest(const struct suggest_args *args, struct tm_suggest_slots *slots,
		   struct tm_suggest_traffic *traffic, const struct tm_profile *profile,
		   struct tm_error *err)
{
	struct tm_wish wish = {
		.slots = &slots->slots, .before = slots->launched,
		.traffic = traffic->is_known ? &traffic->traffic : NULL,
		.aim = { .profile = profile, .scale = TM_SCALE_PROCESS },
		.effort = args->effort, .seed = (uint64_t)args->seed,
		.by = "topomap suggest-rankfile" };
	struct tm_suggestion suggestion = { 0 };
	double *costs = NULL;
	char *request = NULL;
	int status = -1;

	if (choose(&wish, args, err) == 0)
		request = say_request(args, wish.mapper, err);
	wish.request = request;
	if (request &&
	    read_costs(&wish.aim, &costs, args, slots->launched->machine, err) == 0 &&
	    tm_suggestion_init(&suggestion, &wish, err) == 0)
		status = write_all(&suggestion, args, err);
	tm_suggestion_fini(&suggestion);
	free(costs);
	free(request);
	return status;
}

/* A file is judged as it is; nothing is mapped. */
static int check_lint(const struct suggest_args *args, struct tm_error *err)
{
	const struct tm_suggest_traffic_args *traffic = &args->traffic;
	const struct tm_suggest_slots_args *slots = &args->slots;

	if (traffic->calls.count || traffic->matrices.count || traffic->cart || traffic->stencil ||
	    slots->pins.count || slots->together.count || slots->leave_free ||
	    slots->ranks != TM_NONE || args->mapper != TM_NONE || args->goal != TM_NONE)
		return tm_fail(err, TM_USAGE, "--lint judges a file: what the ranks say, where they may "
			       "run and who maps them is not asked");
	return 0;
}

/* Standard input can be read once. */
static int check_inputs(const struct suggest_args *args, const char *input, struct tm_error *err)
{
	int count = strcmp(input, "-") == 0;

	for (size_t i = 0; i < args->traffic.matrices.count; i++)
		count += strcmp(args->traffic.matrices.items[i], "-") == 0;
	if (count > 1)
		return tm_fail(err, TM_USAGE, "only one of the placement and the --matrix files can be "
			       "standard input");
	return 0;
}

static int run(const void *data, struct tm_error *err)
{
	const struct suggest_args *args = data;
	struct tm_profile_choice profile = { 0 };
	struct tm_placement placement = { 0 };
	struct tm_suggest_slots slots = { 0 };
	struct tm_suggest_traffic traffic = { 0 };
	const char *input = args->input ? args->input : "-";
	int status = -1;

	if (args->lint)
		return check_lint(args, err) < 0 ? -1 :
		       tm_suggest_lint(args->lint, args->launcher, args->input, args->format,
				       args->output, err);
	if (check_inputs(args, input, err) < 0)
		return -1;
	if (tm_profile_choose(&profile, args->profile, err) < 0)
		return tm_wrap(err, "--profile");
	if (tm_placement_read_json(&placement, input, err) == 0 &&
	    tm_suggest_slots_init(&slots, &args->slots, &placement, err) == 0 &&
	    tm_suggest_traffic_init(&traffic, &args->traffic, slots.launched, err) == 0)
		status = suggest(args, &slots, &traffic, &profile.profile, err);
	tm_suggest_traffic_fini(&traffic);
	tm_suggest_slots_fini(&slots);
	tm_placement_fini(&placement);
	tm_profile_choice_fini(&profile);
	return status;
}

const struct tm_command tm_cmd_suggest = {
	.name = "suggest-rankfile",
	.source = "cli/cmd_suggest.c",
	.summary = "write a better order of the ranks for the launcher",
	.description =
		"Gives the ranks of a job better places and writes them in the words of the "
		"launcher, so that the next run of the unchanged program has them. Standard error "
		"gets what that gains, and the command line to use.\n\n"
		"What the ranks say to each other is known from the collectives that the program "
		"calls (--for), from the grid that it is (--cart, --stencil), or from what was "
		"measured (--matrix); several of these add up. The table that follows has the "
		"job as launched, as suggested, and as launchers place it by themselves, one node "
		"filled after the other (block) or a rank for each node in turn (cyclic): the time by "
		"the cost profile, bytes times process distance, how long the busiest adapter, "
		"controller or other link takes, and the bytes that go from one object of a level to "
		"another one. A grid or a matrix counts as one round in which all of it is sent. "
		"Less than 3 % is hardly worth a file.\n\n"
		"A matrix is of one of these formats, recognised by its content: lines of numbers, one "
		"a rank (CSV, TreeMatch); a list of \"from to bytes\", or other columns under a heading "
		"with these names, as topomap schedule -f csv writes it; edges \"i , j = bytes\", Matrix "
		"Market, METIS and Scotch graphs, where the weight of an edge is bytes of both ways; "
		"and the .prof files of Open MPI's pml_monitoring. Ranks count from 0, but from 1 where "
		"the format says so. What a rank sends to itself does not count.\n\n"
		"Ranks take places that the job has, or any object of a kind on its nodes (--slots), "
		"one each, and as --pin-rank, --together and --leave-free say. If nothing is gained and "
		"nobody has to move, every rank stays where it is.\n\n"
		"The mapper best, the default where it is known what the "
		"ranks say, asks all others one after another, as far as the --effort goes, then changes "
		"ranks in pairs as long as that helps. Orders of levels are named with the first level "
		"changing fastest, as for topomap place --order. The same effort and seed give the same "
		"places on every machine.\n\n"
		"If nothing is known of what the ranks say, each is taken to talk to the next one. The "
		"mapper walk takes the places as one finds them walking through the "
		"machine: switch by switch, node by node, and inside a node package by package, "
		"cache by cache, core by core. No order of these places makes the ring of ranks, "
		"r to r+1 and the last to 0, shorter. The mapper identity writes a job as it is, for "
		"another launcher.\n\n"
		"Each launcher has limits, and what it cannot say is refused, with the name of one "
		"that can. Open MPI's rankfiles begin with rank 0, name each host by its short name, "
		"and hold at most 57 characters of host name and core list together; cores are "
		"counted as Open MPI does, in the order of the machine and only those that the job "
		"may use. If some rank has a part of a core, the whole file counts hardware threads. "
		"The file of the sequential mapper, seq, has no such limit.\n\n"
		"Slurm, Flux and Intel MPI bind by one list for all nodes. Where nodes differ, slurm "
		"writes a second file, a script that binds (NAME.sh), and needs --output NAME. Hydra, "
		"the mpiexec of MPICH, has a list for each host; where ranks come back to a host after "
		"others, hydra uses -rankmap, which MPICH 4.0 does not know: hydra40 then repeats the "
		"host, and MPICH uses no shared memory between its parts.\n\n"
		"With --lint, a file that somebody wrote is judged: of each mistake it is told in which "
		"line it is, why it is one, and what to write. Rankfiles can be judged without a job; with one, or "
		"with a MACHINE, hosts and cores are held against it.\n\n"
		"cray, permutation, permutation-json and c say who takes whose place, for a job that "
		"is started as before. The files of the others have the command line in a comment, and "
		"topomap place reads them back.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct suggest_args),
	.examples = examples,
	.see_also = "topomap-place(1), topomap-probe(1), topomap-json(5), mpirun(1)",
	.run = run,
};
