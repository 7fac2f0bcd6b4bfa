#include "core/score/cost_model.h"

#include "core/mem.h"
#include "core/trees/access.h"

#include <stdlib.h>

void tm_cost_model_fini(struct tm_cost_model *model)
{
	for (int s = 0; model->set && s < model->step_count - 1; s++)
		free(model->set[s]);
	for (int i = 0; i < model->link_count; i++) {
		free(model->link[i].of_rank);
		free(model->link[i].load);
	}
	free(model->set);
	free(model->row);
	free(model->side);
	free(model->link);
	*model = (struct tm_cost_model){ 0 };
}

int tm_cost_step(const struct tm_cost_model *model, int a, int b)
{
	int step = model->step_count - 1;

	while (step > 0 && model->set[step - 1][a] == model->set[step - 1][b])
		step--;
	return step;
}

const struct tm_profile_row *tm_cost_row(const struct tm_cost_model *model, int step,
					 double bytes)
{
	const struct tm_profile_row *row = model->row[step];

	while (row->below_bytes != INT64_MAX && bytes >= (double)row->below_bytes)
		row++;
	return row;
}

static int fill_steps(struct tm_cost_model *model, struct tm_error *err)
{
	model->set = tm_alloc((size_t)model->step_count, sizeof *model->set, err);
	model->row = tm_alloc((size_t)model->step_count, sizeof *model->row, err);
	if (!model->set || !model->row)
		return -1;
	for (int s = 0; s < model->step_count; s++)
		model->row[s] = tm_profile_find(model->profile, model->metric->step[s].value, 0);
	for (int s = 0; s < model->step_count - 1; s++) {
		model->set[s] = tm_alloc_raw((size_t)model->size, sizeof *model->set[s], err);
		if (!model->set[s])
			return -1;
		for (int r = 0; r < model->size; r++) {
			int set = tm_metric_set(model->metric, s, r);

			model->set[s][r] = set == TM_NONE ? -1 - r : set;
		}
	}
	return 0;
}

/* One more link, with room for the numbers of the ranks; NULL with *err set. */
static struct tm_cost_link *add_link(struct tm_cost_model *model, double byte_s, int count,
				     struct tm_error *err)
{
	struct tm_cost_link *link = &model->link[model->link_count];

	*link = (struct tm_cost_link){ .byte_s = byte_s, .count = count };
	link->of_rank = tm_alloc_raw((size_t)model->size, sizeof *link->of_rank, err);
	link->load = tm_alloc((size_t)count, sizeof *link->load, err);
	model->link_count++;
	return link->of_rank && link->load ? link : NULL;
}

static int add_level(struct tm_cost_model *model, const struct tm_placement *placement,
		     const struct tm_levels *levels, const char *name, double byte_s,
		     struct tm_error *err)
{
	int level = tm_levels_find(levels, name);
	struct tm_cost_link *link;

	if (byte_s <= 0 || level == TM_NONE)
		return 0;
	link = add_link(model, byte_s, levels->level[level].number_count, err);
	for (int r = 0; link && r < model->size; r++)
		link->of_rank[r] = tm_levels_of_rank(levels, level, placement, r);
	return link ? 0 : -1;
}

static int add_memory(struct tm_cost_model *model, const struct tm_placement *placement,
		      struct tm_error *err)
{
	struct tm_controllers controllers = { 0 };
	struct tm_cost_link *link;

	if (model->profile->memory_byte_s <= 0)
		return 0;
	if (tm_controllers_init(&controllers, placement->machine, err) < 0)
		return -1;
	link = add_link(model, model->profile->memory_byte_s, controllers.count, err);
	if (link)
		link->is_memory = true;
	for (int r = 0; link && r < model->size; r++)
		link->of_rank[r] = tm_controllers_of_rank(&controllers, placement, r);
	tm_controllers_fini(&controllers);
	return link ? 0 : -1;
}

static int fill_links(struct tm_cost_model *model, const struct tm_placement *placement,
		      const struct tm_levels *levels, struct tm_error *err)
{
	const struct tm_profile *profile = model->profile;

	model->link = tm_alloc((size_t)profile->link_count + 2, sizeof *model->link, err);
	if (!model->link ||
	    add_level(model, placement, levels, "node", profile->adapter_byte_s, err) < 0 ||
	    add_memory(model, placement, err) < 0)
		return -1;
	for (int i = 0; i < profile->link_count; i++)
		if (add_level(model, placement, levels, profile->link[i].level,
			      profile->link[i].byte_s, err) < 0)
			return -1;
	return 0;
}

int tm_cost_model_init(struct tm_cost_model *model, const struct tm_placement *placement,
		       const struct tm_metric *process, const struct tm_levels *levels,
		       const struct tm_profile *profile, struct tm_error *err)
{
	struct tm_cost_model made = { .profile = profile, .metric = process,
				      .size = placement->size, .step_count = process->step_count };

	if (tm_profile_check(profile, err) < 0)
		return -1;
	made.side = tm_alloc(2 * (size_t)made.size, sizeof *made.side, err);
	if (!made.side || fill_steps(&made, err) < 0 ||
	    fill_links(&made, placement, levels, err) < 0) {
		tm_cost_model_fini(&made);
		return -1;
	}
	*model = made;
	return 0;
}
