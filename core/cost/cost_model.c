/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/cost_model.h"

#include "core/base/mem.h"
#include "core/cost/clock_class.h"
#include "core/cost/clock_even.h"
#include "core/cost/price.h"
#include "core/cost/profile_fit.h"
#include "core/machine/overlap.h"
#include "core/tree/access.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void link_fini(struct tmap_cost_link *link)
{
	free(link->rate);
	free(link->base);
	free(link->local);
	free(link->crossed);
	free(link->load);
	free(link->end_s);
	free(link->busy_s);
	*link = (struct tmap_cost_link){ 0 };
}

static void room_fini(struct tmap_cost_room *room)
{
	free(room->at);
	free(room->next);
	free(room->taken);
	free(room->left);
	free(room->busy);
	free(room->mark);
	free(room->own_s);
	free(room->side);
	tmap_classes_free(room->classes);
	tmap_even_free(room->even);
	free(room->stretch);
	free(room->repeated);
	free(room->from);
	free(room->to);
	tmap_message_sizes_fini(&room->sizes);
}

void tmap_cost_room_free(struct tmap_cost_room *room)
{
	if (!room)
		return;
	room_fini(room);
	free(room);
}

struct tmap_cost_room *tmap_cost_room_new(const struct tmap_cost_model *model,
					  struct tmap_error *err)
{
	size_t size = (size_t)model->kinds.size, loads = 0;
	struct tmap_cost_room *room = tmap_alloc(1, sizeof *room, err);

	if (!room)
		return NULL;
	for (int i = 0; i < model->link_count; i++)
		loads += 2 * (size_t)model->link[i].count;
	room->at = tmap_alloc(size, sizeof *room->at, err);
	room->next = tmap_alloc(size, sizeof *room->next, err);
	room->taken = tmap_alloc(size, sizeof *room->taken, err);
	room->left = tmap_alloc(size, sizeof *room->left, err);
	room->is_clean = true;
	room->busy = tmap_alloc_raw(loads, sizeof *room->busy, err);
	if (room->at && room->next && room->taken && room->left && room->busy)
		return room;
	tmap_cost_room_free(room);
	return NULL;
}

void tmap_cost_model_rest(struct tmap_cost_model *model)
{
	tmap_cost_room_free(model->room);
	model->room = NULL;
}

/* Memory that is given back and taken again costs its system time: what nearly all schedules need stays. */
int tmap_cost_model_doze(struct tmap_cost_model *model, struct tmap_error *err)
{
	struct tmap_cost_room *room = model->room, kept;

	if (!room)
		return 0;
	kept = (struct tmap_cost_room){
		.at = room->at, .next = room->next, .taken = room->taken, .busy = room->busy
	};
	room->at = room->next = room->taken = NULL;
	room->busy = NULL;
	room_fini(room);
	*room = kept;
	room->left = tmap_alloc((size_t)model->kinds.size, sizeof *room->left, err);
	if (room->left)
		return 0;
	tmap_cost_model_rest(model);
	return -1;
}

void tmap_cost_model_fini(struct tmap_cost_model *model)
{
	for (int i = 0; i < model->link_count; i++)
		link_fini(&model->link[i]);
	tmap_pair_kinds_fini(&model->kinds);
	free(model->row);
	free(model->wait_s);
	free(model->wait_of_s);
	tmap_cost_room_free(model->room);
	free(model->link);
	*model = (struct tmap_cost_model){ 0 };
}

const struct tmap_profile_row *tmap_cost_row(const struct tmap_cost_model *model, int step,
					     double bytes)
{
	return tmap_price_row(model->row[step], bytes);
}

static int model_fill_rows(struct tmap_cost_model *model, struct tmap_error *err)
{
	const struct tmap_metric *metric = model->kinds.metric;

	model->row = tmap_alloc((size_t)metric->step_count, sizeof *model->row, err);
	for (int s = 0; model->row && s < metric->step_count; s++)
		model->row[s] = tmap_profile_find(model->profile, metric->step[s].value, 0);
	return model->row ? 0 : -1;
}

