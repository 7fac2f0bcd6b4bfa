#include "formats/launchers/flags.h"

#include "core/base/mem.h"
#include "core/place/hydra.h"
#include "core/place/openmpi.h"
#include "core/place/slurm.h"
#include "formats/launchers/common/entries.h"

#include <stdlib.h>
#include <string.h>

/* A job of more ranks is tried on its first nodes. */
enum { MANY_RANKS = 1 << 16, FEW_NODES = 3, MOST_BINDINGS = 3, ROOM = 64 };

/* What is tried: the ranks of some nodes, in order. */
struct sample {
	const struct tmap_placement *p;
	struct tmap_machine *machine;
	int *rank; /* [count] */
	int count;
};

/* The words of one try; NULL: the option is left out. */
struct words {
	const char *map, *rank, *bind;
	int each; /* CPUs of a task, or slots of a node; TMAP_NONE: not said */
};

typedef int place_words(struct tmap_placement *made, struct tmap_machine *machine, int ranks,
			const struct words *words, struct tmap_error *err);

static void sample_fini(struct sample *sample)
{
	tmap_machine_free(sample->machine);
	free(sample->rank);
}

/* All of the job. */
static int take_all(struct sample *sample, const struct tmap_placement *p, struct tmap_error *err)
{
	*sample = (struct sample){ .p = p,
				   .machine = tmap_machine_ref(p->machine),
				   .count = p->size };
	sample->rank = tmap_alloc_raw((size_t)p->size, sizeof *sample->rank, err);
	for (int r = 0; sample->rank && r < p->size; r++)
		sample->rank[r] = r;
	return sample->rank ? 0 : -1;
}

static int add_node(struct tmap_machine *few, const struct tmap_machine *all, int node,
		    struct tmap_error *err)
{
	struct tmap_topology topo = { 0 };
	int kind;

	if (tmap_topology_copy(&topo, tmap_machine_topology(all, node), err) < 0)
		return -1;
	kind = tmap_machine_add_topology_take(few, &topo, err);
	tmap_topology_fini(&topo);
	return kind == TMAP_NONE ? -1 : tmap_machine_add_node(few, all->node_name[node], kind, err);
}

static int take_first_nodes(struct sample *sample, const struct tmap_launch *job,
			    struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;
	int nodes = p->machine->node_count < FEW_NODES ? p->machine->node_count : FEW_NODES;

	*sample = (struct sample){ .p = p, .machine = tmap_machine_new(err) };
	if (!sample->machine)
		return -1;
	for (int n = 0; n < nodes; n++)
		if (add_node(sample->machine, p->machine, n, err) < 0)
			return -1;
	sample->rank = tmap_alloc((size_t)job->locals.first[nodes], sizeof *sample->rank, err);
	for (int r = 0; sample->rank && r < p->size; r++)
		if (p->node[r] < nodes)
			sample->rank[sample->count++] = r;
	return sample->rank ? 0 : -1;
}

static bool is_bound(const struct tmap_placement *p, int rank)
{
	const struct tmap_place *place = &p->places[p->place[rank]];

	return place->bound && !tmap_entries_is_all(&place->pus, tmap_placement_topology(p, rank));
}

static bool is_same(const struct sample *sample, const struct tmap_placement *made)
{
	const struct tmap_placement *p = sample->p;

	if (made->size != sample->count)
		return false;
	for (int i = 0; i < made->size; i++) {
		int r = sample->rank[i];

		if (made->node[i] != p->node[r] || is_bound(made, i) != is_bound(p, r))
			return false;
		if (is_bound(p, r) &&
		    !tmap_idset_equal(&made->places[made->place[i]].pus,
				      &p->places[p->place[r]].pus))
			return false;
	}
	return true;
}

/* 1: the words give the sample, 0: they do not, -1: the system refused. */
static int try_words(const struct sample *sample, place_words *place, const struct words *words,
		     struct tmap_error *err)
{
	struct tmap_placement made = { 0 };
	int found;

	if (place(&made, sample->machine, sample->count, words, err) < 0)
		return err->kind == TMAP_SYSTEM ? -1 : 0;
	found = is_same(sample, &made);
	tmap_placement_fini(&made);
	return found;
}

/* The sample first, then all of the job. */
static int try_both(const struct tmap_launch *job, const struct sample *sample, place_words *place,
		    const struct words *words, struct tmap_error *err)
{
	struct sample all;
	int found = try_words(sample, place, words, err);

	if (found <= 0 || sample->count == job->p->size)
		return found;
	found = take_all(&all, job->p, err);
	if (found == 0)
		found = try_words(&all, place, words, err);
	sample_fini(&all);
	return found;
}

