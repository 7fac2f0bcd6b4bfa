/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * networks.h - what the fuzzers of network readers share: a text, and what must hold of the
 * machine that a reader says it has understood.
 */
#ifndef TMAP_TESTS_FUZZ_NETWORKS_H
#define TMAP_TESTS_FUZZ_NETWORKS_H

#include "core/base/mem.h"
#include "core/machine/levels.h"
#include "core/machine/network.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	struct tmap_error err;

	return tmap_strndup((const char *)data, strnlen((const char *)data, size), &err);
}

/* Four nodes a, b, c, d. */
static inline struct tmap_machine *fuzz_machine(void)
{
	static const char *const name[] = { "a", "b", "c", "d" };
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;

	if (!machine || tmap_topology_init(&topo, 1, &err) < 0 ||
	    tmap_topology_finish(&topo, &err) < 0 ||
	    tmap_machine_add_topology_take(machine, &topo, &err) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		if (tmap_machine_add_node(machine, name[i], 0, &err) < 0)
			abort();
	return machine;
}

/* A refusal has a sentence; what was read has tiers from which levels can be made. */
static inline void fuzz_check(const struct tmap_machine *machine, int status,
			      const struct tmap_error *error)
{
	struct tmap_levels levels;
	struct tmap_error err;

	if (status < 0) {
		if (!*error->text || error->kind == TMAP_OK)
			abort();
		return;
	}
	if (tmap_levels_init(&levels, machine, &err) < 0)
		abort();
	tmap_levels_fini(&levels);
}

/* A reader that gives a tree of switches. */
static inline int fuzz_tree(const uint8_t *data, size_t size,
			    int (*read)(struct tmap_network *, const char *, struct tmap_error *))
{
	struct tmap_machine *machine = fuzz_machine();
	char *text = fuzz_text(data, size);
	struct tmap_network net = { 0 };
	struct tmap_error err = { 0 };
	int status = read(&net, text, &err);

	if (status == 0)
		status = tmap_network_apply(&net, machine, &err);
	fuzz_check(machine, status, &err);
	tmap_network_fini(&net);
	tmap_machine_free(machine);
	free(text);
	return 0;
}

/* A reader that gives the machine its tiers. */
static inline int fuzz_tiers(const uint8_t *data, size_t size,
			     int (*read)(struct tmap_machine *, const char *, struct tmap_error *))
{
	struct tmap_machine *machine = fuzz_machine();
	char *text = fuzz_text(data, size);
	struct tmap_error err = { 0 };

	fuzz_check(machine, read(machine, text, &err), &err);
	tmap_machine_free(machine);
	free(text);
	return 0;
}

#endif
