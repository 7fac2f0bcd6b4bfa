/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/times_write.h"

#include "formats/base/format.h"
#include "formats/report/times/times_report.h"

int tmap_times_write(struct tmap_output *out, const struct tmap_times *times, int format,
		     tmap_times_write_text *write_text, struct tmap_error *err)
{
	int status = (format == TMAP_FORMAT_JSON        ? tmap_json_write_times :
			      format == TMAP_FORMAT_CSV ? tmap_csv_write_times :
							  write_text)(out->file, times, err);

	return tmap_output_end(out, status, err);
}