/* Which of a launcher's words bind as rank 0 is bound: what people write most, first. */
static int choose_bindings(const char **binding, const struct tmap_placement *p,
			   enum tmap_vocabulary of)
{
	static const enum tmap_type types[] = { TMAP_CORE, TMAP_PU, TMAP_PACKAGE,
						TMAP_NUMA, TMAP_L3, TMAP_L2 };
	const struct tmap_topology *topo = tmap_placement_topology(p, 0);
	int object = tmap_placement_object(p, 0), chosen = 0;

	if (!is_bound(p, 0)) {
		binding[0] = "none";
		return 1;
	}
	for (size_t i = 0; i < sizeof types / sizeof *types && chosen < MOST_BINDINGS; i++) {
		const char *word = tmap_type_word(of, types[i]);
		int outer = tmap_topology_ancestor(topo, object, types[i]);

		/* the object itself, or one around it over the same PUs */
		if (!word)
			continue;
		if (outer != TMAP_NONE &&
		    topo->object[outer].first_pu == topo->object[object].first_pu &&
		    topo->object[outer].end_pu == topo->object[object].end_pu)
			binding[chosen++] = word;
		else if (types[i] == TMAP_CORE && !tmap_topology_count(topo, TMAP_CORE))
			binding[chosen++] = word;
	}
	return chosen;
}

static int place_openmpi(struct tmap_placement *made, struct tmap_machine *machine, int ranks,
			 const struct words *words, struct tmap_error *err)
{
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;

	rq.ranks = ranks;
	if (tmap_ompi_parse_map_by(&rq, words->map, err) < 0 ||
	    (words->rank && tmap_ompi_parse_rank_by(&rq, words->rank, err) < 0) ||
	    tmap_ompi_parse_bind_to(&rq, words->bind, err) < 0)
		return -1;
	return tmap_ompi_place(made, machine, &rq, err);
}

/* "ppr:2:socket", where the ranks of the fullest node are that many for each object. */
static bool print_ppr(char text[ROOM], const struct tmap_locals *locals, const char *name,
		      enum tmap_type type)
{
	const struct tmap_topology *topo =
		tmap_machine_topology(locals->p->machine, locals->longest);
	int ranks = tmap_locals_count(locals, locals->longest),
	    objects = tmap_topology_count(topo, type);

	if (objects == 0 || ranks % objects)
		return false;
	snprintf(text, ROOM, "ppr:%d:%s", ranks / objects, name);
	return true;
}

static char *tell_openmpi(const struct tmap_launch *job, const struct words *words,
			  struct tmap_error *err)
{
	return tmap_format(err, "mpirun -np %d --map-by %s%s%s --bind-to %s PROGRAM", job->p->size,
			   words->map, words->rank ? " --rank-by " : "",
			   words->rank ? words->rank : "", words->bind);
}

static int find_openmpi(char **line, const struct tmap_launch *job, const struct sample *sample,
			struct tmap_error *err)
{
	static const char *const ranks[] = { NULL,        "slot",        "node",        "core",
					     "socket",    "numa",        "socket:SPAN", "numa:SPAN",
					     "core:SPAN", "socket:FILL", "numa:FILL" };
	char ppr[3][ROOM] = { "", "", "" };
	const char *const maps[] = { "core",    "node",     "socket", "numa", "l3cache",
				     "l2cache", "hwthread", ppr[0],   ppr[1], ppr[2] };
	const char *binding[MOST_BINDINGS];
	int bindings = choose_bindings(binding, job->p, TMAP_OPENMPI_WORDS), found = 0;

	print_ppr(ppr[0], &job->locals, "node", TMAP_NODE);
	print_ppr(ppr[1], &job->locals, "socket", TMAP_PACKAGE);
	print_ppr(ppr[2], &job->locals, "numa", TMAP_NUMA);
	for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
		for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
			for (int b = 0; b < bindings && *maps[m] && !found; b++) {
				struct words words = { maps[m], ranks[r], binding[b], TMAP_NONE };

				found = try_both(job, sample, place_openmpi, &words, err);
				if (found > 0)
					*line = tell_openmpi(job, &words, err);
			}
	return found < 0 || (found && !*line) ? -1 : 0;
}

static int place_slurm(struct tmap_placement *made, struct tmap_machine *machine, int ranks,
		       const struct words *words, struct tmap_error *err)
{
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	int bind = tmap_keywords_find(&tmap_slurm_bind_words, words->bind, err);

	if (bind == TMAP_NONE || tmap_slurm_parse_distribution(&rq, words->map, err) < 0)
		return -1;
	rq.bind = tmap_slurm_bind_at(bind);
	rq.ranks = ranks;
	rq.exact = words->each != TMAP_NONE;
	rq.cpus_per_task = rq.exact ? words->each : 1;
	return tmap_slurm_place(made, machine, &rq, err);
}

