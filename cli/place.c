#include "cli/place.h"

#include "core/place/hydra.h"
#include "core/place/openmpi.h"
#include "core/place/radix.h"
#include "core/place/rebind.h"
#include "core/place/slurm.h"
#include "formats/base/file.h"

#include <stdlib.h>
#include <string.h>

enum way { OPENMPI, HYDRA, SLURM, ORDER };

static const struct launcher_row {
	struct tmap_keyword word;
	enum way way;
} launcher_rows[] = {
	{ { "openmpi4", "mpirun of Open MPI 4.1" }, OPENMPI },
	{ { "hydra", "mpiexec of MPICH 4" }, HYDRA },
	{ { "slurm", "srun" }, SLURM },
	{ { NULL, NULL }, OPENMPI },
};

const struct tmap_keywords tmap_place_launchers = TMAP_KEYWORDS("launcher", launcher_rows);

/* A word on the command line is wrong. */
static int wrong_word(struct tmap_error *err, const char *option)
{
	if (err->kind == TMAP_INPUT)
		err->kind = TMAP_USAGE;
	return tmap_wrap(err, "%s", option);
}

static const char *or_core(const char *word)
{
	return word ? word : "core";
}

static int place_openmpi(struct tmap_placement *p, struct tmap_machine *machine,
			 const struct tmap_place_args *args, struct tmap_error *err)
{
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;

	if (tmap_ompi_parse_map_by(&rq, or_core(args->map_by), err) < 0)
		return wrong_word(err, "--map-by");
	if (args->rank_by && tmap_ompi_parse_rank_by(&rq, args->rank_by, err) < 0)
		return wrong_word(err, "--rank-by");
	if (tmap_ompi_parse_bind_to(&rq, or_core(args->bind_to), err) < 0)
		return wrong_word(err, "--bind-to");
	rq.ranks = args->ranks;
	rq.slots = args->slots;
	rq.node_slots = args->node_slots;
	rq.hwthreads = args->hwthreads;
	return tmap_ompi_place(p, machine, &rq, err);
}

static int place_hydra(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_place_args *args, struct tmap_error *err)
{
	struct tmap_hydra_request rq = { .ranks = args->ranks,
					 .slots = args->slots,
					 .node_slots = args->node_slots };

	if (tmap_hydra_parse(&rq.bind_to, args->bind_to ? args->bind_to : "none",
			     TMAP_HYDRA_BIND_WORDS, err) < 0)
		return wrong_word(err, "--bind-to");
	rq.map_by = rq.bind_to;
	if (args->map_by &&
	    tmap_hydra_parse(&rq.map_by, args->map_by, TMAP_HYDRA_MAP_WORDS, err) < 0)
		return wrong_word(err, "--map-by");
	return tmap_hydra_place(p, machine, &rq, err);
}

static int place_slurm(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_place_args *args, struct tmap_error *err)
{
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;

	if (args->distribution && tmap_slurm_parse_distribution(&rq, args->distribution, err) < 0)
		return wrong_word(err, "--distribution");
	if (args->cpu_bind != TMAP_NONE)
		rq.bind = tmap_slurm_bind_at(args->cpu_bind);
	rq.exact = args->cpus_per_task != TMAP_NONE;
	rq.cpus_per_task = rq.exact ? args->cpus_per_task : 1;
	rq.ranks = args->ranks;
	return tmap_slurm_place(p, machine, &rq, err);
}

/* "none", or the objects of a level: by its name, or by a launcher's word for it. */
static int parse_object(int *type, const char *word, struct tmap_error *err)
{
	char *list;

	*type = tmap_type_find(word);
	if (*type == TMAP_NONE)
		*type = tmap_type_word_find(TMAP_ORDER_WORDS, word, strlen(word));
	if (*type == TMAP_NONE && strcmp(word, "none") == 0)
		*type = TMAP_NODE;
	if (*type != TMAP_NONE)
		return 0;
	list = tmap_type_list(", ", err);
	if (list)
		tmap_fail(err, TMAP_USAGE,
			  "--bind-to: unknown object '%s' (with --order one of: none, node, %s)",
			  word, list);
	free(list);
	return -1;
}

static int place_order(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_place_args *args, struct tmap_error *err)
{
	int type = TMAP_NODE;

	if (args->bind_to && parse_object(&type, args->bind_to, err) < 0)
		return -1;
	if (tmap_radix_place(p, machine, args->order, args->ranks, err) < 0)
		return tmap_wrap(err, "--order");
	if (!args->bind_to || tmap_rebind(p, (enum tmap_type)type, err) == 0)
		return 0;
	tmap_placement_fini(p);
	return tmap_wrap(err, "--bind-to");
}

static const struct way_row {
	const char *name;
	int (*place)(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_place_args *args, struct tmap_error *err);
} ways[] = {
	[OPENMPI] = { "Open MPI's policies", place_openmpi },
	[HYDRA] = { "Hydra's policies", place_hydra },
	[SLURM] = { "Slurm's distributions", place_slurm },
	[ORDER] = { "--order", place_order },
};

static enum way choose_way(const struct tmap_place_args *args)
{
	if (args->order)
		return ORDER;
	if (args->launcher != TMAP_NONE)
		return launcher_rows[args->launcher].way;
	return args->distribution || args->cpu_bind != TMAP_NONE ||
			args->cpus_per_task != TMAP_NONE ?
		SLURM :
		OPENMPI;
}

#define BIT(way) (1u << (way))

