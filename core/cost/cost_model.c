/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/cost_model.h"

#include "core/base/mem.h"
#include "core/tree/access.h"

#include <stdlib.h>
#include <string.h>

void tmap_cost_model_fini(struct tmap_cost_model *model)
{
	for (int i = 0; i < model->link_count; i++) {
		free(model->link[i].base);
		free(model->link[i].local);
		free(model->link[i].crossed);
		free(model->link[i].load);
		free(model->link[i].all);
		free(model->link[i].node_load);
	}
	tmap_pair_kinds_fini(&model->kinds);
	free(model->row);
	free(model->side);
	free(model->link);
	*model = (struct tmap_cost_model){ 0 };
}

const struct tmap_profile_row *tmap_cost_row(const struct tmap_cost_model *model, int step,
					     double bytes)
{
	const struct tmap_profile_row *row = model->row[step];

	while (row->below_bytes != INT64_MAX && bytes >= (double)row->below_bytes)
		row++;
	return row;
}

static int model_fill_rows(struct tmap_cost_model *model, struct tmap_error *err)
{
	const struct tmap_metric *metric = model->kinds.metric;

	model->row = tmap_alloc((size_t)metric->step_count, sizeof *model->row, err);
	for (int s = 0; model->row && s < metric->step_count; s++)
		model->row[s] = tmap_profile_find(model->profile, metric->step[s].value, 0);
	return model->row ? 0 : -1;
}

/* One more link, with room for its objects; NULL with *err set. */
static struct tmap_cost_link *links_add(struct tmap_cost_model *model, double byte_s, int count,
					const int *base, struct tmap_error *err)
{
	struct tmap_cost_link *link = &model->link[model->link_count];
	size_t nodes = (size_t)model->kinds.node_count;

	*link = (struct tmap_cost_link){ .byte_s = byte_s, .count = count };
	link->base = tmap_alloc_raw(nodes, sizeof *link->base, err);
	link->local = tmap_alloc((size_t)model->kinds.object_count, sizeof *link->local, err);
	link->crossed = tmap_alloc((size_t)model->kinds.count, sizeof *link->crossed, err);
	link->load = tmap_alloc((size_t)count, sizeof *link->load, err);
	link->all = tmap_alloc((size_t)count, sizeof *link->all, err);
	model->link_count++;
	if (!link->base || !link->local || !link->crossed || !link->load || !link->all)
		return NULL;
	memcpy(link->base, base, nodes * sizeof *base);
	return link;
}

static int links_add_level(struct tmap_cost_model *model, const char *name, double byte_s,
			   struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	int index = tmap_levels_find(kinds->levels, name);
	const struct tmap_level *level;
	struct tmap_cost_link *link;

	if (byte_s <= 0 || index == TMAP_NONE)
		return 0;
	level = &kinds->levels->level[index];
	link = links_add(model, byte_s, level->sets.count, level->sets.node_base, err);
	for (int i = 0; link && level->sets.local && i < kinds->object_count; i++)
		link->local[i] =
			level->sets.local[kinds->object[i].topology][kinds->object[i].object];
	for (int k = 0; link && k < kinds->count; k++)
		link->crossed[k] = tmap_pair_kind_crosses(kinds, k, index);
	return link ? 0 : -1;
}

static int links_add_memory(struct tmap_cost_model *model, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	struct tmap_partition controllers;
	struct tmap_cost_link *link;

	if (model->profile->memory_byte_s <= 0)
		return 0;
	if (tmap_controllers_init(&controllers, kinds->levels->machine, err) < 0)
		return -1;
	link = links_add(model, model->profile->memory_byte_s, controllers.count,
			 controllers.node_base, err);
	if (link)
		link->is_memory = true;
	for (int i = 0; link && i < kinds->object_count; i++)
		link->local[i] =
			controllers.local[kinds->object[i].topology][kinds->object[i].object];
	for (int k = 0; link && k < kinds->count; k++)
		link->crossed[k] = true;
	tmap_partition_fini(&controllers);
	return link ? 0 : -1;
}

static int links_add_node_loads(struct tmap_cost_model *model, struct tmap_error *err)
{
	for (int i = 0; i < model->link_count; i++) {
		struct tmap_cost_link *link = &model->link[i];

		for (int s = 0; s < model->kinds.object_count; s++)
			if (link->local[s] >= link->node_load_count)
				link->node_load_count = link->local[s] + 1;
		link->node_load =
			tmap_alloc_raw((size_t)link->node_load_count, sizeof *link->node_load, err);
		if (!link->node_load)
			return -1;
	}
	return 0;
}

static int model_fill_links(struct tmap_cost_model *model, struct tmap_error *err)
{
	const struct tmap_profile *profile = model->profile;

	model->link = tmap_alloc((size_t)profile->link_count + 2, sizeof *model->link, err);
	if (!model->link ||
	    links_add_level(model, tmap_type_name(TMAP_NODE), profile->adapter_byte_s, err) < 0 ||
	    links_add_memory(model, err) < 0)
		return -1;
	for (int i = 0; i < profile->link_count; i++)
		if (links_add_level(model, profile->link[i].level, profile->link[i].byte_s, err) <
		    0)
			return -1;
	return links_add_node_loads(model, err);
}

int tmap_cost_model_init(struct tmap_cost_model *model, const struct tmap_placement *placement,
			 const struct tmap_metric *process, const struct tmap_levels *levels,
			 const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_cost_model made = { .profile = profile };

	if (tmap_profile_check(profile, err) < 0 ||
	    tmap_pair_kinds_init(&made.kinds, placement, levels, process, err) < 0)
		return -1;
	if (model_fill_rows(&made, err) < 0 || model_fill_links(&made, err) < 0) {
		tmap_cost_model_fini(&made);
		return -1;
	}
	*model = made;
	return 0;
}

void tmap_cost_model_place(struct tmap_cost_model *model, const int *place_of)
{
	tmap_pair_kinds_place(&model->kinds, place_of);
}
