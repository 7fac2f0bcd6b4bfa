/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/version.h"
#include "formats/base/input.h"
#include "formats/base/output.h"
#include "formats/launchers/launchers.h"
#include "formats/launchers/origin.h"
#include "formats/machine/json_placement.h"
#include "formats/network/network.h"
#include "mpi_probe/collect.h"
#include "mpi_probe/guard.h"
#include "mpi_probe/identity.h"
#include "mpi_probe/options.h"
#include "mpi_probe/rebind.h"
#include "mpi_probe/setting_pack.h"
#include "mpi_probe/starter_ask.h"
#include "options/docs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct session {
	const struct tmap_probe_args *args;
	const struct tmap_starter *starter; /* found before MPI_Init, which may leave marks too */
	char version[TMAP_STARTER_VERSION]; /* what it says of itself; "" if nothing */
	int started_rank, started_size;     /* in the launcher's variables; TMAP_NONE if unknown */
	struct tmap_job job;
};

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

static int origin_describe(struct tmap_origin *origin, struct session *session,
			   struct tmap_error *err)
{
	const struct tmap_starter *starter = session->starter;
	const struct tmap_probe_args *args = session->args;
	struct tmap_str request = TMAP_STR_INIT;
	char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;

	if (tmap_job_check(&session->job, MPI_Get_library_version(library, &length),
			   "MPI_Get_library_version", err) < 0)
		return -1;
	origin->by = tmap_strdup("topomap-probe " TMAP_VERSION, err);
	origin->mpi = tmap_library_name(library, err);
	origin->date = print_date(err);
	if (!origin->by || !origin->mpi || !origin->date)
		return -1;
	if (starter &&
	    !(origin->launcher = tmap_starter_describe(starter, environ, session->version, err)))
		return -1;
	if (!args->rankfile && !args->network)
		return 0;
	if (args->rankfile)
		tmap_str_addf(&request, "--rankfile %s", args->rankfile);
	if (args->network)
		tmap_str_addf(&request, "%s--network %s", args->rankfile ? " " : "", args->network);
	if (args->topology)
		tmap_str_addf(&request, " --topology %s", args->topology);
	origin->request = tmap_str_take(&request, err);
	return origin->request ? 0 : -1;
}

/* As the release that runs the job reads it, or the oldest. */
static int rankfile_apply(struct tmap_placement *p, const char *path, struct tmap_error *err)
{
	const struct tmap_launcher *own = tmap_launcher_at(tmap_origin_launcher(&p->origin).row);
	const struct tmap_launcher *first = tmap_launcher_at(0);
	const struct tmap_launcher *launcher = own->parse == first->parse ? own : first;
	struct tmap_placement bound = { 0 };
	int status;

	if (tmap_launcher_read(&bound, p->machine, launcher, path, TMAP_NONE, err) < 0)
		return -1;
	status = tmap_rebind_allowed(p, &bound, tmap_input_name(path), err);
	tmap_placement_fini(&bound);
	return status;
}

/* Rank 0: the switches of --network, else those in the ranks' environment, with what is odd of them
 * in @p note. */
static int network_read(struct tmap_placement *p, const struct tmap_probe_args *args,
			struct tmap_str *note, struct tmap_error *err)
{
	const struct tmap_network_file file = { args->network, args->topology, true };
	int status = 0;

	if (args->network) {
		tmap_str_fini(note);
		tmap_machine_clear_tiers(p->machine);
		status = tmap_network_read(p->machine, &file, note, err);
	}
	if (status == 0 && note->failed)
		status = tmap_fail(err, TMAP_SYSTEM, "out of memory");
	return status;
}

/* Rank 0: what was collected, as the document. */
static int document_write(struct tmap_placement *p, struct tmap_output *out,
			  struct session *session, struct tmap_error *err)
{
	const struct tmap_placement_json_options wanted = { .matrix = session->args->matrix };
	const char *rankfile = session->args->rankfile;

	if (origin_describe(&p->origin, session, err) < 0)
		return -1;
	if (rankfile && rankfile_apply(p, rankfile, err) < 0)
		return -1;
	if (tmap_placement_write_json(p, out->file, &wanted, err) < 0)
		return tmap_at(err, out->path ? out->path : "<stdout>", 0);
	return tmap_output_commit(out, err);
}

