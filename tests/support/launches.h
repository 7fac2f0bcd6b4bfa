/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launches.h - a placement as a launcher's files, for tests: nobody moves.
 */
#ifndef TMAP_TESTS_SUPPORT_LAUNCHES_H
#define TMAP_TESTS_SUPPORT_LAUNCHES_H

#include "core/base/mem.h"
#include "formats/launchers/launch.h"
#include "tests/unit.h"

#include <stdlib.h>

/* The job that @p launcher starts; place_of is the job's own, to be freed. */
static inline struct tmap_launch launch_of(const char *launcher, const struct tmap_placement *p,
					   const char *path)
{
	static struct tmap_error err;
	struct tmap_launch job = { 0 };
	int index = tmap_keywords_find(&tmap_launchers, launcher, &err);
	int *place_of = tmap_alloc((size_t)p->size, sizeof *place_of, &err);

	for (int r = 0; r < p->size; r++)
		place_of[r] = r;
	ck_assert_msg(tmap_launch_init(&job, index, p, p, place_of, path, &err) == 0, "%s",
		      err.text);
	return job;
}

static inline void launch_fini(struct tmap_launch *job)
{
	free((void *)(uintptr_t)job->place_of);
	tmap_launch_fini(job);
}

/* Write file @p number of the job. */
static inline int write_launch(FILE *out, const char *launcher, const struct tmap_placement *p,
			       int number, struct tmap_error *err)
{
	struct tmap_launch job = launch_of(launcher, p, "-");
	int status = job.launcher->write(out, &job, number, err);

	launch_fini(&job);
	return status;
}

/* The command line of the job with its file at @p path; the caller's to free. */
static inline char *launch_command(const char *launcher, const struct tmap_placement *p,
				   const char *path, struct tmap_error *err)
{
	struct tmap_launch job = launch_of(launcher, p, path);
	char *line = tmap_launch_command(&job, err);

	launch_fini(&job);
	return line;
}

#endif
