/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as the cables of --routes and as the ranks of --near: no crash, a sentence where it is refused,
 * and of routes as many cables with a load as there are hops. */
#include "core/machine/routes.h"
#include "core/map/near.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool true_thing)
{
	if (!true_thing)
		abort();
}

enum { NODES = 24 };

/* Two nodes a router, three routers a group. */
static struct tmap_machine *machine_new(struct tmap_error *err)
{
	struct tmap_machine *machine = tmap_machine_new(err);
	struct tmap_topology topo;

	must(machine && tmap_topology_init(&topo, 1, err) == 0 &&
	     tmap_topology_finish(&topo, err) == 0 &&
	     tmap_machine_add_topology_take(machine, &topo, err) == 0);
	for (int n = 0; n < NODES; n++) {
		char name[] = { 'a', (char)('a' + n), '\0' };

		must(tmap_machine_add_node(machine, name, 0, err) == 0);
	}
	for (int each = 2; each <= 6; each *= 3) {
		struct tmap_tier tier = { .name = strdup("switches"),
					  .switch_count = NODES / each };

		tier.switch_name = calloc(NODES, sizeof *tier.switch_name);
		tier.switch_of = calloc(NODES, sizeof *tier.switch_of);
		for (int s = 0; s < tier.switch_count; s++)
			tier.switch_name[s] = strdup("s");
		for (int n = 0; n < NODES; n++)
			tier.switch_of[n] = n / each;
		must(tmap_machine_add_tier_take(machine, &tier, err) == 0);
	}
	return machine;
}

static void check_routes(const char *text, const struct tmap_machine *machine)
{
	struct tmap_routes routes;
	struct tmap_error err;

	err.text[0] = '\0';
	if (tmap_routes_parse(&routes, text, machine, &err) < 0) {
		must(err.text[0]);
		return;
	}
	for (int b = 0; b < NODES; b++) {
		double *load = calloc((size_t)routes.cables, sizeof *load), sum = 0;

		tmap_routes_add(&routes, load, 0, b, 1);
		for (int64_t i = 0; i < routes.cables; i++)
			sum += load[i];
		must(sum == tmap_routes_hops(&routes, 0, b));
		free(load);
	}
	tmap_routes_fini(&routes);
}

static void check_near(const char *text)
{
	struct tmap_near near;
	struct tmap_error err;

	err.text[0] = '\0';
	if (tmap_near_parse(&near, text, &err) < 0) {
		must(err.text[0]);
		return;
	}
	must(tmap_idset_size(&near.ranks) > 0 && near.bytes >= 0);
	tmap_near_fini(&near);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_error err;
	struct tmap_machine *machine = machine_new(&err);
	char *text = malloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_routes(text, machine);
	check_near(text);
	free(text);
	tmap_machine_free(machine);
	return 0;
}
