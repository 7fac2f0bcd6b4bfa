/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/node_gates.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_node_gates_fini(struct tmap_node_gates *gates)
{
	free(gates->of);
	free(gates->behind);
	*gates = (struct tmap_node_gates){ 0 };
}

/* Does whatever goes from node to node cross the link? */
static bool link_is_common(const struct tmap_cost_link *link, const struct tmap_pair_kinds *kinds)
{
	for (int i = 0; i < (kinds->tier_count + 1) * kinds->join_count; i++)
		if (!link->crossed[kinds->between[i]])
			return false;
	return true;
}

/* Number the gates object by object. */
static void gates_fill(struct tmap_node_gates *gates, const struct tmap_cost_model *model,
		       const bool *is_common)
{
	size_t links = (size_t)model->link_count;

	for (int o = 0; o < model->kinds.object_count; o++) {
		int *own = gates->behind + (size_t)gates->count * links, gate = 0;

		for (size_t l = 0; l < links; l++)
			own[l] = is_common[l] ? model->link[l].local[o] : TMAP_NONE;
		while (memcmp(gates->behind + (size_t)gate * links, own, links * sizeof *own) != 0)
			gate++;
		if (gate == TMAP_NODE_MOST_GATES) {
			gates->count = 0;
			return;
		}
		gates->of[o] = gate;
		gates->count += gate == gates->count;
	}
}

int tmap_node_gates_init(struct tmap_node_gates *gates, const struct tmap_cost_model *model,
			 struct tmap_error *err)
{
	size_t links = (size_t)model->link_count;
	struct tmap_node_gates made = { 0 };
	bool *is_common = tmap_alloc(links, sizeof *is_common, err);
	int common = 0, status = -1;

	made.of = tmap_alloc((size_t)model->kinds.object_count, sizeof *made.of, err);
	made.behind = tmap_alloc((TMAP_NODE_MOST_GATES + 1) * links, sizeof *made.behind, err);
	if (is_common && made.of && made.behind) {
		for (size_t l = 0; l < links; l++) {
			is_common[l] = link_is_common(&model->link[l], &model->kinds);
			common += is_common[l];
		}
		if (common > 1)
			gates_fill(&made, model, is_common);
		status = 0;
	}
	free(is_common);
	if (status < 0)
		tmap_node_gates_fini(&made);
	else
		*gates = made;
	return status;
}
