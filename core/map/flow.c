/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/flow.h"

#include "core/base/mem.h"
#include "core/cost/cost_model.h"

#include <math.h>
#include <stdlib.h>

void tmap_flow_fini(struct tmap_flow *flow)
{
	for (int i = 0; flow->out && flow->in && i < flow->model->link_count; i++) {
		free(flow->out[i]);
		free(flow->in[i]);
	}
	free(flow->out);
	free(flow->in);
	*flow = (struct tmap_flow){ 0 };
}

int tmap_flow_init(struct tmap_flow *flow, struct tmap_cost_model *model, struct tmap_error *err)
{
	size_t links = (size_t)model->link_count;
	struct tmap_flow made = { .model = model };
	bool is_whole;

	made.out = tmap_alloc(links, sizeof *made.out, err);
	made.in = tmap_alloc(links, sizeof *made.in, err);
	is_whole = made.out && made.in;
	for (size_t i = 0; is_whole && i < links; i++) {
		size_t objects = (size_t)model->link[i].count;

		made.out[i] = tmap_alloc(objects, sizeof **made.out, err);
		made.in[i] = tmap_alloc(objects, sizeof **made.in, err);
		is_whole = made.out[i] && made.in[i];
	}
	if (!is_whole) {
		tmap_flow_fini(&made);
		return -1;
	}
	*flow = made;
	return 0;
}

void tmap_flow_add(struct tmap_flow *flow, int from, int to, double bytes)
{
	for (int i = 0; i < flow->model->link_count; i++) {
		const struct tmap_cost_link *link = &flow->model->link[i];
		int left = tmap_cost_object(link, tmap_pair_position(&flow->model->kinds, from));
		int reached = tmap_cost_object(link, tmap_pair_position(&flow->model->kinds, to));

		if (left == reached && !link->is_memory)
			continue;
		flow->out[i][left] += bytes;
		flow->in[i][reached] += bytes;
	}
}

int tmap_flow_add_everyone(struct tmap_flow *flow, double bytes, struct tmap_error *err)
{
	double p = flow->model->kinds.size;

	for (int i = 0; i < flow->model->link_count && bytes > 0; i++) {
		const struct tmap_cost_link *link = &flow->model->link[i];
		double *ranks = tmap_alloc((size_t)link->count, sizeof *ranks, err);

		if (!ranks)
			return -1;
		for (int r = 0; r < flow->model->kinds.size; r++)
			ranks[tmap_cost_object(link, tmap_pair_position(&flow->model->kinds, r))]++;
		for (int o = 0; o < link->count; o++) {
			double passed = bytes * ranks[o] * (link->is_memory ? p - 1 : p - ranks[o]);

			flow->out[i][o] += passed;
			flow->in[i][o] += passed;
		}
		free(ranks);
	}
	return 0;
}

double tmap_flow_busiest(const struct tmap_flow *flow)
{
	double most = 0;

	for (int i = 0; i < flow->model->link_count; i++) {
		const struct tmap_cost_link *link = &flow->model->link[i];

		for (int o = 0; o < link->count; o++) {
			double out = flow->out[i][o], in = flow->in[i][o];

			most = fmax(most,
				    link->rate[o].byte_s *
					    (link->is_sum ? out + in : fmax(out, in)));
		}
	}
	return most;
}
