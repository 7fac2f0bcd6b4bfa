/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/launch.h"

#include "core/base/mem.h"
#include "formats/base/destination.h"
#include "formats/launchers/without_file.h"

#include <stdlib.h>
#include <string.h>

int tmap_launch_init(struct tmap_launch *job, int launcher, const struct tmap_placement *p,
		     const struct tmap_placement *before, const int *place_of, const char *path,
		     struct tmap_error *err)
{
	struct tmap_launch made = { .launcher = tmap_launcher_at(launcher),
				    .p = p,
				    .before = before,
				    .place_of = place_of };

	made.name = tmap_destination_keeps(path) ? path : made.launcher->file;
	if (tmap_locals_init(&made.locals, p, err) < 0)
		return -1;
	*job = made;
	return 0;
}

void tmap_launch_fini(struct tmap_launch *job)
{
	tmap_locals_fini(&job->locals);
}

int tmap_launch_count_files(const struct tmap_launch *job)
{
	return job->launcher->count_files ? job->launcher->count_files(job) : 1;
}

static int check_files(const struct tmap_launch *job, struct tmap_error *err)
{
	int files = tmap_launch_count_files(job), status = 0;

	for (int i = 0; i < files && status == 0; i++)
		status = job->launcher->write(NULL, job, i, err);
	return status;
}

/* "(--launcher slurm can do it)": the first of the others that does not refuse as well. */
static int refuse_with_other(const struct tmap_launch *job, struct tmap_error *err)
{
	const char *const *name = job->launcher->instead;
	struct tmap_error ignored, first = *err;

	for (; *name; name++) {
		struct tmap_launch other = *job;

		other.launcher = tmap_launcher_find(*name);
		if (check_files(&other, &ignored) == 0)
			return tmap_fail(err, first.kind, "%s (--launcher %s can do it)",
					 first.text, *name);
	}
	return -1;
}

int tmap_launch_check(const struct tmap_launch *job, struct tmap_error *err)
{
	if (check_files(job, err) == 0)
		return 0;
	return err->kind == TMAP_INPUT ? refuse_with_other(job, err) : -1;
}

char *tmap_launch_advice(const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT, note = TMAP_STR_INIT;
	char *flags = NULL;

	if ((job->launcher->note && job->launcher->note(&note, job, err) < 0) ||
	    tmap_launch_without_file(&flags, job, err) < 0) {
		tmap_str_fini(&note);
		return NULL;
	}
	if (note.length)
		tmap_str_addf(&text, "Note: %s.\n", note.text);
	if (flags)
		tmap_str_addf(&text, "Without a file, on these nodes in this order: %s\n", flags);
	text.failed |= note.failed;
	tmap_str_fini(&note);
	free(flags);
	return tmap_str_take(&text, err);
}
