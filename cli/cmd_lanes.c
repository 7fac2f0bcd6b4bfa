#include "cli/command.h"

#include "cli/view.h"
#include "formats/dot_lanes.h"
#include "formats/file.h"
#include "formats/json_lanes.h"
#include "formats/json_placement.h"
#include "formats/text_lanes.h"

struct lanes_args {
	const char *input, *output;
	int lanes, format;
	bool mend, all;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct lanes_args, input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	{ TM_OPT_INT(struct lanes_args, lanes, 'k', "lanes", "K", NULL, 1, INT_MAX,
		     "so many virtual lanes, each joining one leader of every node; without it "
		     "every rank is in a lane of its own node") },
	{ TM_OPT_FLAG(struct lanes_args, mend, 0, "mend",
		      "instead of all that, write the placement in which the ranks take the same "
		      "places node after node") },
	{ TM_OPT_FLAG(struct lanes_args, all, 'a', "all",
		      "text: all nodes and lanes, however many there are") },
	{ TM_OPT_FORMAT(struct lanes_args, format, "text", TM_SHOW_FORMATS) },
	{ TM_OPT_OUTPUT(struct lanes_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "the node and lane communicators of a job", "topomap lanes job.json", NULL },
	{ "two lanes, and who leads them", "topomap lanes --lanes 2 job.json", NULL },
	{ "a picture of them", "topomap lanes -f svg -o lanes.svg job.json", NULL },
	{ "a rankfile for a job whose ranks were dealt out node by node",
	  "topomap place 'node:4 package:2 core:4' --map-by node | topomap lanes --mend | topomap "
	  "suggest-rankfile --mapper identity", NULL },
	{ NULL, NULL, NULL }
};

/* What the writers need. */
struct subject {
	const struct lanes_args *args;
	struct tm_placement placement;
	struct tm_lanes lanes;
	struct tm_mend mend;
	struct tm_adapters adapters;
	struct tm_lanes_report report;
};

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_text_write_lanes(out, &it->report, it->args->all, err);
}

static int write_json(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_json_write_lanes(out, &it->report, err);
}

static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_dot_write_lanes(out, &it->report, err);
}

static const struct tm_show show = { write_text, write_json, write_dot };

/* The same placement where the ranks follow each other already. */
static int write_mended(const struct subject *it, struct tm_error *err)
{
	struct tm_placement mended = { 0 };
	struct tm_output out = { 0 };
	int status = tm_placement_select(&mended, &it->placement, it->lanes.rank,
					 it->placement.size, err);

	if (status == 0)
		status = tm_output_init(&out, it->args->output, err);
	if (status == 0)
		status = tm_placement_write_json(&mended, out.file, NULL, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
	tm_output_fini(&out);
	tm_placement_fini(&mended);
	return status;
}

static int check(const struct lanes_args *args, struct tm_error *err)
{
	if (args->mend && args->lanes != TM_NONE)
		return tm_fail(err, TM_USAGE, "--mend and --lanes cannot be combined");
	if (args->mend && args->format != TM_FORMAT_TEXT)
		return tm_fail(err, TM_USAGE, "--mend writes a placement, whatever -f says");
	if (args->all && args->format != TM_FORMAT_TEXT)
		return tm_fail(err, TM_USAGE, "--all is for text");
	return 0;
}

static int run(const void *data, struct tm_error *err)
{
	const struct lanes_args *args = data;
	struct subject it = { .args = args };
	int status = -1;

	if (check(args, err) < 0 ||
	    tm_placement_read_json(&it.placement, args->input, err) < 0 ||
	    tm_lanes_init(&it.lanes, &it.placement, args->lanes, err) < 0 ||
	    tm_mend_init(&it.mend, &it.lanes, err) < 0 ||
	    tm_adapters_init(&it.adapters, &it.lanes, err) < 0)
		goto out;
	it.report = (struct tm_lanes_report){ &it.lanes, &it.mend, &it.adapters };
	status = args->mend ? write_mended(&it, err) :
		 tm_show(&show, args->format, args->output, &it, err);
out:
	tm_adapters_fini(&it.adapters);
	tm_mend_fini(&it.mend);
	tm_lanes_fini(&it.lanes);
	tm_placement_fini(&it.placement);
	return status;
}

const struct tm_command tm_cmd_lanes = {
	.name = "lanes",
	.summary = "show the node and lane communicators of a placement",
	.description =
		"Prints the communicators into which collective operations are decomposed so that "
		"several network adapters of a node work at once (Traeff and Hunold, "
		"\"Decomposing MPI Collectives for Exploiting Multi-lane Communication\"): node "
		"communicators, as MPI_Comm_split_type with MPI_COMM_TYPE_SHARED gives them, and "
		"lane communicators, as MPI_Comm_split by the rank in the node communicator gives "
		"them. Lists are in rank order.\n\n"
		"Published implementations work where every node has the same number of ranks "
		"(regular), and these follow each other node by node (consecutive); else they fall "
		"back without a word. Here it is said which nodes are in the way and what mends it: "
		"--mend writes the placement with the ranks in the same places in a better order, "
		"ready for suggest-rankfile or compare.\n\n"
		"Physical lanes are the network adapters that messages go over. A rank drives the "
		"one that is closest to it; equally close ones are shared out evenly.\n\n"
		"With --lanes K the ranks of each node form K groups of neighbours. The rank of a "
		"group that is closest to an adapter is its leader, and lane l joins the leaders of "
		"the groups l of all nodes. K = 1 is the usual hierarchy with one leader a node. On "
		"a node with fewer than K ranks each of them drives several lanes.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct lanes_args),
	.examples = examples,
	.see_also = "topomap-inspect(1), topomap-score(1), topomap-suggest-rankfile(1), "
		    "topomap(7), topomap-json(5)",
	.run = run,
};
