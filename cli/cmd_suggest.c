#include "cli/base/command.h"

#include "cli/suggest_lint.h"
#include "cli/suggest_request.h"
#include "formats/base/file.h"
#include "formats/base/format.h"
#include "formats/launchers/advice.h"
#include "formats/launchers/flags.h"
#include "formats/launchers/launcher.h"
#include "formats/machine/json_placement.h"
#include "formats/report/suggestion/json_suggestion.h"
#include "formats/report/suggestion/svg_suggestion.h"
#include "formats/report/suggestion/text_suggestion.h"

#include <stdlib.h>
#include <string.h>

struct suggest_args {
	const char *input, *output, *lint;
	int launcher, format;
	struct tmap_suggest_request_args wish;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILE(
		struct suggest_args, input, "PLACEMENT", NULL,
		"placement document to read, standard input if none is named; with --lint "
		"also a MACHINE, or nothing") },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	TMAP_OPT_SUGGEST_REQUEST(struct suggest_args, wish),
	{ TMAP_OPT_CHOICE(struct suggest_args, launcher, 'l', "launcher", "LAUNCHER", "openmpi4",
			  &tmap_launchers, TMAP_KEYWORDS_ALL, "whose file to write") },
	{ TMAP_OPT_FILE(struct suggest_args, lint, 0, "lint", "FILE", NULL,
			"write nothing, but judge this file of the launcher; findings make the exit "
			"status 4") },
	{ TMAP_OPT_CHOICE(
		struct suggest_args, format, 'f', "format", "FORMAT", "text", &tmap_formats,
		TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(SVG),
		"the launcher's file (text), the suggestion document, or a picture of the "
		"ranks in their places before and after") },
	{ TMAP_OPT_OUTPUT(struct suggest_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "a rankfile that brings neighbouring ranks together",
	  "topomap suggest-rankfile job.json -o better.rankfile", NULL },
	{ "for a program that calls two collectives, the first one more often; with little effort",
	  "topomap suggest-rankfile --effort 1000000 --for allgather:bruck:64KiB@3 "
	  "--for bcast:openmpi4:8 job.json",
	  NULL },
	{ "for a grid with periodic borders, on any core that the job may use",
	  "topomap suggest-rankfile --effort 1000000 --cart 0x0 --periods 1,1 --slots core job.json",
	  NULL },
	{ "by measured traffic, with costs of levels as other mappers have them",
	  "topomap suggest-rankfile --effort 1000000 --matrix traffic.csv --objective cost "
	  "--level-costs node:100,package:20,core:1 job.json",
	  NULL },
	{ "rank 0 stays, and the next three are on one node; a picture of it",
	  "topomap suggest-rankfile --effort 1000000 --for allreduce:ring:1MiB --pin-rank 0=here "
	  "--together 1-3 -f svg job.json",
	  NULL },
	{ "the same mapping in another launcher's words",
	  "topomap suggest-rankfile --mapper identity --launcher hydra job.json", NULL },
	{ "what is wrong with a rankfile that somebody wrote",
	  "topomap suggest-rankfile --lint my.rankfile job.json", "there is no such rankfile" },
	{ "which rank takes whose place, for a script", "topomap suggest-rankfile -f json job.json",
	  NULL },
	{ NULL, NULL, NULL },
};

/* The suggestion itself, or a picture of it. */
static int write_document(const struct tmap_suggestion *suggestion, const struct suggest_args *args,
			  const char *launch, struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0)
		status = args->format == TMAP_FORMAT_SVG ?
			tmap_suggestion_write_svg(suggestion, out.file, err) :
			tmap_suggestion_write_json(suggestion, launch, out.file, err);
	if (status == 0)
		status = tmap_output_commit(&out, err);
	tmap_output_fini(&out);
	return status;
}

/* A simple order that does nearly as well, where options alone do not give the suggested one;
 * TMAP_NONE: there is none. *flags is the caller's to free. */
static int find_simple(int *simple, char **flags, const struct tmap_suggestion *suggestion,
		       const struct tmap_launch *job, int launcher, struct tmap_error *err)
{
	struct tmap_launch other = { 0 };
	int status;

	*simple = tmap_suggestion_simple(suggestion);
	if (*simple == TMAP_NONE)
		return 0;
	if (tmap_launch_find_flags(flags, job, err) < 0)
		return -1;
	if (*flags) {
		*simple = TMAP_NONE;
		return 0;
	}
	status = tmap_launch_init(&other, launcher, &suggestion->state[*simple].placement,
				  suggestion->before, NULL, "-", err);
	if (status == 0)
		status = tmap_launch_find_flags(flags, &other, err);
	tmap_launch_fini(&other);
	return status;
}