/* Rank 0, before anything is gathered: what would fail in the end fails now. */
static int document_open(struct tmap_output *out, const struct tmap_probe_args *args, int size,
			 struct tmap_error *err)
{
	if (args->matrix && size > TMAP_MATRIX_LIMIT)
		return tmap_fail(err, TMAP_INPUT,
				 "--matrix: the distances of %d ranks are too many "
				 "to write; it serves jobs of at most %d",
				 size, TMAP_MATRIX_LIMIT);
	if (args->topology && !args->network)
		return tmap_fail(err, TMAP_USAGE, "--topology chooses one of --network's");
	return tmap_output_init(out, args->output, err);
}

/* This rank's. The number of its command is where the launcher says it, as most do. */
static int setting_describe(struct tmap_setting *setting, struct session *session,
			    struct tmap_error *err)
{
	const struct tmap_probe_args *args = session->args;
	int *number = NULL, found = 0, part;

	if (tmap_job_check(&session->job,
			   MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &found),
			   "MPI_Comm_get_attr", err) < 0)
		return -1;
	part = found && *number >= 0 && *number <= TMAP_MOST_PARTS ? *number : TMAP_NONE;
	return tmap_setting_query(setting, part, args->program,
				  args->no_environment ? NULL : environ, err);
}

/* Collective over the job. */
static int job_probe(struct session *session, struct tmap_error *err)
{
	const struct tmap_probe_args *args = session->args;
	struct tmap_job *job = &session->job;
	struct tmap_output out = { 0 };
	struct tmap_placement p = { 0 };
	struct tmap_setting setting = TMAP_SETTING_INIT;
	struct tmap_str note = TMAP_STR_INIT;
	bool imitated = false;
	int status = setting_describe(&setting, session, err);

	if (status == 0 && job->rank == 0)
		status = document_open(&out, args, job->size, err);
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_collect(job, &setting, &p, &imitated, &note, err);
	if (status == 0 && job->rank == 0) {
		if (imitated && !args->rankfile)
			fputs("topomap-probe: warning: hwloc does not describe this system "
			      "(HWLOC_XMLFILE?), so all ranks count as unbound; --rankfile gives "
			      "their places\n",
			      stderr);
		status = network_read(&p, args, &note, err);
		if (status == 0)
			status = document_write(&p, &out, session, err);
		if (status == 0)
			tmap_network_print_note(
				stderr, args->network ? args->network : "SLURM_TOPOLOGY_ADDR",
				&note);
	}
	status = tmap_job_agree(job, status, err);
	tmap_output_fini(&out);
	tmap_str_fini(&note);
	tmap_setting_fini(&setting);
	tmap_placement_fini(&p);
	return status;
}

static void error_print(const struct tmap_error *err)
{
	char text[TMAP_ERROR_SIZE];

	fprintf(stderr, "topomap-probe: %s\n", tmap_error_print(err, text));
}

/* One process prints: without MPI, the first by the launcher's variables. */
static bool process_is_first(void)
{
	return tmap_starter_rank(tmap_starter_find(environ), environ) <= 0;
}

#define INIT_FAILED "MPI_Init failed; the MPI library's own messages give the reason"

/* Where it fails most libraries do not return; Open MPI 5 does, if its variable says so, and then
 * it is no abort of the job, which could come before the sentence. The guard prints that. */
static int mpi_init(char *const *argv, struct tmap_error *err)
{
	struct tmap_guard guard;
	int code;

	setenv("OMPI_MCA_mpi_initial_errhandler", "mpi_errors_return", 0);
	tmap_guard_begin(&guard, argv,
			 process_is_first() ? "topomap-probe: " INIT_FAILED "\n" : NULL);
	code = MPI_Init(NULL, NULL);
	if (code != MPI_SUCCESS) {
		tmap_fail(err, TMAP_SYSTEM, "%s", INIT_FAILED);
		if (guard.pipe < 0 && process_is_first())
			error_print(err);
		return -1;
	}
	tmap_guard_end(&guard);
	return 0;
}

