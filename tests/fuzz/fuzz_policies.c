/* SPDX-License-Identifier: BSD-3-Clause */
/* The first three bytes choose a family of policies, the ranks and the slots; the rest are its
 * words. They are refused, or give a placement of that size on PUs that may be used. */
#include "core/base/mem.h"
#include "core/place/cray.h"
#include "core/place/flux.h"
#include "core/place/hydra.h"
#include "core/place/intel.h"
#include "core/place/openmpi.h"
#include "core/place/prrte.h"
#include "core/place/radix.h"
#include "core/place/slurm.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A family of its own letter; the others are numbers. */
enum { PRRTE = 'p', FLUX = 'f', CRAY = 'c', INTEL = 'i' };
static const char own_letters[] = { PRRTE, FLUX, CRAY, INTEL, '\0' };

/* 12 PUs: two packages of a NUMA node each, of 4 cores with 2 threads and 4 with 1. */
static void make_topology(struct tmap_topology *topo, struct tmap_error *err)
{
	if (tmap_topology_init(topo, 12, err) < 0)
		abort();
	for (int i = 0; i < 8; i++)
		tmap_topology_add(topo, TMAP_CORE, i < 4 ? 2 * i : 4 + i, i < 4 ? 2 * i + 2 : 5 + i,
				  i, 0, err);
	tmap_topology_add(topo, TMAP_PACKAGE, 0, 8, 0, 0, err);
	tmap_topology_add(topo, TMAP_PACKAGE, 8, 12, 1, 0, err);
	tmap_topology_add(topo, TMAP_L3, 0, 4, TMAP_NONE, 0, err);
	tmap_topology_add(topo, TMAP_NUMA, 0, 8, 0, 0, err);
	tmap_topology_add(topo, TMAP_NUMA, 8, 12, 1, 0, err);
	if (tmap_topology_finish(topo, err) < 0)
		abort();
	for (int i = 0; i < 2; i++) {
		struct tmap_memory memory = {
			.os = i,
			.object = tmap_topology_find(topo, TMAP_NUMA, i),
		};

		tmap_topology_add_memory(topo, &memory, err);
	}
	for (int i = 0; i < 4; i++) {
		static const struct tmap_io io[] = {
			{ TMAP_IO_NETWORK, "ib0", 0 },
			{ TMAP_IO_COPROCESSOR, "ze0", TMAP_NONE },
			{ TMAP_IO_OTHER, "sda", 1 },
			{ TMAP_IO_PCI, "0000:41:00.0", 1 },
		};

		tmap_topology_add_io(topo, &io[i], err);
	}
	topo->pu[2].allowed = false;
}

static struct tmap_machine *make_machine(struct tmap_error *err)
{
	struct tmap_machine *machine = tmap_machine_new(err);
	struct tmap_topology topo;

	make_topology(&topo, err);
	if (!machine || tmap_machine_add_topology_take(machine, &topo, err) != 0 ||
	    tmap_machine_add_node(machine, "a", 0, err) < 0 ||
	    tmap_machine_add_node(machine, "b", 0, err) < 0)
		abort();
	return machine;
}

