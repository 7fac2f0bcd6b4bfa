/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/record/record_files.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"
#include "formats/machine/json_placement.h"
#include "formats/report/record/record_json.h"
#include "mpi_run/record/new_file.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program may have changed its folder since MPI_Init. */
static char *path_from_start(const char *path, struct tmap_error *err)
{
	if (*path == '/' || !tmap_recorder.folder)
		return tmap_strdup(path, err);
	return tmap_format(err, "%s/%s", tmap_recorder.folder, path);
}

int tmap_record_read_placement(struct tmap_placement *p, const char *name, int size,
			       struct tmap_error *err)
{
	char *path = path_from_start(name, err);
	int status = path ? tmap_placement_read_json(p, path, err) : -1;

	if (status == 0 && p->size != size) {
		tmap_fail(err, TMAP_INPUT, "it has %d ranks, and the job has %d", p->size, size);
		status = tmap_at(err, path, 0);
	}
	free(path);
	return status < 0 ? tmap_wrap(err, "TOPOMAP_PLACEMENT") : 0;
}

static const char *variable(const char *const *names)
{
	for (; *names; names++)
		if (getenv(*names) && *getenv(*names))
			return getenv(*names);
	return NULL;
}

/* "TOPOMAP_RECORD", or a name with the number of the job, where a launcher or batch system gave one. */
static char *file_path(struct tmap_error *err)
{
	static const char *const jobs[] = { "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
					    NULL };
	const char *path = getenv("TOPOMAP_RECORD"), *job = variable(jobs);
	char *plain = NULL, *made;

	if (path && *path)
		return path_from_start(path, err);
	if (job)
		plain = tmap_format(err, "topomap-record.%s.json", job);
	else
		plain = tmap_format(err, "topomap-record.%ld.json", (long)getpid());
	for (char *at = plain; at && *at; at++)
		if (*at == '/')
			*at = '_';
	made = plain ? path_from_start(plain, err) : NULL;
	free(plain);
	return made;
}

/* The program's file, without its folder. */
static char *program_name(struct tmap_error *err)
{
	char path[PATH_MAX + 1] = "", plain[TMAP_ESCAPE_ROOM * 256];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
	const char *name;

	path[length > 0 ? length : 0] = '\0';
	name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	tmap_utf8_print(plain, sizeof plain, name);
	return tmap_strdup(plain, err);
}

/* Where the program's record is to be, that of what it started is never, whoever ends first. */
static int first_number(const struct tmap_record *record)
{
	return record->is_spawned ? 2 : 1;
}

/* A file that was there before is not this record. */
static void say_name(const struct tmap_record *record, const char *path, int number)
{
	struct tmap_error ignored;
	char *name = number > 1 ? tmap_new_file_name(path, number, &ignored) : NULL;

	if (name && record->is_spawned)
		fprintf(stderr, "%s: the record of processes that another job started is %s\n",
			TMAP_RECORDER_NAME, name);
	else if (name)
		fprintf(stderr, "%s: %s was there: the record is %s\n", TMAP_RECORDER_NAME, path,
			name);
	free(name);
}

int tmap_record_write_file(struct tmap_record *record, struct tmap_startup *startup,
			   struct tmap_error *err)
{
	struct tmap_origin origin = { 0 };
	struct tmap_new_file out;
	char *path = file_path(err);
	int status = -1, number = first_number(record);

	record->program = program_name(err);
	if (path && record->program && tmap_startup_describe(startup, NULL, &origin, err) == 0) {
		record->mpi = origin.mpi;
		record->date = origin.date;
		origin.mpi = origin.date = NULL;
		status = tmap_new_file_init(&out, path, err);
		if (status == 0)
			status = tmap_new_file_end(
				&out, tmap_record_write_json(out.file, record, err), &number, err);
		if (status == 0)
			say_name(record, path, number);
	}
	free(origin.by);
	free(origin.launcher);
	free(origin.mpi);
	free(origin.date);
	free(path);
	return status;
}