/* One of several that the launcher started, and yet alone: MPI did not understand it. */
static bool session_is_singleton(const struct session *session)
{
	return session->job.size == 1 && (session->started_rank > 0 || session->started_size > 1);
}

/* Singletons cannot agree: the first by the launcher's variables prints. */
static bool session_is_silent(const struct session *session)
{
	return session_is_singleton(session) && session->started_rank > 0;
}

static int singleton_refuse(struct session *session, struct tmap_error *err)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	char *library;
	int length = 0;

	if (tmap_job_check(&session->job, MPI_Get_library_version(text, &length),
			   "MPI_Get_library_version", err) < 0)
		return -1;
	library = tmap_library_name(text, err);
	if (!library)
		return -1;
	tmap_fail(
		err, TMAP_SYSTEM,
		"%s started several processes, but for %s, which this program is "
		"built with, each is a job of its own: use that library's launcher, or build with "
		"the launcher's library (make MPICC=...)",
		session->starter->name, library);
	free(library);
	return -1;
}

static int probe_run(const struct tmap_probe_args *args, char *const *argv, struct tmap_error *err)
{
	struct session session = { .args = args };
	struct tmap_job *job = &session.job;
	int status;

	session.starter = tmap_starter_find(environ);
	session.started_rank = tmap_starter_rank(session.starter, environ);
	session.started_size = tmap_starter_size(session.starter, environ);
	if (process_is_first())
		tmap_starter_ask(session.version, session.starter);
	if (mpi_init(argv, err) < 0)
		return -1;
	status = tmap_job_init(job, err);
	if (status == 0)
		status = session_is_singleton(&session) ? singleton_refuse(&session, err) :
							  job_probe(&session, err);
	if (job->broken) {
		error_print(err);
		MPI_Abort(MPI_COMM_WORLD, TMAP_SYSTEM);
	}
	if (status < 0 && job->rank == 0 && !session_is_silent(&session))
		error_print(err);
	if (status < 0)
		MPI_Barrier(job->world); /* the first to exit may be the end of all */
	tmap_job_fini(job);
	MPI_Finalize();
	/* a launcher that sees another rank fail first may end the one that has the sentence */
	return session_is_silent(&session) ? 0 : status;
}

static int stdout_close(struct tmap_error *err)
{
	bool bad = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !bad)
		return 0;
	tmap_fail(err, TMAP_SYSTEM, "cannot be written: %s",
		  errno ? strerror(errno) : "an earlier write failed");
	return tmap_at(err, "<stdout>", 0);
}

static int print_help(struct tmap_error *err)
{
	return tmap_help_print_command(stdout, &tmap_probe_command, err);
}

static int print_version(struct tmap_error *err)
{
	(void)err;
	puts("topomap-probe " TMAP_VERSION);
	return 0;
}

static int print_man(struct tmap_error *err)
{
	return tmap_man_print(stdout, stdin, &tmap_probe_command, err);
}

/* Help is for people, who may well have typed an mpirun before it. */
static int print_once(int (*print)(struct tmap_error *err), struct tmap_error *err)
{
	if (!process_is_first())
		return 0;
	return print(err) < 0 ? -1 : stdout_close(err);
}

int main(int argc, char **argv)
{
	struct tmap_probe_args args = { 0 };
	struct tmap_error err;
	enum tmap_opt_request request = TMAP_REQUEST_RUN;
	int status;

	if (argc == 3 && strcmp(argv[1], "--generate") == 0 && strcmp(argv[2], "man") == 0)
		return print_once(print_man, &err) < 0 ? (int)err.kind : TMAP_OK;
	status = tmap_opt_parse(tmap_probe_command.options, NULL, argv + (argc > 0), &args,
				&request, &err);
	if (status == 0 && request == TMAP_REQUEST_RUN)
		return probe_run(&args, argv, &err) < 0 ? (int)err.kind : TMAP_OK;
	if (status == 0)
		status =
			print_once(request == TMAP_REQUEST_HELP ? print_help : print_version, &err);
	if (status == 0)
		return TMAP_OK;
	/* a launcher that sees another rank fail first may end the one that has the sentence */
	if (!process_is_first())
		return TMAP_OK;
	error_print(&err);
	return (int)err.kind;
}
