/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/score_times.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/measure/measured.h"
#include "core/schedule/neighborhood.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"
#include "formats/report/times/measured_map_report.h"
#include "formats/report/times/measured_plot.h"
#include "formats/report/times/measured_report.h"
#include "formats/report/times/times_read.h"

#include <stdlib.h>
#include <string.h>

/* What is written of all that was measured. */
struct comparison {
	int count, made;
	struct tmap_measured_subject *subject; /* [count] */
	struct tmap_neighborhood neighborhood;
	struct tmap_measured *measured; /* [count], of which so many are made */
};

static void comparison_fini(struct comparison *it)
{
	for (int i = 0; i < it->made; i++)
		tmap_measured_fini(&it->measured[i]);
	tmap_neighborhood_fini(&it->neighborhood);
	free(it->measured);
	free(it->subject);
}

/* That which is asked for, or all that there are. */
static int subjects_find(struct comparison *it, const struct tmap_score_times *args,
			 const struct tmap_times *times, struct tmap_error *err)
{
	if (args->collective != TMAP_NONE) {
		it->subject = tmap_alloc(1, sizeof *it->subject, err);
		if (!it->subject)
			return -1;
		it->count = 1;
		it->subject[0] =
			(struct tmap_measured_subject){ (enum tmap_collective)args->collective,
							args->root };
		return 0;
	}
	return tmap_measured_subjects(times, args->bytes, &it->subject, &it->count, err);
}

static int comparison_init(struct comparison *it, const struct tmap_score_times *args,
			   const struct tmap_times *times, const struct tmap_placement *placement,
			   const struct tmap_profile *profile, struct tmap_error *err)
{
	const struct tmap_times_neighborhood *on = &times->neighborhood;

	if (subjects_find(it, args, times, err) < 0)
		return -1;
	it->measured = tmap_alloc((size_t)it->count, sizeof *it->measured, err);
	if (!it->measured)
		return -1;
	if (on->stencil &&
	    tmap_neighborhood_init(&it->neighborhood, placement->size, on->stencil, on->cart,
				   on->periods, on->order, err) < 0)
		return -1;
	for (; it->made < it->count; it->made++) {
		enum tmap_collective collective = it->subject[it->made].collective;
		const struct tmap_score_request request = {
			.collective = collective,
			.bytes = collective == TMAP_BARRIER ? TMAP_NONE : args->bytes,
			.root = it->subject[it->made].root,
			.neighborhood = tmap_collective_rows[collective].has_neighbors &&
					it->neighborhood.size ?
				&it->neighborhood :
				NULL,
			.profile = profile,
		};

		if (collective == TMAP_BARRIER && it->count == 1 &&
		    args->plot == TMAP_PLOT_BANDWIDTH)
			return tmap_fail(err, TMAP_USAGE, "a barrier has no bandwidth");
		if (collective == TMAP_BARRIER && it->count == 1 && args->format == TMAP_FORMAT_SVG)
			return tmap_fail(
				err, TMAP_USAGE,
				"a picture is over sizes, and a barrier has none: -f text, "
				"csv or json");
		if (tmap_measured_init(&it->measured[it->made], times, placement, &request, err) <
		    0)
			return -1;
	}
	return 0;
}

static int comparison_write(FILE *out, const struct comparison *it,
			    const struct tmap_score_times *args, struct tmap_error *err)
{
	const struct tmap_measured *all = it->measured;
	const bool is_one = args->collective != TMAP_NONE; /* and nothing is said of the others */

	switch (args->format) {
	case TMAP_FORMAT_JSON:
		return is_one ? tmap_json_write_measured(out, all, err) :
				tmap_json_write_all_measured(out, all, it->count, err);
	case TMAP_FORMAT_CSV:
		return is_one ? tmap_csv_write_measured(out, all, err) :
				tmap_csv_write_all_measured(out, all, it->count, err);
	case TMAP_FORMAT_SVG:
		return tmap_svg_write_measured(
			out, all, it->count,
			args->plot == TMAP_PLOT_BANDWIDTH ? TMAP_PLOT_BANDWIDTH : TMAP_PLOT_TIME,
			err);
	default:
		return tmap_text_write_measured(out, all, it->count, err);
	}
}

