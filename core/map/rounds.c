/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/rounds.h"

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
		int left = tmap_cost_object(link, flow->model->kinds.position[from]);
		int reached = tmap_cost_object(link, flow->model->kinds.position[to]);

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
			ranks[tmap_cost_object(link, flow->model->kinds.position[r])]++;
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

/* What a rank sends, or receives, one message after another. */
struct chain {
	double busy_s, latency_s, overhead_s;
	int64_t messages;
};

static void chain_add(struct chain *chain, const struct tmap_profile_row *row, double bytes)
{
	chain->busy_s += bytes * row->byte_s;
	chain->latency_s = fmax(chain->latency_s, row->latency_s);
	chain->overhead_s += chain->messages ? row->overhead_s : 0;
	chain->messages++;
}

static double chain_seconds(const struct chain *chain)
{
	return chain->latency_s + chain->busy_s + chain->overhead_s;
}

/* All messages into the flow and the chains: [0 .. p) of senders, then of receivers. The largest
 * latency is returned. */
static double pattern_send(struct chain *chain, struct tmap_flow *flow,
			   const struct tmap_pattern *pattern)
{
	double latency = 0;

	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++) {
			const struct tmap_profile_row *row;
			int peer = pattern->peer[i];

			if (pattern->sent[i] <= 0)
				continue;
			row = tmap_cost_row(flow->model, tmap_cost_step(flow->model, r, peer),
					    pattern->sent[i]);
			chain_add(&chain[r], row, pattern->sent[i]);
			chain_add(&chain[pattern->size + peer], row, pattern->sent[i]);
			tmap_flow_add(flow, r, peer, pattern->sent[i]);
			latency = fmax(latency, row->latency_s);
		}
	return latency;
}

static int seconds_add_everyone(double *seconds, struct tmap_cost_model *model,
				const struct tmap_pattern *pattern, struct tmap_error *err)
{
	struct tmap_all_pairs pairs = { .rounds = pattern->size - 1, .bytes = 1 };
	double all;

	if (pattern->everyone <= 0 || pattern->size < 2)
		return 0;
	if (pattern->everyone > (double)(INT64_MAX / 2))
		pairs.bytes = INT64_MAX / 2;
	else if (pattern->everyone > 1)
		pairs.bytes = (int64_t)pattern->everyone;
	if (tmap_cost_all_pairs(&all, model, &pairs, err) < 0)
		return -1;
	*seconds += all;
	return 0;
}

int tmap_round_seconds(double *seconds, struct tmap_cost_model *model,
		       const struct tmap_pattern *pattern, struct tmap_error *err)
{
	struct chain *chain = tmap_alloc(2 * (size_t)pattern->size, sizeof *chain, err);
	struct tmap_flow flow = { 0 };
	int status = -1;

	if (chain && tmap_flow_init(&flow, model, err) == 0) {
		double latency = pattern_send(chain, &flow, pattern),
		       busiest = tmap_flow_busiest(&flow);
		double made = busiest > 0 ? latency + busiest : 0;

		for (int i = 0; i < 2 * pattern->size; i++)
			made = fmax(made, chain_seconds(&chain[i]));
		status = seconds_add_everyone(&made, model, pattern, err);
		if (status == 0)
			*seconds = made;
		tmap_flow_fini(&flow);
	}
	free(chain);
	return status;
}
