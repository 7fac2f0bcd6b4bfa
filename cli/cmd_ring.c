#include "cli/base/command.h"

#include "cli/base/structure.h"
#include "core/tree/edges.h"
#include "core/tree/ring.h"
#include "formats/report/ring/dot_ring.h"
#include "formats/report/ring/text_ring.h"

#include <stdlib.h>

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct tmap_structure_args, job.input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	TMAP_OPT_JOB(struct tmap_structure_args, job),
	{ TMAP_OPT_STRING(struct tmap_structure_args, job.merge, 0, "merge", "DISTANCES", NULL,
			  "merge these distances into one: \"1,2,3\"") },
	TMAP_OPT_AGAINST(struct tmap_structure_args, against, job, "ring", "block of each rank"),
	{ TMAP_OPT_ACCESSES(struct tmap_structure_args, accesses) },
	{ TMAP_OPT_FOLD(struct tmap_structure_args, fold) },
	{ TMAP_OPT_FORMAT(struct tmap_structure_args, format, "text", TMAP_REPORT_FORMATS) },
	{ TMAP_OPT_OUTPUT(struct tmap_structure_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the ring of a job", "topomap ring job.json", NULL },
	{ "a picture of it", "topomap ring -f svg -o ring.svg job.json", NULL },
	{ "its order for a script", "topomap ring -f json <job.json", NULL },
	{ "the ring of a sub-communicator", "topomap ring --comm 8-15,0-7 job.json", NULL },
	{ "compare the ring with the libraries' rings, memory accesses included",
	  "topomap ring --against all --bytes 64KiB --accesses job.json", NULL },
	{ NULL, NULL, NULL },
};

/* What the writers need. */
struct subject {
	struct tmap_structure exhibit;
	struct tmap_ring ring;
	double weight;
	struct tmap_edge_count *edges;
	int edge_count;
};

static int write_text(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;
	int status = tmap_structure_write_tables(out, &it->exhibit, TMAP_NONE, err);

	if (status == 0)
		status = tmap_text_write_ring(out, &it->exhibit.view, &it->ring, it->weight,
					      it->edges, it->edge_count, err);
	return status < 0 ? -1 : tmap_structure_write_rest(out, &it->exhibit, err);
}

static int write_json(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;
	const struct tmap_report report = tmap_structure_report(&it->exhibit);

	return tmap_ring_write_report(&it->ring, &report, it->exhibit.job.placement.machine, out,
				      err);
}

/* Ours, and beside it the one other that it is held against. */
static int write_dot(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;
	const struct tmap_structure *exhibit = &it->exhibit;
	struct tmap_ring other = { 0 };
	const struct tmap_ring *const both[] = { &it->ring, &other };
	int count = tmap_structure_count_pictures(exhibit, "ring", err), status;

	if (count < 0 ||
	    (count == 2 &&
	     tmap_baseline_options_ring(&other, &exhibit->job, exhibit->args->against.items[0],
					err) < 0))
		return -1;
	status = tmap_dot_write_rings(out, &exhibit->view, both, count,
				      tmap_structure_report(exhibit).versus, err);
	tmap_ring_fini(&other);
	return status;
}

static const struct tmap_writers show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct tmap_structure_args *args, struct tmap_error *err)
{
	struct tmap_structure *exhibit = &it->exhibit;

	if (tmap_structure_init(exhibit, args, TMAP_NONE, "Distance-aware allgather ring", err) <
		    0 ||
	    tmap_subject_ring(&it->ring, &exhibit->job, err) < 0 ||
	    tmap_ring_measure(&it->ring, &it->weight, &it->edges, &it->edge_count, err) < 0)
		return -1;
	return tmap_structure_account(exhibit, "distance_ring", NULL, &it->ring, err);
}

static int run(const void *data, struct tmap_error *err)
{
	struct subject it = { 0 };
	int status = build(&it, data, err);

	if (status == 0)
		status = tmap_structure_show(&it.exhibit, &show, &it, err);
	free(it.edges);
	tmap_ring_fini(&it.ring);
	tmap_structure_fini(&it.exhibit);
	return status;
}

const struct tmap_command tmap_cmd_ring = {
	.name = "ring",
	.summary = "show the distance-aware allgather ring of a placement",
	.description =
		"The ring crosses every border of the machine as few times as possible (Ma, "
		"Herault, Bosilca, Dongarra). --against compares it with the rings of Open "
		"MPI, MPICH and UCC: steps at each distance, bytes across each level, and the "
		"predicted time of an allgather of --bytes from each rank.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tmap_structure_args),
	.examples = examples,
	.run = run,
};