/* What is wrong is so of the files, the first of which is named. */
static int blame(const struct tmap_score_times *args, struct tmap_error *err)
{
	if (err->kind == TMAP_INPUT) {
		tmap_at(err, args->files->items[0], 0);
		tmap_wrap(err, "--times");
	}
	return -1;
}

/* Predicted and measured. */
static int run_times(const struct tmap_score_times *args, struct tmap_error *err)
{
	struct tmap_profile_request profile = { 0 };
	struct tmap_placement other = { 0 };
	struct tmap_times times = { 0 };
	struct comparison comparison = { 0 };
	struct tmap_output out = { 0 };
	bool is_theirs = strcmp(args->input, "-") == 0;
	struct tmap_placement *placement = is_theirs ? &times.placement : &other;
	struct tmap_progress_line line;
	int status = -1;

	tmap_progress_line_start(&line, "topomap score");
	if (tmap_times_read_joined(&times, args->files->items, args->files->count, err) < 0) {
		tmap_wrap(err, "--times");
		goto out;
	}
	if ((!is_theirs && tmap_placement_read_json(&other, args->input, err) < 0) ||
	    tmap_adapters_option(placement, args->adapters, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, placement, err) < 0)
		goto out;
	if (comparison_init(&comparison, args, &times, placement, &profile.profile, err) < 0) {
		blame(args, err);
		goto out;
	}
	tmap_progress_line_fini(&line);
	if (tmap_output_init(&out, args->output, err) < 0)
		goto out;
	status = comparison_write(out.file, &comparison, args, err);
	if (status < 0)
		blame(args, err);
out:
	tmap_progress_line_fini(&line);
	status = tmap_output_end(&out, status, err);
	comparison_fini(&comparison);
	tmap_times_fini(&times);
	tmap_placement_fini(&other);
	tmap_profile_request_fini(&profile);
	return status;
}

static int write_map(FILE *out, const struct tmap_measured_map *map, int format,
		     struct tmap_error *err)
{
	return (format == TMAP_FORMAT_JSON        ? tmap_json_write_measured_map :
			format == TMAP_FORMAT_CSV ? tmap_csv_write_measured_map :
			format == TMAP_FORMAT_SVG ? tmap_svg_write_measured_map :
						    tmap_text_write_measured_map)(out, map, err);
}

/* What was measured on several numbers of ranks. */
static int run_map(const struct tmap_score_times *args, struct tmap_error *err)
{
	int count = (int)args->files->count, at, read = 0, status = 0;
	struct tmap_times *times = tmap_alloc((size_t)count, sizeof *times, err);
	struct tmap_measured_map map = { 0 };
	struct tmap_output out = { 0 };

	if (!times)
		return -1;
	for (; read < count && status == 0; read++)
		status = tmap_times_read_json(&times[read], args->files->items[read], err);
	if (status == 0) {
		status = tmap_measured_map_init(&map, times, count,
						(enum tmap_collective)args->collective, args->root,
						args->bytes, &at, err);
		if (status < 0 && err->kind == TMAP_INPUT && at != TMAP_NONE)
			tmap_at(err, args->files->items[at], 0);
	}
	if (status < 0)
		tmap_wrap(err, "--times");
	else
		status = tmap_output_init(&out, args->output, err);
	if (status == 0)
		status = write_map(out.file, &map, args->format, err);
	status = tmap_output_end(&out, status, err);
	tmap_measured_map_fini(&map);
	for (int i = 0; i < count; i++)
		tmap_times_fini(&times[i]);
	free(times);
	return status;
}

int tmap_score_times_run(const struct tmap_score_times *args, struct tmap_error *err)
{
	return args->is_map ? run_map(args, err) : run_times(args, err);
}
