/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/launch.h"

#include "core/base/mem.h"
#include "formats/base/output.h"

#include <stdlib.h>
#include <string.h>

static int open_files(struct tmap_output *out, const struct tmap_launch *job, const char *path,
		      int count, struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		const char *ending = i ? job->launcher->ending[i] : "";
		char *name = tmap_format(err, "%s%s", path, ending);
		int status = name ? tmap_output_init(&out[i], name, err) : -1;

		free(name);
		if (status < 0 || job->launcher->write(out[i].file, job, i, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_launch_write(const struct tmap_launch *job, const char *path, struct tmap_error *err)
{
	struct tmap_output out[TMAP_LAUNCH_FILES] = { 0 };
	int count = tmap_launch_count_files(job), status;

	if (count > 1 && strcmp(path, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--launcher %s needs %d files for this job, %s and "
				 "%s%s: give --output NAME",
				 job->launcher->word.name, count, job->name, job->name,
				 job->launcher->ending[1]);
	status = open_files(out, job, path, count, err);
	/* what the disk refuses it refuses here, before any file has its name */
	for (int i = 0; i < count && status == 0; i++)
		status = tmap_output_check(&out[i], err);
	for (int i = count - 1; i >= 0 && status == 0; i--)
		status = tmap_output_commit(&out[i], err);
	for (int i = 0; i < count; i++)
		tmap_output_fini(&out[i]);
	return status;
}
