#include "core/score/cost_model.h"

#include "core/mem.h"

#include <math.h>
#include <stdlib.h>

/* Ranks in each set of a step, at the set's number; the caller's to free. */
static int *count_members(const struct tm_cost_model *model, int step, struct tm_error *err)
{
	int *members = tm_alloc((size_t)model->metric->step[step].set_count, sizeof *members, err);

	for (int r = 0; members && r < model->size; r++)
		if (model->set[step][r] >= 0)
			members[model->set[step][r]]++;
	return members;
}

/* Adds the ranks that are nearer than the steps from @p step on: at first only oneself. */
static int add_step(struct tm_cost_model *model, int step, double *busy, int *near, double bytes,
		    struct tm_error *err)
{
	double each = bytes * tm_cost_row(model, step, bytes)->byte_s;
	bool last = step == model->step_count - 1;
	int *members = last ? NULL : count_members(model, step, err);

	if (!last && !members)
		return -1;
	for (int r = 0; r < model->size; r++) {
		int set = last ? 0 : model->set[step][r];
		int within = last ? model->size : set < 0 ? 1 : members[set];

		busy[r] += each * (within - near[r]);
		near[r] = within;
	}
	free(members);
	return 0;
}

/* The seconds that the farthest rank spends on its bytes, and the largest step with a pair. */
static int find_chain(struct tm_cost_model *model, double bytes, double *chain, int *widest,
		      struct tm_error *err)
{
	double *busy = tm_alloc((size_t)model->size, sizeof *busy, err);
	int *near = tm_alloc_raw((size_t)model->size, sizeof *near, err), status = -1;

	if (busy && near)
		status = 0;
	for (int r = 0; r < model->size && status == 0; r++)
		near[r] = 1;
	*widest = 0;
	for (int s = 0; s < model->step_count && status == 0; s++) {
		int had = near[0];

		status = add_step(model, s, busy, near, bytes, err);
		if (near[0] > had) /* once rank 0 has everyone near, so has everyone */
			*widest = s;
	}
	*chain = 0;
	for (int r = 0; r < model->size && status == 0; r++)
		*chain = fmax(*chain, busy[r]);
	free(busy);
	free(near);
	return status;
}

/* The busiest object of a link, when every rank sends every other one so many bytes. */
static double busiest(const struct tm_cost_model *model, struct tm_cost_link *link, double bytes)
{
	double most = 0, p = model->size;

	for (int i = 0; i < link->count; i++)
		link->load[i] = (struct tm_cost_load){ 0 };
	for (int r = 0; r < model->size; r++)
		link->load[link->of_rank[r]].out++;
	for (int i = 0; i < link->count; i++) {
		double ranks = link->load[i].out;

		most = fmax(most, link->is_memory ? 2 * ranks * (p - 1) : ranks * (p - ranks));
		link->load[i].out = 0;
	}
	return most * bytes * link->byte_s;
}

int tm_cost_all_pairs(double *seconds, struct tm_cost_model *model,
		      const struct tm_all_pairs *pairs, struct tm_error *err)
{
	double p = model->size, rounds = (double)pairs->rounds, chain, latency;
	double bytes = (double)pairs->bytes + (double)pairs->larger / p;
	int widest;

	*seconds = 0;
	if (bytes <= 0) /* nothing is sent */
		return 0;
	if (find_chain(model, bytes, &chain, &widest, err) < 0)
		return -1;
	latency = tm_cost_row(model, widest, bytes)->latency_s;
	if (pairs->rounds == model->size - 1) /* one partner a round: as long as the farthest */
		chain = rounds * bytes * tm_cost_row(model, widest, bytes)->byte_s;
	else
		chain += (p - 1 - rounds) * model->profile->overhead_s;
	for (int i = 0; i < model->link_count; i++)
		chain = fmax(chain, busiest(model, &model->link[i], bytes));
	*seconds = rounds * latency + chain;
	return 0;
}
