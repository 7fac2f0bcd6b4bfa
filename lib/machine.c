/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/machine/machine_spec.h"
#include "lib/handles.h"

#include <stdlib.h>

struct topomap_machine *topomap_machine_read(const char *const *spec, size_t count,
					     struct topomap_error *err)
{
	struct topomap_machine *machine = NULL;
	struct tmap_error why;
	locale_t before = (locale_t)0;

	if (tmap_argument_check(spec, "spec", &why) < 0)
		goto fail;
	for (size_t i = 0; i < count; i++)
		if (tmap_argument_check(spec[i], "a string of spec", &why) < 0)
			goto fail;
	if (!(machine = tmap_handle_new(TMAP_HANDLE_MACHINE, sizeof *machine, &why)) ||
	    !(before = tmap_locale_begin(&why)))
		goto fail;
	machine->machine = tmap_machine_read_specs_io(spec, count, &why);
	tmap_locale_end(before);
	if (machine->machine)
		return machine;
fail:
	topomap_machine_free(machine);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_machine_free(struct topomap_machine *machine)
{
	if (!machine || !tmap_handle_release(machine, TMAP_HANDLE_MACHINE))
		return;
	tmap_machine_free(machine->machine);
	free(machine);
}

int tmap_machine_check_alone(const struct topomap_machine *machine, struct tmap_error *err)
{
	if (tmap_handle_check(machine, TMAP_HANDLE_MACHINE, err) < 0)
		return -1;
	return machine->machine->references == 1 ?
		0 :
		tmap_fail(err, TMAP_USAGE,
			  "the machine cannot be changed any more: something was made from it");
}

int topomap_machine_rename(struct topomap_machine *machine, const char *const *name, int count,
			   struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_machine_check_alone(machine, &why) < 0 ||
	    tmap_argument_check(name, "name", &why) < 0)
		return tmap_public_error(err, &why);
	if (count != machine->machine->node_count) {
		tmap_fail(&why, TMAP_USAGE, "%d names for %d nodes", count,
			  machine->machine->node_count);
		return tmap_public_error(err, &why);
	}
	for (int i = 0; i < count; i++)
		if (tmap_argument_check(name[i], "a string of name", &why) < 0)
			return tmap_public_error(err, &why);
	/* the names are copied */
	if (tmap_machine_rename(machine->machine, (char *const *)name, count, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}

/* The switches of a level are called s0, s1, ... of that level. */
static int tier_fill(struct tmap_tier *tier, int number, const int *switch_of, int nodes,
		     struct tmap_error *err)
{
	tier->name = tmap_format(err, "switch%d", number);
	tier->switch_name = tmap_alloc((size_t)tier->switch_count, sizeof *tier->switch_name, err);
	tier->switch_of = tmap_alloc_raw((size_t)nodes, sizeof *tier->switch_of, err);
	if (!tier->name || !tier->switch_name || !tier->switch_of)
		return -1;
	for (int i = 0; i < tier->switch_count; i++)
		if (!(tier->switch_name[i] = tmap_format(err, "switch%d-%d", number, i)))
			return -1;
	for (int i = 0; i < nodes; i++)
		tier->switch_of[i] = switch_of[i];
	return 0;
}

int topomap_machine_add_switches(struct topomap_machine *machine, const int *switch_of, int count,
				 struct topomap_error *err)
{
	struct tmap_tier tier = { .switch_count = count };
	struct tmap_error why;
	int nodes, status;

	if (tmap_machine_check_alone(machine, &why) < 0 ||
	    tmap_argument_check(switch_of, "switch_of", &why) < 0)
		return tmap_public_error(err, &why);
	nodes = machine->machine->node_count;
	if (count < 1 || count > nodes) {
		tmap_fail(&why, TMAP_USAGE, "%d switches for %d nodes", count, nodes);
		return tmap_public_error(err, &why);
	}
	for (int i = 0; i < nodes; i++)
		if (switch_of[i] != TOPOMAP_NONE &&
		    tmap_index_check(switch_of[i], count, "switch", &why) < 0) {
			tmap_wrap(&why, "node %d", i);
			return tmap_public_error(err, &why);
		}
	status = tier_fill(&tier, machine->machine->tier_count + 1, switch_of, nodes, &why);
	if (status == 0)
		status = tmap_machine_add_tier_take(machine->machine, &tier, &why);
	tmap_tier_fini(&tier);
	return status < 0 ? tmap_public_error(err, &why) : 0;
}

int topomap_machine_node_count(const struct topomap_machine *machine, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(machine, TMAP_HANDLE_MACHINE, &why) < 0)
		return tmap_public_error(err, &why);
	return machine->machine->node_count;
}

const char *topomap_machine_node_name(const struct topomap_machine *machine, int node,
				      struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(machine, TMAP_HANDLE_MACHINE, &why) == 0 &&
	    tmap_index_check(node, machine->machine->node_count, "node", &why) == 0)
		return machine->machine->node_name[node];
	tmap_public_error(err, &why);
	return NULL;
}
