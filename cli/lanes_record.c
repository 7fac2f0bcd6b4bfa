/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lanes_record.h"

#include "cli/base/adapters.h"
#include "cli/base/call_options.h"
#include "core/record/record_traffic.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/machine/json_profile.h"
#include "formats/report/lanes/recorded_lanes_report.h"

static int write_recorded(FILE *out, const struct tmap_recorded_lanes *lanes,
			  const struct tmap_lanes_record *it, struct tmap_error *err)
{
	if (it->format == TMAP_FORMAT_JSON)
		return tmap_json_write_recorded_lanes(out, lanes, err);
	if (it->format == TMAP_FORMAT_CSV)
		return tmap_csv_write_recorded_lanes(out, lanes, err);
	if (tmap_adapters_write_text(out, &lanes->record->placement, err) < 0 ||
	    tmap_text_write_recorded_lanes(out, lanes, it->all, err) < 0)
		return -1;
	if (it->parts->added.count)
		tmap_record_parts_write(out, "Of", it->parts, lanes->record);
	return 0;
}

int tmap_lanes_record(const struct tmap_lanes_record *it, const struct tmap_record *record,
		      struct tmap_progress_line *line, struct tmap_error *err)
{
	struct tmap_profile_request profile = { 0 };
	struct tmap_recorded_lanes lanes = { 0 };
	struct tmap_output out = { 0 };
	const struct tmap_recorded_lanes_request request = {
		.collective = it->collective,
		.lanes = it->lanes,
		.adapters = it->adapters,
		.library = tmap_record_library(it->library, record, &record->placement),
		.profile = &profile.profile,
		.progress = &line->progress,
	};
	int status = tmap_profile_option(&profile, it->profile, &record->placement, err);

	if (status == 0)
		status = tmap_recorded_lanes_init(&lanes, record, &request, err);
	tmap_progress_line_fini(line);
	if (status == 0)
		status = tmap_output_init(&out, it->output, err);
	if (status == 0)
		status = write_recorded(out.file, &lanes, it, err);
	status = tmap_output_end(&out, status, err);
	tmap_recorded_lanes_fini(&lanes);
	tmap_profile_request_fini(&profile);
	return status;
}
