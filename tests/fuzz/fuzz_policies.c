/* The first three bytes choose a family of policies, the ranks and the slots; the rest are its
 * words. They are refused, or give a placement of that size on PUs that may be used. */
#include "core/base/mem.h"
#include "core/place/hydra.h"
#include "core/place/openmpi.h"
#include "core/place/radix.h"
#include "core/place/slurm.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 12 PUs: two packages of a NUMA node each, of 4 cores with 2 threads and 4 with 1. */
static void make_topology(struct tm_topology *topo, struct tm_error *err)
{
	if (tm_topology_init(topo, 12, err) < 0)
		abort();
	for (int i = 0; i < 8; i++)
		tm_topology_add(topo, TM_CORE, i < 4 ? 2 * i : 4 + i, i < 4 ? 2 * i + 2 : 5 + i, i,
				0, err);
	tm_topology_add(topo, TM_PACKAGE, 0, 8, 0, 0, err);
	tm_topology_add(topo, TM_PACKAGE, 8, 12, 1, 0, err);
	tm_topology_add(topo, TM_L3, 0, 4, TM_NONE, 0, err);
	tm_topology_add(topo, TM_NUMA, 0, 8, 0, 0, err);
	tm_topology_add(topo, TM_NUMA, 8, 12, 1, 0, err);
	if (tm_topology_finish(topo, err) < 0)
		abort();
	for (int i = 0; i < 2; i++) {
		struct tm_memory memory = {
			.os = i, .object = tm_topology_find(topo, TM_NUMA, i),
		};

		tm_topology_add_memory(topo, &memory, err);
	}
	topo->pu[2].allowed = false;
}

static struct tm_machine *make_machine(struct tm_error *err)
{
	struct tm_machine *machine = tm_machine_new(err);
	struct tm_topology topo;

	make_topology(&topo, err);
	if (!machine || tm_machine_add_topology_take(machine, &topo, err) != 0 ||
	    tm_machine_add_node(machine, "a", 0, err) < 0 ||
	    tm_machine_add_node(machine, "b", 0, err) < 0)
		abort();
	return machine;
}

/* The words of up to three options, separated by blanks. */
static int place(struct tm_placement *p, struct tm_machine *machine, int family, int ranks,
		 int slots, char *words, struct tm_error *err)
{
	char *second = words + strcspn(words, " "), *third;

	if (*second)
		*second++ = '\0';
	third = second + strcspn(second, " ");
	if (*third)
		*third++ = '\0';
	if (family == 0) {
		struct tm_ompi_request rq = TM_OMPI_REQUEST_INIT;

		rq.ranks = ranks;
		rq.slots = slots;
		return tm_ompi_parse_map_by(&rq, words, err) < 0 ||
		       (*second && tm_ompi_parse_bind_to(&rq, second, err) < 0) ||
		       (*third && tm_ompi_parse_rank_by(&rq, third, err) < 0) ? -1 :
		       tm_ompi_place(p, machine, &rq, err);
	}
	if (family == 1) {
		struct tm_hydra_request rq = { .ranks = ranks, .slots = slots };

		return tm_hydra_parse(&rq.bind_to, words, TM_HYDRA_BIND_WORDS, err) < 0 ||
		       tm_hydra_parse(&rq.map_by, *second ? second : "core", TM_HYDRA_MAP_WORDS,
				      err) < 0 ? -1 : tm_hydra_place(p, machine, &rq, err);
	}
	if (family == 2) {
		struct tm_slurm_request rq = TM_SLURM_REQUEST_INIT;

		rq.ranks = ranks;
		rq.exact = slots != TM_NONE;
		rq.cpus_per_task = rq.exact ? slots : 1;
		rq.bind = (enum tm_slurm_bind)(ranks & 3);
		return tm_slurm_parse_distribution(&rq, words, err) < 0 ? -1 :
		       tm_slurm_place(p, machine, &rq, err);
	}
	return tm_radix_place(p, machine, words, ranks, err);
}

static void check(const struct tm_placement *p, int ranks)
{
	struct tm_error err;

	if (tm_placement_check(p, &err) < 0 || (ranks != TM_NONE && p->size != ranks))
		abort();
	for (int i = 0; i < p->place_count; i++)
		if (tm_idset_contains(&p->places[i].pus, 2))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tm_placement p;
	struct tm_machine *machine;
	struct tm_error err;
	char *words;

	if (size < 3)
		return 0;
	words = tm_strndup((const char *)data + 3, strnlen((const char *)data + 3, size - 3), &err);
	if (!words)
		return 0;
	machine = make_machine(&err);
	if (place(&p, machine, data[0] % 4, data[1] ? data[1] : TM_NONE,
		  data[2] ? data[2] : TM_NONE, words, &err) == 0) {
		check(&p, data[1] ? data[1] : TM_NONE);
		tm_placement_fini(&p);
	}
	tm_machine_free(machine);
	free(words);
	return 0;
}