/* What messages wait for ranks that share the receiver's core; nothing is kept where none do. */
static int model_fill_waits(struct tmap_cost_model *model, struct tmap_error *err)
{
	int size = model->kinds.size;
	bool waits = false;

	if (model->profile->shared_core_s <= 0)
		return 0;
	model->wait_of_s = tmap_overlap_others(model->kinds.placement, err);
	if (!model->wait_of_s)
		return -1;
	for (int r = 0; r < size; r++) {
		model->wait_of_s[r] *= model->profile->shared_core_s;
		waits |= model->wait_of_s[r] > 0;
	}
	if (!waits) {
		free(model->wait_of_s);
		model->wait_of_s = NULL;
		return 0;
	}
	model->wait_s = tmap_alloc_raw((size_t)size, sizeof *model->wait_s, err);
	if (!model->wait_s)
		return -1;
	memcpy(model->wait_s, model->wait_of_s, (size_t)size * sizeof *model->wait_s);
	return 0;
}

/* One more link, with room for its objects; NULL with *err set. */
static struct tmap_cost_link *links_add(struct tmap_cost_model *model, int count, const int *base,
					struct tmap_error *err)
{
	struct tmap_cost_link *link = &model->link[model->link_count];
	size_t nodes = (size_t)model->kinds.node_count;

	*link = (struct tmap_cost_link){ .count = count };
	link->rate = tmap_alloc((size_t)count, sizeof *link->rate, err);
	link->base = tmap_alloc_raw(nodes, sizeof *link->base, err);
	link->local = tmap_alloc((size_t)model->kinds.object_count, sizeof *link->local, err);
	link->crossed = tmap_alloc((size_t)model->kinds.count, sizeof *link->crossed, err);
	link->load = tmap_alloc(2 * (size_t)count, sizeof *link->load, err);
	link->end_s = tmap_alloc(2 * (size_t)count, sizeof *link->end_s, err);
	link->busy_s = tmap_alloc(2 * (size_t)count, sizeof *link->busy_s, err);
	model->link_count++;
	if (!link->rate || !link->base || !link->local || !link->crossed || !link->load ||
	    !link->end_s || !link->busy_s)
		return NULL;
	memcpy(link->base, base, nodes * sizeof *base);
	return link;
}

static struct tmap_cost_link *links_add_level(struct tmap_cost_model *model, int index,
					      struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	const struct tmap_level *level = &kinds->levels->level[index];
	struct tmap_cost_link *link =
		links_add(model, level->sets.count, level->sets.node_base, err);

	for (int i = 0; link && level->sets.local && i < kinds->object_count; i++)
		link->local[i] =
			level->sets.local[kinds->object[i].topology][kinds->object[i].object];
	for (int k = 0; link && k < kinds->count; k++)
		link->crossed[k] = tmap_pair_kind_crosses(kinds, k, index);
	return link;
}

/* What a node's adapters take, [node_count]; the caller's to free. */
static struct tmap_cost_rate *adapters_rate(bool *both_ways, const struct tmap_cost_model *model,
					    struct tmap_error *err)
{
	const struct tmap_profile *profile = model->profile;
	const struct tmap_machine *machine = model->kinds.levels->machine;
	double spread = profile->adapter_spread;
	int nodes = machine->node_count;
	int *fit = tmap_profile_fit(profile->adapter, profile->adapter_count, NULL, machine, err);
	struct tmap_cost_rate *rate = fit ? tmap_alloc((size_t)nodes, sizeof *rate, err) : NULL;

	*both_ways = false;
	for (int n = 0; rate && n < nodes; n++) {
		double count = spread > 0 ? spread : 1;
		struct tmap_cost_rate its = { profile->adapter_byte_s, profile->adapter_message_s };

		if (fit[n] != TMAP_NONE) {
			const struct tmap_profile_link *entry = &profile->adapter[fit[n]];

			its = (struct tmap_cost_rate){ entry->byte_s, entry->message_s };
			if (entry->is_each && spread <= 0)
				count = tmap_profile_adapters_of(entry,
								 tmap_machine_topology(machine, n));
			*both_ways |= entry->both_ways;
		}
		rate[n] = (struct tmap_cost_rate){ its.byte_s / count, its.message_s / count };
	}
	free(fit);
	return rate;
}

static bool rates_cost(const struct tmap_cost_rate *rate, int count)
{
	for (int i = 0; i < count; i++)
		if (rate[i].byte_s > 0 || rate[i].message_s > 0)
			return true;
	return false;
}

