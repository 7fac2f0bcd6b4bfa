/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/inspect_traffic.h"

#include "cli/base/other_file.h"
#include "formats/base/input.h"
#include "formats/report/record/svg_traffic.h"

/* The same ranks in other places. */
static int read_other(struct tmap_placement *other, const char *path, int size,
		      struct tmap_error *err)
{
	if (tmap_placement_operand(other, path, err) < 0)
		return -1;
	if (other->size == size)
		return 0;
	tmap_fail(err, TMAP_INPUT, "it has %d rank%s, and the record %d", other->size,
		  other->size == 1 ? "" : "s", size);
	return tmap_at(err, tmap_input_name(path), 0);
}

int tmap_inspect_traffic_write(FILE *out, const struct tmap_record *record, int library,
			       const char *against, struct tmap_error *err)
{
	struct tmap_library_pick pick = tmap_record_library(library, record, &record->placement);
	struct tmap_placement other = { 0 };
	struct tmap_record_pattern traffic = { 0 };
	const struct tmap_traffic_picture picture = {
		.record = record,
		.traffic = &traffic,
		.library = tmap_keywords_at(&tmap_libraries, (size_t)pick.library)->name,
		.other = against ? &other : NULL,
		.other_name = against ? tmap_input_name(against) : NULL,
	};
	int status = 0;

	if (against && read_other(&other, against, record->placement.size, err) < 0)
		status = tmap_wrap(err, "--against");
	else if (tmap_record_pattern_init(&traffic, record, pick.library, err) < 0)
		status = tmap_wrap(err, "--traffic");
	else
		status = tmap_svg_write_traffic(out, &picture, err);
	tmap_record_pattern_fini(&traffic);
	tmap_placement_fini(&other);
	return status;
}