static char *tell_slurm(const struct tmap_launch *job, const struct words *words,
			struct tmap_error *err)
{
	char cpus[ROOM] = "";

	if (words->each != TMAP_NONE)
		snprintf(cpus, sizeof cpus, " -c %d", words->each);
	return tmap_format(err, "srun -N %d -n %d%s --distribution=%s --cpu-bind=%s PROGRAM",
			   job->p->machine->node_count, job->p->size, cpus, words->map,
			   words->bind);
}

/* How many ranks follow each other on the first node. */
static int first_run(const struct tmap_placement *p)
{
	int run = 1;

	while (run < p->size && p->node[run] == p->node[0])
		run++;
	return run;
}

static int find_slurm(char **line, const struct tmap_launch *job, const struct sample *sample,
		      struct tmap_error *err)
{
	char plane[ROOM];
	const char *const maps[] = { "block:block",  "block:cyclic",     "block:fcyclic",
				     "cyclic:block", "cyclic:cyclic",    "cyclic:fcyclic",
				     plane,          "block:block,Pack", "block:cyclic,Pack" };
	const char *binding[MOST_BINDINGS];
	int bindings = choose_bindings(binding, job->p, TMAP_SLURM_WORDS), found = 0;
	int pus = (int)tmap_idset_size(&job->p->places[job->p->place[0]].pus);

	snprintf(plane, sizeof plane, "plane=%d", first_run(job->p));
	for (int exact = 0; exact < 2; exact++)
		for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
			for (int b = 0; b < bindings && !found; b++) {
				struct words words = { maps[m], NULL, binding[b],
						       exact ? pus : TMAP_NONE };

				found = try_both(job, sample, place_slurm, &words, err);
				if (found > 0)
					*line = tell_slurm(job, &words, err);
			}
	return found < 0 || (found && !*line) ? -1 : 0;
}

static int place_hydra(struct tmap_placement *made, struct tmap_machine *machine, int ranks,
		       const struct words *words, struct tmap_error *err)
{
	struct tmap_hydra_request rq = { .ranks = ranks, .slots = words->each };

	if (tmap_hydra_parse(&rq.bind_to, words->bind, TMAP_HYDRA_BIND_WORDS, err) < 0)
		return -1;
	rq.map_by = rq.bind_to;
	if (words->map && tmap_hydra_parse(&rq.map_by, words->map, TMAP_HYDRA_MAP_WORDS, err) < 0)
		return -1;
	return tmap_hydra_place(made, machine, &rq, err);
}

static char *tell_hydra(const struct tmap_launch *job, const struct words *words,
			struct tmap_error *err)
{
	return tmap_format(err, "mpiexec.hydra -ppn %d -n %d -bind-to %s%s%s PROGRAM", words->each,
			   job->p->size, words->bind, words->map ? " -map-by " : "",
			   words->map ? words->map : "");
}

static int find_hydra(char **line, const struct tmap_launch *job, const struct sample *sample,
		      struct tmap_error *err)
{
	static const char *const maps[] = { NULL,      "hwthread", "core",  "l2cache",
					    "l3cache", "numa",     "socket" };
	const int slots[] = { first_run(job->p),
			      tmap_locals_count(&job->locals, job->locals.longest) };
	const char *binding[MOST_BINDINGS];
	int bindings = choose_bindings(binding, job->p, TMAP_HYDRA_WORDS), found = 0;

	for (size_t s = 0; s < (slots[0] == slots[1] ? 1 : 2); s++)
		for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
			for (int b = 0; b < bindings && !found; b++) {
				struct words words = { maps[m], NULL, binding[b], slots[s] };

				found = try_both(job, sample, place_hydra, &words, err);
				if (found > 0)
					*line = tell_hydra(job, &words, err);
			}
	return found < 0 || (found && !*line) ? -1 : 0;
}

static const struct {
	const char *launcher;
	int (*find)(char **line, const struct tmap_launch *job, const struct sample *sample,
		    struct tmap_error *err);
} rows[] = {
	{ "openmpi4", find_openmpi }, { "seq", find_openmpi },   { "slurm", find_slurm },
	{ "hydra", find_hydra },      { "hydra40", find_hydra },
};

int tmap_launch_find_flags(char **line, const struct tmap_launch *job, struct tmap_error *err)
{
	struct sample sample = { 0 };
	int status = 0;

	*line = NULL;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].launcher, job->launcher->word.name) != 0)
			continue;
		status = job->p->size > MANY_RANKS ? take_first_nodes(&sample, job, err) :
						     take_all(&sample, job->p, err);
		if (status == 0 && sample.count)
			status = rows[i].find(line, job, &sample, err);
		sample_fini(&sample);
	}
	return status;
}
