/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/rounds.h"

#include "core/base/mem.h"
#include "core/cost/clock.h"
#include "core/pattern/rows.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 256 };

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

/* Whole bytes, at least one: messages have no parts of bytes. */
static int64_t whole_bytes(double bytes)
{
	return bytes < 1 ? 1 : bytes < 9e18 ? (int64_t)llround(bytes) : INT64_MAX;
}

/* A row of the pattern to the clock, peer after peer. */
static int clock_take_row(struct tmap_clock *clock, const struct tmap_pattern_rows *rows,
			  struct tmap_error *err)
{
	const struct tmap_round_info info = { .span = 1, .times = 1 };
	int from[CHUNK], to[CHUNK], count = 0;
	int64_t bytes[CHUNK];

	for (int e = 0; e < rows->count; e++) {
		int i = rows->turn ? rows->turn[e] : e;

		if (rows->sent[i] <= 0)
			continue;
		from[count] = rows->rank;
		to[count] = rows->peer[i];
		bytes[count++] = whole_bytes(rows->sent[i]);
		if (count < CHUNK)
			continue;
		if (tmap_clock_take(clock, &info, from, to, bytes, count, err) < 0)
			return -1;
		count = 0;
	}
	return count ? tmap_clock_take(clock, &info, from, to, bytes, count, err) : 0;
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
		       const struct tmap_pattern *pattern, const struct tmap_neighborhood *order,
		       struct tmap_error *err)
{
	struct tmap_pattern_rows rows;
	struct tmap_clock clock;
	int status = tmap_clock_init(&clock, model, err), last;
	double made;

	if (status < 0)
		return -1;
	status = tmap_pattern_rows_init(&rows, pattern, order, false, err);
	if (status == 0) {
		while (status == 0 && tmap_pattern_rows_next(&rows))
			status = clock_take_row(&clock, &rows, err);
		tmap_pattern_rows_fini(&rows);
	}
	if (status == 0)
		status = tmap_clock_end(&clock, err);
	made = tmap_clock_last(&clock, &last);
	if (status == 0)
		status = seconds_add_everyone(&made, model, pattern, err);
	if (status == 0)
		*seconds = made;
	tmap_clock_fini(&clock);
	return status;
}
