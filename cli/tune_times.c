/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_times.h"

#include "core/base/mem.h"
#include "core/lint/compare.h"
#include "formats/report/times/times_caveats.h"
#include "formats/report/times/times_read.h"

#include <stdlib.h>

/* Is joined with one that is there, or is the next. Taken also where that fails. */
static int documents_add_take(struct tmap_tune_documents *documents, struct tmap_times *times,
			      const char *path, struct tmap_error *err)
{
	bool alike, same = false;
	int at = 0, status = 0;

	for (; at < documents->count && status == 0; at++) {
		status = tmap_placements_compare(&alike, &same, &documents->times[at].placement,
						 &times->placement, err);
		if (same)
			break;
	}
	if (status == 0 && !same) {
		documents->path[documents->count] = path;
		documents->times[documents->count++] = *times;
		return 0;
	}
	if (status == 0)
		status = tmap_times_join(&documents->times[at], times, err);
	tmap_times_fini(times);
	return status < 0 ? tmap_at(err, path, 0) : 0;
}

int tmap_tune_documents_read(struct tmap_tune_documents *documents,
			     const struct tmap_opt_list *paths, struct tmap_error *err)
{
	int status = 0;

	*documents = (struct tmap_tune_documents){ 0 };
	if (!paths->count)
		return 0;
	documents->times = tmap_alloc(paths->count, sizeof *documents->times, err);
	documents->path = tmap_alloc(paths->count, sizeof *documents->path, err);
	if (!documents->times || !documents->path)
		status = -1;
	for (size_t i = 0; i < paths->count && status == 0; i++) {
		struct tmap_times times = { 0 };

		status = tmap_times_read_json(&times, paths->items[i], err);
		if (status == 0)
			status = documents_add_take(documents, &times, paths->items[i], err);
	}
	if (status == 0)
		return 0;
	tmap_tune_documents_fini(documents);
	return tmap_wrap(err, "--times");
}

void tmap_tune_documents_fini(struct tmap_tune_documents *documents)
{
	for (int i = 0; i < documents->count; i++)
		tmap_times_fini(&documents->times[i]);
	free(documents->times);
	free(documents->path);
	*documents = (struct tmap_tune_documents){ 0 };
}

struct tmap_placement *tmap_tune_documents_job(const struct tmap_tune_documents *documents)
{
	int most = 0;

	for (int i = 1; i < documents->count; i++)
		if (documents->times[i].placement.size > documents->times[most].placement.size)
			most = i;
	return documents->count ? &documents->times[most].placement : NULL;
}

int tmap_tune_documents_give(const struct tmap_tune_documents *documents,
			     struct tmap_tune_places *places, int library, struct tmap_error *err)
{
	for (int i = 0; i < documents->count; i++)
		if (tmap_tune_places_measure(places, &documents->times[i], library, err) < 0) {
			tmap_at(err, documents->path[i], 0);
			return tmap_wrap(err, "--times");
		}
	return 0;
}

int tmap_tune_documents_write_caveats(FILE *out, const struct tmap_tune_documents *documents,
				      struct tmap_error *err)
{
	struct tmap_times_caveats caveats;

	if (tmap_times_caveats_find(&caveats, documents->times, documents->count, err) < 0)
		return -1;
	for (int i = 0; i < caveats.count; i++)
		fprintf(out, "%s\n", caveats.line[i]);
	return 0;
}
