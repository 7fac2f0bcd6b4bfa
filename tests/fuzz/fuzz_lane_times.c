/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as measured lanes: refused as bad input, or what was read is in order, is predicted and
 * shown in every form, is written, and is read again as the same. */
#include "core/cost/profile.h"
#include "formats/report/times/lane_speedups_report.h"
#include "formats/report/times/lane_times_read.h"
#include "formats/report/times/lane_times_report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_raw(const struct tmap_lane_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (!times->experiment[i].time)
			return false;
	return true;
}

static char *write_document(const struct tmap_lane_times *times)
{
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out || tmap_json_write_lane_times(out, times, has_raw(times), &err) < 0)
		abort();
	fclose(out);
	return text;
}

static void show(const struct tmap_lane_times *times)
{
	const struct tmap_profile *profile = tmap_profile_at(0);
	struct tmap_lane_predictions predictions;
	const struct tmap_lane_speedups speedups = { times, &predictions, profile };
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out || tmap_lane_predictions_init(&predictions, times, profile, &err) < 0 ||
	    tmap_text_write_lane_speedups(out, &speedups, &err) < 0 ||
	    tmap_csv_write_lane_speedups(out, &speedups, &err) < 0 ||
	    tmap_json_write_lane_speedups(out, &speedups, &err) < 0 ||
	    (tmap_svg_write_lane_speedups(out, &speedups, &err) < 0 && err.kind != TMAP_INPUT))
		abort();
	fclose(out);
	free(text);
	tmap_lane_predictions_fini(&predictions);
}

static void check(const struct tmap_lane_times *times)
{
	for (int i = 0; i < times->count; i++) {
		const struct tmap_lane_experiment *it = &times->experiment[i];

		if (it->lanes < 1 || it->lanes > times->job->placement.size ||
		    it->repetitions < 1 ||
		    (i > 0 &&
		     (it[-1].bytes > it->bytes ||
		      (it[-1].bytes == it->bytes && it[-1].lanes >= it->lanes))) ||
		    (it->speedup.has_interval && !it->has_speedup))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_lane_times times = { 0 }, again = { 0 };
	struct tmap_times job = { 0 }, other_job = { 0 };
	struct tmap_error err;
	char *text, *other;

	if (tmap_lane_times_parse_json(&times, &job, (const char *)data, size, "fuzz", &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		return 0;
	}
	check(&times);
	if (job.placement.size <= 64)
		show(&times);
	text = write_document(&times);
	if (tmap_lane_times_parse_json(&again, &other_job, text, strlen(text), "again", &err) < 0)
		abort();
	other = write_document(&again);
	if (strcmp(strstr(text, "\n  \"mpi\""), strstr(other, "\n  \"mpi\"")) != 0)
		abort();
	free(text);
	free(other);
	tmap_lane_times_fini(&times);
	tmap_lane_times_fini(&again);
	tmap_times_fini(&job);
	tmap_times_fini(&other_job);
	return 0;
}
