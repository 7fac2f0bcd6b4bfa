/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as measured times: refused as bad input, or what was read is in order, is written, and
 * its experiments are read again as the same; and joined to itself it has each run twice. */
#include "formats/report/times/like_report.h"
#include "formats/report/times/times_read.h"
#include "formats/report/times/times_report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *write_text(const struct tmap_times *times)
{
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out || tmap_json_write_times(out, times, &err) < 0 ||
	    tmap_text_write_times(out, times, &err) < 0 ||
	    tmap_text_write_like(out, times, &err) < 0 ||
	    tmap_csv_write_times(out, times, &err) < 0)
		abort();
	fclose(out);
	return text;
}

static void check(const struct tmap_times *times)
{
	if (!times->mpi || !times->date || !times->sync)
		abort();
	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[i];
		const struct tmap_sample_statistics *seconds = &it->seconds;

		if (!(seconds->min >= 0 && seconds->min <= seconds->median &&
		      seconds->median <= seconds->max) ||
		    it->run_count < 1 || it->repetitions < it->run_count ||
		    it->root >= times->placement.size || !it->algorithm)
			abort();
	}
}

/* No run of the first experiment is the shortest one that it had. */
static void make_other_launch(struct tmap_times *times)
{
	for (int j = 0; times->count && j < times->experiment[0].run_count; j++)
		times->experiment[0].run[j] = 2 * times->experiment[0].run[j] + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_times times = { 0 }, again = { 0 };
	struct tmap_error err;
	char *text, *other, *end;

	if (tmap_times_parse_json(&times, (const char *)data, size, "fuzz", &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		return 0;
	}
	check(&times);
	text = write_text(&times);
	end = strstr(text, "\n}\n");
	if (!end ||
	    tmap_times_parse_json(&again, text, (size_t)(end + 2 - text), "again", &err) < 0)
		abort();
	other = write_text(&again);
	if (strcmp(strstr(text, "\n  \"mpi\""), strstr(other, "\n  \"mpi\"")) != 0)
		abort();
	make_other_launch(&again);
	if (tmap_times_join(&again, &times, &err) < 0 || again.count != times.count)
		abort();
	for (int i = 0; i < times.count; i++)
		if (again.experiment[i].run_count != 2 * times.experiment[i].run_count)
			abort();
	free(text);
	free(other);
	tmap_times_fini(&times);
	tmap_times_fini(&again);
	return 0;
}