/* The words of up to three options, separated by blanks, and behind them PRRTE's programs. */
static int place(struct tmap_placement *p, struct tmap_machine *machine, int family, int ranks,
		 int slots, char *words, struct tmap_error *err)
{
	char *second = words + strcspn(words, " "), *third, *fourth;

	if (*second)
		*second++ = '\0';
	third = second + strcspn(second, " ");
	if (*third)
		*third++ = '\0';
	fourth = third + strcspn(third, " ");
	if (*fourth)
		*fourth++ = '\0';
	if (family == 0) {
		struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;

		rq.ranks = ranks;
		rq.slots = slots;
		return tmap_ompi_parse_map_by(&rq, words, err) < 0 ||
				(*second && tmap_ompi_parse_bind_to(&rq, second, err) < 0) ||
				(*third && tmap_ompi_parse_rank_by(&rq, third, err) < 0) ?
			-1 :
			tmap_ompi_place(p, machine, &rq, err);
	}
	if (family == 1) {
		struct tmap_hydra_request rq = { .ranks = ranks, .slots = slots };

		return tmap_hydra_parse(&rq.bind_to, words, TMAP_HYDRA_BIND_WORDS, err) < 0 ||
				tmap_hydra_parse(&rq.map_by, *second ? second : "core",
						 TMAP_HYDRA_MAP_WORDS, err) < 0 ?
			-1 :
			tmap_hydra_place(p, machine, &rq, err);
	}
	if (family == 2) {
		struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;

		rq.ranks = ranks;
		rq.exact = slots != TMAP_NONE;
		rq.cpus_per_task = rq.exact ? slots : 1;
		rq.bind = (enum tmap_slurm_bind)(ranks & 3);
		return tmap_slurm_parse_distribution(&rq, words, err) < 0 ?
			-1 :
			tmap_slurm_place(p, machine, &rq, err);
	}
	if (family == PRRTE) {
		struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;
		struct tmap_program programs[4] = { { 0 } };

		/* "340": three programs of 3, 4 and as many ranks as there are slots */
		for (int i = 0; i < 4 && fourth[i] && ranks == TMAP_NONE; i++) {
			programs[i].ranks = fourth[i] == '0' ? TMAP_NONE :
				fourth[i] & 7                ? fourth[i] & 7 :
							       8;
			rq.program_count = i + 1;
			rq.programs = programs;
		}
		rq.ranks = ranks;
		rq.slots = slots;
		return tmap_prrte_parse_map_by(&rq, words, err) < 0 ||
				(*second && tmap_prrte_parse_bind_to(&rq, second, err) < 0) ||
				(*third && tmap_prrte_parse_rank_by(&rq, third, err) < 0) ?
			-1 :
			tmap_prrte_place(p, machine, &rq, err);
	}
	if (family == FLUX) {
		struct tmap_flux_request rq = TMAP_FLUX_REQUEST_INIT;

		rq.ranks = ranks;
		rq.cores_per_task = slots == TMAP_NONE ? 0 : slots & 7;
		rq.tasks_per_node = ranks == TMAP_NONE && !rq.cores_per_task ? slots & 15 : 0;
		rq.exclusive = *second == 'x';
		rq.affinity = *third == 'p' ? TMAP_FLUX_PER_TASK : TMAP_FLUX_ON;
		return tmap_flux_parse_taskmap(&rq, words, err) < 0 ?
			-1 :
			tmap_flux_place(p, machine, &rq, err);
	}
	if (family == INTEL) {
		struct tmap_intel_request rq = TMAP_INTEL_REQUEST_INIT;

		rq.ranks = ranks;
		rq.ppn = slots == TMAP_NONE ? 0 : slots & 15;
		rq.threads = slots == TMAP_NONE ? 0 : slots >> 4 & 7;
		rq.per_pu = slots != TMAP_NONE && slots & 0x80;
		rq.is_ordered = *second;
		rq.order =
			(enum tmap_intel_order)((unsigned char)*second % (TMAP_INTEL_SPREAD + 1));
		rq.is_default = !*words && !*second;
		rq.by_core = *third;
		return *words && tmap_intel_parse_domain(&rq, words, err) < 0 ?
			-1 :
			tmap_intel_place(p, machine, &rq, err);
	}
	if (family == CRAY) {
		struct tmap_cray_request rq = TMAP_CRAY_REQUEST_INIT;

		rq.ranks = ranks;
		rq.ppn = slots == TMAP_NONE ? 0 : slots & 15;
		rq.depth = slots == TMAP_NONE ? 1 : 1 + (slots >> 4 & 3);
		rq.bind = (enum tmap_cray_bind)((unsigned char)*words % TMAP_CRAY_LIST);
		rq.method = (enum tmap_cray_method)((unsigned char)*second % 3);
		return tmap_cray_place(p, machine, &rq, err);
	}
	return tmap_radix_place(p, machine, words, ranks, err);
}

/* PRRTE starts all of ppr's processes on an object, even where fewer ranks are wanted. */
static void check(const struct tmap_placement *p, int family, int ranks)
{
	struct tmap_error err;

	if (tmap_placement_check(p, &err) < 0 || (ranks != TMAP_NONE && p->size < ranks) ||
	    (ranks != TMAP_NONE && p->size > ranks && family != PRRTE))
		abort();
	for (int i = 0; i < p->place_count; i++)
		if (tmap_idset_contains(&p->places[i].pus, 2))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_placement p;
	struct tmap_machine *machine;
	struct tmap_error err;
	char *words;
	int family;

	if (size < 3)
		return 0;
	family = strchr(own_letters, data[0]) && data[0] ? data[0] : data[0] % 4;
	words = tmap_strndup((const char *)data + 3, strnlen((const char *)data + 3, size - 3),
			     &err);
	if (!words)
		return 0;
	machine = make_machine(&err);
	if (place(&p, machine, family, data[1] ? data[1] : TMAP_NONE, data[2] ? data[2] : TMAP_NONE,
		  words, &err) == 0) {
		check(&p, family, data[1] ? data[1] : TMAP_NONE);
		tmap_placement_fini(&p);
	}
	tmap_machine_free(machine);
	free(words);
	return 0;
}