static int links_add_adapters(struct tmap_cost_model *model, struct tmap_error *err)
{
	const char *name = tmap_type_name(TMAP_NODE);
	int nodes = model->kinds.node_count, status = -1;
	bool both_ways;
	struct tmap_cost_rate *rate = adapters_rate(&both_ways, model, err);
	struct tmap_cost_link *link;

	if (rate && !rates_cost(rate, nodes)) {
		free(rate);
		return 0;
	}
	link = rate ? links_add_level(model, tmap_levels_find(model->kinds.levels, name), err) :
		      NULL;
	if (link) {
		memcpy(link->rate, rate, (size_t)nodes * sizeof *rate);
		link->is_sum = both_ways;
		link->is_adapter = true;
		status = 0;
	}
	free(rate);
	return status;
}

/* The objects of a node, numbered from its base on; or the one that holds all of it. */
static void link_set_rate(struct tmap_cost_link *link, const struct tmap_partition *sets,
			  const struct tmap_cost_model *model, int node, struct tmap_cost_rate rate)
{
	int end = node + 1 < model->kinds.node_count ? sets->node_base[node + 1] : sets->count;

	if (!sets->local)
		link->rate[sets->node_base[node]] = rate;
	for (int o = sets->node_base[node]; sets->local && o < end; o++)
		link->rate[o] = rate;
}

static int links_add_memory(struct tmap_cost_model *model, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	const struct tmap_profile *profile = model->profile;
	const struct tmap_machine *machine = kinds->levels->machine;
	struct tmap_partition controllers;
	struct tmap_cost_link *link;
	int *fit;

	if (profile->memory_byte_s <= 0 && !profile->memory_count)
		return 0;
	if (tmap_controllers_init(&controllers, machine, err) < 0)
		return -1;
	fit = tmap_profile_fit(profile->memory, profile->memory_count, NULL, machine, err);
	link = fit ? links_add(model, controllers.count, controllers.node_base, err) : NULL;
	for (int n = 0; link && n < machine->node_count; n++) {
		struct tmap_cost_rate rate = { profile->memory_byte_s, 0 };

		if (fit[n] != TMAP_NONE)
			rate = (struct tmap_cost_rate){ profile->memory[fit[n]].byte_s,
							profile->memory[fit[n]].message_s };
		link_set_rate(link, &controllers, model, n, rate);
	}
	if (link)
		link->is_memory = link->is_sum = true;
	for (int i = 0; link && i < kinds->object_count; i++)
		link->local[i] =
			controllers.local[kinds->object[i].topology][kinds->object[i].object];
	for (int k = 0; link && k < kinds->count; k++)
		link->crossed[k] = true;
	tmap_partition_fini(&controllers);
	free(fit);
	return link ? 0 : -1;
}

/* What the adapters below each switch can do together, divided by the oversubscription. */
static int link_set_oversubscription(struct tmap_cost_link *link,
				     const struct tmap_cost_model *model, const int *fit,
				     struct tmap_error *err)
{
	const struct tmap_profile_link *entry = model->profile->link;
	bool both_ways;
	struct tmap_cost_rate *rate = adapters_rate(&both_ways, model, err);
	double *below = rate ? tmap_alloc((size_t)link->count, sizeof *below, err) : NULL;

	for (int n = 0; below && n < model->kinds.node_count; n++)
		if (rate[n].byte_s > 0)
			below[link->base[n]] += 1 / rate[n].byte_s;
	for (int n = 0; below && n < model->kinds.node_count; n++) {
		int o = link->base[n];

		if (fit[n] != TMAP_NONE && entry[fit[n]].oversubscription > 0 && below[o] > 0)
			link->rate[o].byte_s = fmax(entry[fit[n]].byte_s,
						    entry[fit[n]].oversubscription / below[o]);
	}
	free(rate);
	free(below);
	return below ? 0 : -1;
}

/* What all messages between nodes share. Both ends of a message are in its one object, which counts
 * each of them. */
