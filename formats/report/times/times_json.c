/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"
#include "formats/report/times/left_out_report.h"
#include "formats/report/times/measured_call.h"
#include "formats/report/times/times_report.h"

void tmap_json_put_interrupted(struct tmap_json_writer *w, const struct tmap_times *times)
{
	if (times->is_interrupted)
		tmap_json_put_bool(w, "interrupted", true);
}

void tmap_json_put_neighborhood(struct tmap_json_writer *w,
				const struct tmap_times_neighborhood *it)
{
	if (!it->stencil)
		return;
	tmap_json_open_line(w, "neighborhood", '{');
	tmap_json_put_string(w, "stencil", it->stencil);
	if (it->cart)
		tmap_json_put_string(w, "cart", it->cart);
	if (it->periods)
		tmap_json_put_string(w, "periods", it->periods);
	if (it->order)
		tmap_json_put_string(w, "order", it->order);
	tmap_json_close(w);
}

void tmap_json_put_sync(struct tmap_json_writer *w, const struct tmap_times *times)
{
	const struct tmap_clock_use *clock = &times->clock;

	tmap_json_put_string(w, "sync", times->sync);
	if (clock->clocks) {
		tmap_json_open_line(w, "clock", '{');
		tmap_json_put_int(w, "clocks", clock->clocks);
		tmap_json_put_double(w, "uncertainty_s", clock->uncertainty_s);
		tmap_json_put_int(w, "late", clock->late);
		tmap_json_close(w);
	}
	if (times->off_cache)
		tmap_json_put_int(w, "off_cache", times->off_cache);
	tmap_json_put_neighborhood(w, &times->neighborhood);
	if (times->says_rounds)
		tmap_json_put_bool(w, "by_rounds", times->by_rounds);
	if (times->has_seed)
		tmap_json_put_int(w, "seed", times->seed);
	if (!times->seeds)
		return;
	tmap_json_open_line(w, "seeds", '[');
	for (int i = 0; i < times->seed_count; i++)
		tmap_json_put_int(w, NULL, times->seeds[i]);
	tmap_json_close(w);
}

void tmap_json_put_seconds(struct tmap_json_writer *w, const struct tmap_sample_statistics *it)
{
	tmap_json_open_line(w, "seconds", '{');
	tmap_json_put_double(w, "min", it->min);
	tmap_json_put_double(w, "q1", it->q1);
	tmap_json_put_double(w, "median", it->median);
	tmap_json_put_double(w, "q3", it->q3);
	tmap_json_put_double(w, "max", it->max);
	tmap_json_put_double(w, "mean", it->mean);
	if (it->has_interval)
		tmap_json_put_doubles(w, "ci", (const double[]){ it->low, it->high }, 2);
	else
		tmap_json_put_null(w, "ci");
	tmap_json_close(w);
}

static void put_like(struct tmap_json_writer *w, const struct tmap_like_times *like)
{
	bool is_open = false;

	for (int way = 0; way < TMAP_LIKES; way++) {
		if (!like[way].repetitions)
			continue;
		if (!is_open)
			tmap_json_open(w, "like", '[');
		is_open = true;
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "as", tmap_like_rows[way].word.name);
		tmap_json_put_int(w, "warm_up", like[way].warm_up);
		tmap_json_put_int(w, "repetitions", like[way].repetitions);
		tmap_json_put_double(w, "min_s", like[way].min_s);
		tmap_json_put_double(w, "avg_s", like[way].avg_s);
		tmap_json_put_double(w, "max_s", like[way].max_s);
		tmap_json_close(w);
	}
	if (is_open)
		tmap_json_close(w);
}

static void put_boxes(struct tmap_json_writer *w, const struct tmap_experiment *it)
{
	tmap_json_open(w, "boxes", '[');
	for (int i = 0; i < it->run_count; i++) {
		const struct tmap_box *box = &it->box[i];

		tmap_json_put_doubles(
			w, NULL,
			(const double[]){ box->min, box->q1, box->median, box->q3, box->max }, 5);
	}
	tmap_json_close(w);
}

static void put_experiment(struct tmap_json_writer *w, const struct tmap_experiment *it)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_call(w, it);
	tmap_json_put_int(w, "repetitions", it->repetitions);
	tmap_json_put_bool(w, "correct", it->is_correct);
	tmap_json_put_seconds(w, &it->seconds);
	tmap_json_put_int(w, "outliers", it->seconds.outliers);
	tmap_json_put_doubles(w, "runs", it->run, it->run_count);
	if (it->box && it->run_count > 1)
		put_boxes(w, it);
	if (it->raw)
		tmap_json_put_doubles(w, "raw", it->raw, (int)it->repetitions);
	put_like(w, it->like);
	tmap_json_close(w);
}

int tmap_json_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "times");
	if (tmap_json_put_placement(&w, "placement", &times->placement, NULL, err) < 0)
		return -1;
	tmap_json_put_string(&w, "mpi", times->mpi);
	tmap_json_put_string(&w, "date", times->date);
	tmap_json_put_sync(&w, times);
	tmap_json_put_interrupted(&w, times);
	tmap_json_open(&w, "experiments", '[');
	for (int i = 0; i < times->count; i++)
		put_experiment(&w, &times->experiment[i]);
	tmap_json_close(&w);
	tmap_json_put_left_out(&w, times);
	return tmap_json_end(&w, err);
}
