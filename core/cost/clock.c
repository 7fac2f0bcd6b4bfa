/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

void tmap_moved_fini(struct tmap_moved *moved)
{
	free(moved->messages);
	free(moved->bytes);
	free(moved->pairs);
	*moved = (struct tmap_moved){ 0 };
}

void tmap_clock_fini(struct tmap_clock *clock)
{
	free(clock->price);
	free(clock->pipeline.rest);
	tmap_moved_fini(&clock->moved);
}

int tmap_clock_init(struct tmap_clock *clock, struct tmap_cost_model *model, struct tmap_error *err)
{
	size_t kinds = (size_t)model->kinds.count;

	*clock = (struct tmap_clock){ .model = model };
	if (model->stamp > UINT32_MAX / 2) { /* stamps of earlier calls must not come again */
		for (size_t i = 0; model->side && i < 2 * (size_t)model->kinds.size; i++)
			model->side[i].stamp = 0;
		for (int i = 0; i < model->link_count; i++)
			for (int o = 0; o < model->link[i].count; o++)
				model->link[i].load[o].stamp = model->link[i].all[o].stamp = 0;
		model->stamp = 0;
	}
	clock->all_stamp = ++model->stamp;
	clock->price = tmap_alloc(kinds, sizeof *clock->price, err);
	clock->moved.messages = tmap_alloc(kinds, sizeof *clock->moved.messages, err);
	clock->moved.bytes = tmap_alloc(kinds, sizeof *clock->moved.bytes, err);
	if (clock->price && clock->moved.messages && clock->moved.bytes)
		return 0;
	tmap_clock_fini(clock);
	return -1;
}

static void pipeline_end(struct tmap_clock *clock)
{
	struct tmap_pipeline *pipeline = &clock->pipeline;

	for (int64_t i = 0; i < pipeline->used; i++) {
		pipeline->seconds += pipeline->rest[i];
		pipeline->rest[i] = 0;
	}
	clock->seconds += fmax(pipeline->seconds, pipeline->busiest);
	pipeline->seconds = pipeline->busiest = 0;
	pipeline->used = 0;
	clock->all_stamp = ++clock->model->stamp;
}

/* The group goes into its pipeline. */
static int group_end(struct tmap_clock *clock, struct tmap_error *err)
{
	struct tmap_group *group = &clock->group;
	struct tmap_pipeline *pipeline = &clock->pipeline;

	if (!group->is_open)
		return 0;
	group->is_open = false;
	pipeline->seconds += group->seconds;
	if (group->active > 1) {
		int64_t turn = group->round % group->period;

		if (tmap_grow(&pipeline->rest, &pipeline->capacity, (size_t)turn + 1,
			      sizeof *pipeline->rest, err) < 0)
			return -1;
		for (; pipeline->used <= turn; pipeline->used++)
			pipeline->rest[pipeline->used] = 0;
		pipeline->rest[turn] =
			fmax(pipeline->rest[turn], (double)(group->active - 1) * group->seconds);
	}
	return 0;
}

static int group_begin(struct tmap_clock *clock, int64_t round, struct tmap_error *err)
{
	if (group_end(clock, err) < 0)
		return -1;
	clock->model->stamp++;
	if (round >= clock->pipeline.end)
		pipeline_end(clock);
	clock->group = (struct tmap_group){ .round = round,
					    .period = 1,
					    .is_open = true,
					    .overlaps = round < clock->pipeline.end };
	return 0;
}

/* What the links of the group carry so far is of a pipeline. */
static void group_join_pipeline(struct tmap_clock *clock)
{
	struct tmap_cost_model *model = clock->model;

	clock->group.overlaps = true;
	for (int i = 0; i < model->link_count; i++) {
		struct tmap_cost_link *link = &model->link[i];

		for (int o = 0; o < link->count; o++) {
			const struct tmap_cost_load *load = &link->load[o];

			if (load->stamp != model->stamp)
				continue;
			tmap_load_add(link, link->all, o, clock->all_stamp, true, load->in,
				      load->latency_s);
			tmap_load_add(link, link->all, o, clock->all_stamp, false, load->out,
				      load->latency_s);
		}
	}
}

/* In every how many rounds a message is sent; 1 also where some of its pieces are empty. */
static int64_t info_period(const struct tmap_round_info *info)
{
	int64_t span = info->span - 1, times = info->times - 1;

	return times > 0 && span >= times && span % times == 0 ? span / times : 1;
}

int tmap_clock_begin(struct tmap_clock *clock, const struct tmap_round_info *info,
		     struct tmap_spread *spread, struct tmap_error *err)
{
	struct tmap_group *group = &clock->group;
	int64_t period = info_period(info), active = (info->span - 1) / period + 1;
	int64_t end = info->round + info->span;

	if ((!group->is_open || group->round != info->round) &&
	    group_begin(clock, info->round, err) < 0)
		return -1;
	if (info->span > 1 && !group->overlaps)
		group_join_pipeline(clock);
	if (active > group->active) {
		group->active = active;
		group->period = period;
	}
	if (end > clock->pipeline.end)
		clock->pipeline.end = end;
	if (end > clock->moved.rounds)
		clock->moved.rounds = end;
	*spread = (struct tmap_spread){ .active = (double)active,
					.times = (double)info->times,
					.share = fmax(1, (double)info->times / (double)active),
					.combine = info->combine,
					.single = info->single };
	return 0;
}

int tmap_clock_end(struct tmap_clock *clock, struct tmap_error *err)
{
	if (group_end(clock, err) < 0)
		return -1;
	pipeline_end(clock);
	return 0;
}