static int links_add_network(struct tmap_cost_model *model, const struct tmap_profile_link *entry,
			     struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	const char *name = tmap_type_name(TMAP_NODE);
	int node = tmap_levels_find(kinds->levels, name);
	int *zero = tmap_alloc((size_t)kinds->node_count, sizeof *zero, err), *ranks = NULL;
	struct tmap_cost_link *link = zero ? links_add(model, 1, zero, err) : NULL;

	free(zero);
	if (link)
		ranks = tmap_placement_count_ranks(kinds->placement, err);
	if (!ranks)
		return -1;
	link->is_sum = link->is_network = true;
	*link->rate = (struct tmap_cost_rate){ entry->byte_s / 2, entry->message_s / 2 };
	link->far_pairs = (double)kinds->size * (double)kinds->size;
	for (int n = 0; n < kinds->node_count; n++)
		link->far_pairs -= (double)ranks[n] * (double)ranks[n];
	for (int k = 0; k < kinds->count; k++)
		link->crossed[k] = tmap_pair_kind_crosses(kinds, k, node);
	free(ranks);
	return 0;
}

/* All entries of the level of link[i], which is its first. */
static int links_add_entries(struct tmap_cost_model *model, int i, struct tmap_error *err)
{
	const struct tmap_profile *profile = model->profile;
	const struct tmap_levels *levels = model->kinds.levels;
	struct tmap_cost_link *link;
	int index, *fit, status = 0;

	if (strcmp(profile->link[i].level, TMAP_PROFILE_NETWORK) == 0)
		return links_add_network(model, &profile->link[i], err);
	if (tmap_profile_find_level(&index, levels, profile->link[i].level, err) < 0)
		return -1;
	if (index == TMAP_NONE)
		return 0;
	fit = tmap_profile_fit(profile->link, profile->link_count, profile->link[i].level,
			       levels->machine, err);
	link = fit ? links_add_level(model, index, err) : NULL;
	for (int n = levels->machine->node_count - 1; link && n >= 0; n--)
		if (fit[n] != TMAP_NONE) {
			const struct tmap_profile_link *entry = &profile->link[fit[n]];

			link_set_rate(link, &levels->level[index].sets, model, n,
				      (struct tmap_cost_rate){ entry->byte_s, entry->message_s });
			link->is_sum |= entry->both_ways;
		}
	if (link)
		status = link_set_oversubscription(link, model, fit, err);
	if (status == 0 && link && !rates_cost(link->rate, link->count))
		link_fini(&model->link[--model->link_count]);
	free(fit);
	return link ? status : -1;
}

static void links_count_locals(struct tmap_cost_model *model)
{
	for (int i = 0; i < model->link_count; i++) {
		struct tmap_cost_link *link = &model->link[i];

		for (int s = 0; s < model->kinds.object_count; s++)
			if (link->local[s] >= link->local_count)
				link->local_count = link->local[s] + 1;
	}
}

static bool level_came_before(const struct tmap_profile *profile, int i)
{
	for (int j = 0; j < i; j++)
		if (strcmp(profile->link[j].level, profile->link[i].level) == 0)
			return true;
	return false;
}

static int model_fill_links(struct tmap_cost_model *model, struct tmap_error *err)
{
	const struct tmap_profile *profile = model->profile;

	model->link = tmap_alloc((size_t)profile->link_count + 2, sizeof *model->link, err);
	if (!model->link || links_add_adapters(model, err) < 0 || links_add_memory(model, err) < 0)
		return -1;
	for (int i = 0; i < profile->link_count; i++)
		if (!level_came_before(profile, i) && links_add_entries(model, i, err) < 0)
			return -1;
	links_count_locals(model);
	return 0;
}

int tmap_cost_model_init(struct tmap_cost_model *model, const struct tmap_placement *placement,
			 const struct tmap_metric *process, const struct tmap_levels *levels,
			 const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_cost_model made = { .profile = profile, .most_exact = TMAP_COST_MOST_EXACT };

	if (tmap_profile_check(profile, err) < 0 ||
	    tmap_pair_kinds_init(&made.kinds, placement, levels, process, err) < 0)
		return -1;
	if (model_fill_rows(&made, err) < 0 || model_fill_waits(&made, err) < 0 ||
	    model_fill_links(&made, err) < 0) {
		tmap_cost_model_fini(&made);
		return -1;
	}
	*model = made;
	return 0;
}

void tmap_cost_model_place(struct tmap_cost_model *model, const int *place_of)
{
	tmap_pair_kinds_place(&model->kinds, place_of);
	for (int r = 0; model->wait_s && r < model->kinds.size; r++)
		model->wait_s[r] = model->wait_of_s[place_of ? place_of[r] : r];
}
