/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as the list of --adapters: no crash, nothing is chosen where it is refused, and the list
 * that is printed of what was chosen chooses the same. */
#include "core/machine/adapter_choice.h"
#include "core/machine/device.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool true_thing)
{
	if (!true_thing)
		abort();
}

enum { DEVICES = 10 };

static struct tmap_machine *machine_new(struct tmap_error *err)
{
	static const char *const name[DEVICES] = { "mlx5_0",     "mlx5_1", "mlx5_2", "mlx5_9",
						   "mlx5_10",    "ib0",    "ib1",    "eth0",
						   "enP5p1s0f0", "a" };
	struct tmap_machine *machine = tmap_machine_new(err);
	struct tmap_topology topo;

	must(machine && tmap_topology_init(&topo, 1, err) == 0 &&
	     tmap_topology_finish(&topo, err) == 0);
	for (int i = 0; i < DEVICES; i++) {
		struct tmap_device device = { .type = TMAP_NETWORK };

		strcpy(device.name, name[i]);
		must(tmap_topology_add_device(&topo, &device, err) == 0);
	}
	must(tmap_machine_add_topology_take(machine, &topo, err) == 0);
	return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_error err;
	struct tmap_machine *machine = machine_new(&err);
	const struct tmap_topology *topo = &machine->topology[0];
	char *text = malloc(size + 1), *names;
	bool chosen[DEVICES];

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (tmap_adapters_choose(machine, text, &err) < 0) {
		must(!tmap_adapters_are_chosen(machine) && err.text[0]);
	} else {
		must(tmap_adapters_are_chosen(machine));
		for (int d = 0; d < DEVICES; d++)
			chosen[d] = tmap_device_is_adapter(topo, d);
		names = tmap_adapters_print(machine, &err);
		must(names && tmap_adapters_choose(machine, names, &err) == 0);
		for (int d = 0; d < DEVICES; d++)
			must(chosen[d] == tmap_device_is_adapter(topo, d));
		free(names);
	}
	free(text);
	tmap_machine_free(machine);
	return 0;
}
