/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/launch.h"

#include "formats/base/output.h"

#include <string.h>

int tmap_launch_write(const struct tmap_launch *job, const char *path, struct tmap_error *err)
{
	const char *const ending[TMAP_LAUNCH_FILES] = { "", job->launcher->ending[1] };
	struct tmap_output out[TMAP_LAUNCH_FILES] = { 0 };
	int count = tmap_launch_count_files(job), status;

	if (count > 1 && strcmp(path, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--launcher %s needs %d files for this job, %s and "
				 "%s%s: give --output NAME",
				 job->launcher->word.name, count, job->name, job->name,
				 job->launcher->ending[1]);
	status = tmap_outputs_init(out, count, path, ending, err);
	for (int i = 0; i < count && status == 0; i++)
		status = job->launcher->write(out[i].file, job, i, err);
	return tmap_outputs_end(out, count, status, err);
}
