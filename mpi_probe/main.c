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
#include "mpi_probe/options.h"
#include "mpi_probe/rebind.h"
#include "mpi_probe/startup.h"
#include "options/docs.h"

#include <stdlib.h>
#include <string.h>

static int origin_describe(struct tmap_origin *origin, struct tmap_startup *startup,
			   const struct tmap_probe_args *args, struct tmap_error *err)
{
	struct tmap_str request = TMAP_STR_INIT;
	char *text;
	int status;

	if (args->rankfile)
		tmap_str_addf(&request, "--rankfile %s", args->rankfile);
	if (args->network)
		tmap_str_addf(&request, "%s--network %s", args->rankfile ? " " : "", args->network);
	if (args->topology)
		tmap_str_addf(&request, " --topology %s", args->topology);
	text = tmap_str_take(&request, err);
	if (!text)
		return -1;
	status = tmap_startup_describe(startup, *text ? text : NULL, origin, err);
	free(text);
	return status;
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
			  struct tmap_startup *startup, const struct tmap_probe_args *args,
			  struct tmap_error *err)
{
	const struct tmap_placement_json_options wanted = { .matrix = args->matrix };
	const char *rankfile = args->rankfile;

	if (origin_describe(&p->origin, startup, args, err) < 0)
		return -1;
	if (rankfile && rankfile_apply(p, rankfile, err) < 0)
		return -1;
	return tmap_output_end(out, tmap_placement_write_json(p, out->file, &wanted, err), err);
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

/* Collective over the job. */
static int job_probe(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct tmap_probe_args *args = data;
	struct tmap_job *job = &startup->job;
	struct tmap_output out = { 0 };
	struct tmap_placement p = { 0 };
	struct tmap_setting setting = TMAP_SETTING_INIT;
	struct tmap_str note = TMAP_STR_INIT;
	bool imitated = false;
	int status =
		tmap_startup_setting(startup, args->program, args->no_environment, &setting, err);

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
			status = document_write(&p, &out, startup, args, err);
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

static int print_help(const void *command, struct tmap_error *err)
{
	return tmap_help_print_command(stdout, command, err);
}

static int print_version(const void *program, struct tmap_error *err)
{
	(void)err;
	printf("%s " TMAP_VERSION "\n", (const char *)program);
	return 0;
}

static int print_man(const void *command, struct tmap_error *err)
{
	return tmap_man_print(stdout, stdin, command, err);
}

int main(int argc, char **argv)
{
	const char *program = tmap_probe_command.invocation;
	struct tmap_probe_args args = { 0 };
	struct tmap_error err;
	enum tmap_opt_request request = TMAP_REQUEST_RUN;

	if (argc == 3 && strcmp(argv[1], "--generate") == 0 && strcmp(argv[2], "man") == 0)
		return tmap_startup_print_once(program, print_man, &tmap_probe_command);
	if (tmap_opt_parse(tmap_probe_command.options, NULL, argv + (argc > 0), &args, &request,
			   &err) == 0)
		return request == TMAP_REQUEST_RUN ?
			tmap_startup_run(program, argv, job_probe, &args) :
			request == TMAP_REQUEST_HELP ?
			tmap_startup_print_once(program, print_help, &tmap_probe_command) :
			tmap_startup_print_once(program, print_version, program);
	/* a launcher that sees another rank fail first may end the one that has the sentence */
	if (!tmap_startup_is_first())
		return TMAP_OK;
	tmap_startup_print(program, &err);
	return (int)err.kind;
}