/* The launcher's file or the document, and the report. */
static int write_all(const struct tmap_suggestion *suggestion, const struct suggest_args *args,
		     struct tmap_error *err)
{
	bool document = args->format != TMAP_FORMAT_TEXT;
	char *line = NULL, *advice = NULL, *flags = NULL;
	int status = -1, simple = TMAP_NONE;
	struct tmap_launch job = { 0 };

	if (tmap_launch_init(&job, args->launcher, &suggestion->after, suggestion->before,
			     suggestion->place_of, document ? "-" : args->output, err) == 0 &&
	    tmap_launch_check(&job, err) == 0 && (line = tmap_launch_command(&job, err)))
		advice = tmap_launch_advice(&job, err);
	if (advice && find_simple(&simple, &flags, suggestion, &job, args->launcher, err) == 0)
		status = document ? write_document(suggestion, args, line, err) :
				    tmap_launch_write(&job, args->output, err);
	if (status == 0)
		status = tmap_suggestion_write_text(suggestion, line, stderr, err);
	if (status == 0)
		fputs(advice, stderr);
	if (status == 0 && simple != TMAP_NONE)
		tmap_suggestion_write_simple(suggestion, simple, flags, stderr);
	free(flags);
	free(advice);
	free(line);
	tmap_launch_fini(&job);
	return status;
}

/* Standard input can be read once. */
static int check_inputs(const struct suggest_args *args, const char *input, struct tmap_error *err)
{
	const struct tmap_opt_list *matrices = &args->wish.traffic.matrices;
	int count = strcmp(input, "-") == 0;

	for (size_t i = 0; i < matrices->count; i++)
		count += strcmp(matrices->items[i], "-") == 0;
	if (count > 1)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of the placement and the --matrix files can be "
				 "standard input");
	return 0;
}

/* A file is judged as it is; nothing is mapped. */
static int lint(const struct suggest_args *args, struct tmap_error *err)
{
	if (tmap_suggest_request_asks(&args->wish))
		return tmap_fail(err, TMAP_USAGE,
				 "--lint judges a file: what the ranks say, where they may "
				 "run and who maps them is not asked");
	return tmap_suggest_lint(args->lint, args->launcher, args->input, args->format,
				 args->output, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct suggest_args *args = data;
	const char *input = args->input ? args->input : "-";
	struct tmap_placement placement = { 0 };
	struct tmap_suggest_request wish = { 0 };
	struct tmap_suggestion suggestion = { 0 };
	int status = -1;

	if (args->lint)
		return lint(args, err);
	if (check_inputs(args, input, err) == 0 &&
	    tmap_placement_read_json(&placement, input, err) == 0 &&
	    tmap_suggest_request_init(&wish, &args->wish, &placement, err) == 0 &&
	    tmap_suggestion_init(&suggestion, &wish.wish, err) == 0)
		status = write_all(&suggestion, args, err);
	tmap_suggestion_fini(&suggestion);
	tmap_suggest_request_fini(&wish);
	tmap_placement_fini(&placement);
	return status;
}

const struct tmap_command tmap_cmd_suggest = {
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
		"Less than 3 % is hardly worth a file; a simple order as good is named.\n\n"
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
		"The file of the sequential mapper, seq, takes lines of 1022 characters.\n\n"
		"Slurm, Flux and Intel MPI bind by one list for all nodes. Where nodes differ, slurm "
		"writes a second file, a script that binds (NAME.sh), and needs --output NAME. Hydra, "
		"the mpiexec of MPICH, has a list for each host; where ranks come back to a host after "
		"others, hydra uses -rankmap, which MPICH 4.0 does not know: hydra40 then repeats the "
		"host, and MPICH uses no shared memory between its parts.\n\n"
		"With --lint, a file that somebody wrote is judged: of each mistake it is told in which "
		"line it is, why it is one, and what to write. Rankfiles can be judged without a "
		"job; with one, or with a MACHINE, hosts and cores are held against it. The files "
		"of other launchers are "
		"read as topomap place reads them: it is told why they are refused, or which ranks get "
		"hardware threads or cores that others have too. What the ranks say and who maps them "
		"has no meaning then and is refused, and so are the lines of C.\n\n"
		"cray, permutation, permutation-json and c say who takes whose place, for a job that "
		"is started as before. The files of the others have the command line in a comment, and "
		"topomap place reads them back. Where options of mpirun, srun or mpiexec alone give "
		"every rank the same place, they are told too.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct suggest_args),
	.examples = examples,
	.see_also = "topomap-place(1), topomap-probe(1), topomap-json(5), mpirun(1)",
	.run = run,
};