/* Every option that was given must belong to the way that was chosen; to none with a file. */
static int check_options(const struct tmap_place_args *args, const struct tmap_place_file *file,
			 enum way way, struct tmap_error *err)
{
	struct tmap_str name = TMAP_STR_INIT;
	const struct {
		const char *name;
		bool given;
		unsigned ways;
	} options[] = {
		{ "--launcher", args->launcher != TMAP_NONE,
		  BIT(OPENMPI) | BIT(HYDRA) | BIT(SLURM) },
		{ "--map-by", args->map_by, BIT(OPENMPI) | BIT(HYDRA) },
		{ "--rank-by", args->rank_by, BIT(OPENMPI) },
		{ "--bind-to", args->bind_to, BIT(OPENMPI) | BIT(HYDRA) | BIT(ORDER) },
		{ "--use-hwthread-cpus", args->hwthreads, BIT(OPENMPI) },
		{ "--slots", args->slots != TMAP_NONE, BIT(OPENMPI) | BIT(HYDRA) },
		{ "a number of slots in --hosts", args->node_slots, BIT(OPENMPI) | BIT(HYDRA) },
		{ "--distribution", args->distribution, BIT(SLURM) },
		{ "--cpu-bind", args->cpu_bind != TMAP_NONE, BIT(SLURM) },
		{ "--cpus-per-task", args->cpus_per_task != TMAP_NONE, BIT(SLURM) },
		{ "--order", args->order, BIT(ORDER) },
	};

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		if (!options[i].given || (!file && options[i].ways & BIT(way)))
			continue;
		if (file)
			tmap_place_file_name(&name, file);
		else
			tmap_str_add(&name, ways[way].name);
		tmap_fail(err, TMAP_USAGE, "%s does not go with %s", options[i].name,
			  name.text ? name.text : "");
		tmap_str_fini(&name);
		return -1;
	}
	return 0;
}

static int place_by_options(struct tmap_placement *p, struct tmap_machine *machine,
			    const struct tmap_place_args *args, const struct tmap_place_file *file,
			    int ranks, struct tmap_error *err)
{
	struct tmap_place_args counted = *args;

	if (file)
		return tmap_place_file_read(p, machine, file, ranks, err);
	counted.ranks = ranks;
	return ways[choose_way(args)].place(p, machine, &counted, err);
}

/* Without --ranks, as many as the list has. */
static int place_reordered(struct tmap_placement *p, struct tmap_machine *machine,
			   const struct tmap_place_args *args, const struct tmap_place_file *file,
			   const struct tmap_place_file *reordering, struct tmap_error *err)
{
	const struct tmap_launcher *launcher = reordering->launcher;
	struct tmap_rank_list list = { 0 };
	int status;

	if (tmap_launcher_read_list(&list, launcher, reordering->path, err) < 0)
		return -1;
	status = place_by_options(p, machine, args, file,
				  args->ranks == TMAP_NONE ? list.count : args->ranks, err);
	if (status == 0 && launcher->reorder(p, list.rank, list.count, err) < 0) {
		status = tmap_at(err, tmap_input_name(reordering->path), 0);
		tmap_placement_fini(p);
	}
	tmap_rank_list_fini(&list);
	return status;
}

int tmap_place(struct tmap_placement *p, struct tmap_machine *machine,
	       const struct tmap_place_args *args, struct tmap_error *err)
{
	const struct tmap_place_file *file, *list;

	if (tmap_place_files_find(&args->files, &file, &list, err) < 0 ||
	    check_options(args, file, choose_way(args), err) < 0)
		return -1;
	if (args->node_slots && args->slots != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "--slots cannot be combined with slots in --hosts");
	if (list)
		return place_reordered(p, machine, args, file, list, err);
	return place_by_options(p, machine, args, file, args->ranks, err);
}

static void describe_launcher(struct tmap_str *text, const struct tmap_place_args *args,
			      enum way way)
{
	if (way == HYDRA)
		tmap_str_add(text, " --launcher hydra");
	if (args->map_by || way == OPENMPI)
		tmap_str_addf(text, " --map-by %s", or_core(args->map_by));
	if (args->rank_by)
		tmap_str_addf(text, " --rank-by %s", args->rank_by);
	if (args->bind_to || way == OPENMPI)
		tmap_str_addf(text, " --bind-to %s", or_core(args->bind_to));
	if (args->slots != TMAP_NONE)
		tmap_str_addf(text, " --slots %d", args->slots);
	if (args->hwthreads)
		tmap_str_add(text, " --use-hwthread-cpus");
}

static void describe_slurm(struct tmap_str *text, const struct tmap_place_args *args)
{
	const char *bind = args->cpu_bind == TMAP_NONE ?
		tmap_type_word(TMAP_SLURM_WORDS, TMAP_CORE) :
		tmap_keywords_at(&tmap_slurm_bind_words, (size_t)args->cpu_bind)->name;

	tmap_str_addf(text, " --distribution %s",
		      args->distribution ? args->distribution : "block");
	tmap_str_addf(text, " --cpu-bind %s", bind);
	if (args->cpus_per_task != TMAP_NONE)
		tmap_str_addf(text, " --cpus-per-task %d", args->cpus_per_task);
}

void tmap_place_describe(struct tmap_str *text, const struct tmap_place_args *args)
{
	const struct tmap_place_file *file, *list;
	struct tmap_error ignored;
	enum way way = choose_way(args);

	if (tmap_place_files_find(&args->files, &file, &list, &ignored) < 0)
		return;
	if (file)
		tmap_place_file_describe(text, file);
	else if (way == OPENMPI || way == HYDRA)
		describe_launcher(text, args, way);
	else if (way == SLURM)
		describe_slurm(text, args);
	else
		tmap_str_addf(text, args->bind_to ? " --order %s --bind-to %s" : " --order %s",
			      args->order, args->bind_to);
	if (list)
		tmap_place_file_describe(text, list);
}
