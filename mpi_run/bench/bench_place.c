/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_place.h"

#include "core/base/mem.h"
#include "formats/machine/json_placement.h"
#include "formats/network/network.h"
#include "mpi_probe/collect.h"
#include "mpi_probe/setting_pack.h"
#include "mpi_run/bench/bench_text.h"

#include <stdlib.h>

/* Rank 0. */
static int placement_read(struct tmap_placement *placement, const char *path, int size,
			  struct tmap_error *err)
{
	if (tmap_placement_read_json(placement, path, err) < 0)
		return tmap_wrap(err, "--placement");
	if (placement->size == size)
		return 0;
	tmap_fail(err, TMAP_INPUT, "it is of %d ranks, and this job has %d", placement->size, size);
	tmap_placement_fini(placement);
	tmap_at(err, path, 0);
	return tmap_wrap(err, "--placement");
}

/* Collective; *placement is set on rank 0. */
static int placement_probe(struct tmap_startup *startup, struct tmap_placement *placement,
			   struct tmap_error *err)
{
	struct tmap_job *job = &startup->job;
	struct tmap_setting setting = TMAP_SETTING_INIT;
	struct tmap_str note = TMAP_STR_INIT;
	bool imitated = false;
	int status = tmap_startup_setting(startup, NULL, false, &setting, err);

	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_collect(job, &setting, placement, &imitated, &note, err);
	if (status == 0 && job->rank == 0) {
		if (imitated)
			fprintf(stderr,
				"%s: warning: hwloc does not describe this system "
				"(HWLOC_XMLFILE?), so all ranks count as unbound; --placement "
				"gives their places\n",
				startup->program);
		tmap_network_print_note(stderr, "SLURM_TOPOLOGY_ADDR", &note);
		status = tmap_startup_describe(startup, NULL, &placement->origin, err);
	}
	tmap_str_fini(&note);
	tmap_setting_fini(&setting);
	return status;
}

/* Rank 0: as the text that the others read. */
static int placement_print(const struct tmap_placement *placement, char **text, size_t *length,
			   struct tmap_error *err)
{
	FILE *out = open_memstream(text, length);
	int status = out ? tmap_placement_write_json(placement, out, NULL, err) : -1;

	if (!out || fclose(out) != 0)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	return status;
}

/* Collective: from rank 0 to all others. */
static int placement_spread(struct tmap_job *job, struct tmap_placement *placement,
			    struct tmap_error *err)
{
	char *text = NULL;
	size_t length = 0;
	int status = 0;

	if (job->rank == 0)
		status = placement_print(placement, &text, &length, err);
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_bench_text_spread(job, &text, &length, err);
	if (status == 0 && job->rank != 0)
		status = tmap_placement_parse_json(placement, text, length, "the placement", err);
	free(text);
	return tmap_job_agree(job, status, err);
}

int tmap_bench_place(struct tmap_startup *startup, const char *path,
		     struct tmap_placement *placement, struct tmap_error *err)
{
	struct tmap_job *job = &startup->job;
	int status = 0;

	if (!path)
		status = placement_probe(startup, placement, err);
	else if (job->rank == 0)
		status = placement_read(placement, path, job->size, err);
	status = tmap_job_agree(job, status, err);
	return status == 0 ? placement_spread(job, placement, err) : -1;
}
