/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/startup.h"

#include "core/base/mem.h"
#include "core/base/version.h"
#include "formats/base/output.h"
#include "mpi_probe/guard.h"
#include "mpi_probe/setting_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void tmap_startup_print(const char *program, const struct tmap_error *err)
{
	char text[TMAP_ERROR_SIZE];

	fprintf(stderr, "%s: %s\n", program, tmap_error_print(err, text));
}

bool tmap_startup_is_first(void)
{
	return tmap_starter_rank(tmap_starter_find(environ), environ) <= 0;
}

static char *print_date(struct tmap_error *err)
{
	char text[32] = "";
	time_t now = time(NULL);
	struct tm utc;

	if (!gmtime_r(&now, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)) {
		tmap_fail(err, TMAP_SYSTEM, "the system's clock cannot be read");
		return NULL;
	}
	return tmap_strdup(text, err);
}

char *tmap_startup_library(struct tmap_startup *startup, struct tmap_error *err)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;

	if (tmap_job_check(&startup->job, MPI_Get_library_version(text, &length),
			   "MPI_Get_library_version", err) < 0)
		return NULL;
	return tmap_library_name(text, err);
}

int tmap_startup_describe(struct tmap_startup *startup, const char *request,
			  struct tmap_origin *origin, struct tmap_error *err)
{
	const struct tmap_starter *starter = startup->starter;

	origin->by = tmap_format(err, "%s " TMAP_VERSION, startup->program);
	origin->mpi = tmap_startup_library(startup, err);
	origin->date = print_date(err);
	if (!origin->by || !origin->mpi || !origin->date)
		return -1;
	if (starter &&
	    !(origin->launcher = tmap_starter_describe(starter, environ, startup->version, err)))
		return -1;
	if (!request)
		return 0;
	origin->request = tmap_strdup(request, err);
	return origin->request ? 0 : -1;
}

/* The number of its command is where the launcher says it, as most do. */
int tmap_startup_setting(struct tmap_startup *startup, const char *name, bool no_environment,
			 struct tmap_setting *setting, struct tmap_error *err)
{
	int *number = NULL, found = 0, part;

	if (tmap_job_check(&startup->job,
			   MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &found),
			   "MPI_Comm_get_attr", err) < 0)
		return -1;
	part = found && *number >= 0 && *number <= TMAP_MOST_PARTS ? *number : TMAP_NONE;
	return tmap_setting_query(setting, part, name, no_environment ? NULL : environ, err);
}

#define INIT_FAILED "MPI_Init failed; the MPI library's own messages give the reason"

/* Where it fails most libraries do not return; Open MPI 5 does, if its variable says so, and then
 * it is no abort of the job, which could come before the sentence. The guard prints that. */
static int mpi_init(const char *program, char *const *argv, struct tmap_error *err)
{
	struct tmap_guard guard = { .pipe = -1 };
	char sentence[200];
	int code;

	snprintf(sentence, sizeof sentence, "%s: " INIT_FAILED "\n", program);
	setenv("OMPI_MCA_mpi_initial_errhandler", "mpi_errors_return", 0);
#ifdef SMPI_H /* its ranks are one process, which cannot begin anew */
	(void)argv;
#else
	tmap_guard_begin(&guard, argv, tmap_startup_is_first() ? sentence : NULL);
#endif
	code = MPI_Init(NULL, NULL);
	if (code != MPI_SUCCESS) {
		tmap_fail(err, TMAP_SYSTEM, "%s", INIT_FAILED);
		if (guard.pipe < 0 && tmap_startup_is_first())
			tmap_startup_print(program, err);
		return -1;
	}
	tmap_guard_end(&guard);
	return 0;
}

/* One of several that the launcher started, and yet alone: MPI did not understand it. */
static bool startup_is_singleton(const struct tmap_startup *startup)
{
	return startup->job.size == 1 && (startup->started_rank > 0 || startup->started_size > 1);
}

/* Singletons cannot agree: the first by the launcher's variables prints. */
static bool startup_is_silent(const struct tmap_startup *startup)
{
	return startup_is_singleton(startup) && startup->started_rank > 0;
}

static int singleton_refuse(struct tmap_startup *startup, struct tmap_error *err)
{
	char *library = tmap_startup_library(startup, err);

	if (!library)
		return -1;
	tmap_fail(
		err, TMAP_SYSTEM,
		"%s started several processes, but for %s, which this program is "
		"built with, each is a job of its own: use that library's launcher, or build with "
		"the launcher's library (make MPICC=...)",
		startup->starter->name, library);
	free(library);
	return -1;
}

int tmap_startup_run(const char *program, char *const *argv, tmap_startup_work *work,
		     const void *args)
{
	struct tmap_startup startup = { .program = program };
	struct tmap_job *job = &startup.job;
	struct tmap_error err;
	int status;

	startup.starter = tmap_starter_find(environ);
	startup.started_rank = tmap_starter_rank(startup.starter, environ);
	startup.started_size = tmap_starter_size(startup.starter, environ);
	if (tmap_startup_is_first())
		tmap_starter_ask(startup.version, startup.starter);
	if (mpi_init(program, argv, &err) < 0)
		return (int)err.kind;
	status = tmap_job_init(job, &err);
	if (status == 0)
		status = startup_is_singleton(&startup) ? singleton_refuse(&startup, &err) :
							  work(&startup, args, &err);
	if (job->broken) {
		tmap_startup_print(program, &err);
		/* Hydra forwards nothing more once it knows of an abort */
		nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
		MPI_Abort(MPI_COMM_WORLD, TMAP_SYSTEM);
	}
	if (status < 0 && job->rank == 0 && !startup_is_silent(&startup))
		tmap_startup_print(program, &err);
	if (status < 0)
		MPI_Barrier(job->world); /* the first to exit may be the end of all */
	tmap_job_fini(job);
	MPI_Finalize();
	/* a launcher that sees another rank fail first may end the one that has the sentence */
	return startup_is_silent(&startup) || status == 0 ? TMAP_OK : (int)err.kind;
}

int tmap_startup_print_once(const char *program,
			    int (*print)(const void *what, struct tmap_error *err),
			    const void *what)
{
	struct tmap_error err;

	if (!tmap_startup_is_first() || (print(what, &err) == 0 && tmap_stdout_close(&err) == 0))
		return TMAP_OK;
	tmap_startup_print(program, &err);
	return (int)err.kind;
}
