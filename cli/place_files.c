#include "cli/place_files.h"

#include "core/place/node_list.h"
#include "formats/base/file.h"
#include "formats/launchers/flux/taskmap.h"
#include "formats/launchers/hydra/hydra_hostfile.h"
#include "formats/launchers/hydra/machinefile.h"
#include "formats/launchers/hydra/rankmap.h"
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/launchers/openmpi/seq_file.h"
#include "formats/launchers/slurm/slurm_hostfile.h"
#include "formats/logs/cpu_bind.h"
#include "formats/logs/hydra_debug.h"
#include "formats/logs/report_bindings.h"

static int read_report(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       int ranks, struct tmap_error *err)
{
	(void)ranks;
	return tmap_report_bindings_read(p, machine, path, err);
}

static int read_cpu_bind(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			 int ranks, struct tmap_error *err)
{
	(void)ranks;
	return tmap_cpu_bind_read(p, machine, path, err);
}

static int read_rankmap(struct tmap_placement *p, struct tmap_machine *machine, const char *text,
			int ranks, struct tmap_error *err)
{
	struct tmap_rankmap map = { 0 };
	int status = tmap_rankmap_parse(&map, text, err);

	(void)ranks;
	if (status == 0)
		status = tmap_node_list_place(p, machine, map.node, map.count, NULL, err);
	tmap_rankmap_fini(&map);
	return status < 0 ? tmap_wrap(err, "--hydra-rankmap") : 0;
}

static const struct row {
	const char *option;
	int (*read)(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		    int ranks, struct tmap_error *err);
} rows[] = {
	[TMAP_PLACE_RANKFILE] = { "--rankfile", tmap_rankfile_read },
	[TMAP_PLACE_RANKFILE5] = { "--prrte-rankfile", tmap_rankfile_read_prrte },
	[TMAP_PLACE_SEQ] = { "--seq-file", tmap_seq_file_read },
	[TMAP_PLACE_REPORT_BINDINGS] = { "--report-bindings", read_report },
	[TMAP_PLACE_HYDRA_DEBUG] = { "--hydra-topo-debug", tmap_hydra_debug_read },
	[TMAP_PLACE_CPU_BIND] = { "--cpu-bind-verbose", read_cpu_bind },
	[TMAP_PLACE_SLURM_HOSTFILE] = { "--slurm-hostfile", tmap_slurm_hostfile_read },
	[TMAP_PLACE_HYDRA_HOSTFILE] = { "--hydra-hostfile", tmap_hydra_hostfile_read },
	[TMAP_PLACE_TASKMAP] = { "--flux-taskmap", tmap_taskmap_read },
	[TMAP_PLACE_MACHINEFILE] = { "--intel-machinefile", tmap_machinefile_read },
	[TMAP_PLACE_RANKMAP] = { "--hydra-rankmap", read_rankmap },
};

/* The row of the first file behind row @p after, or TMAP_NONE. */
static int next_file(const struct tmap_place_files *files, int after)
{
	for (int i = after + 1; i < TMAP_PLACE_FILE_COUNT; i++)
		if (files->path[i])
			return i;
	return TMAP_NONE;
}

const char *tmap_place_files_option(const struct tmap_place_files *files)
{
	int given = next_file(files, TMAP_NONE);

	return given == TMAP_NONE ? NULL : rows[given].option;
}

int tmap_place_files_read(struct tmap_placement *p, struct tmap_machine *machine,
			  const struct tmap_place_files *files, int ranks, struct tmap_error *err)
{
	int given = next_file(files, TMAP_NONE), other = next_file(files, given);

	if (other != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "%s cannot be combined with %s",
				 rows[other].option, rows[given].option);
	if (rows[given].read(p, machine, files->path[given], ranks, err) < 0)
		return -1;
	if (ranks == TMAP_NONE || ranks == p->size)
		return 0;
	tmap_fail(err, TMAP_INPUT, "it places %d ranks, but --ranks says %d", p->size, ranks);
	if (given == TMAP_PLACE_RANKMAP)
		tmap_wrap(err, "%s", rows[given].option);
	else
		tmap_at(err, tmap_input_name(files->path[given]), 0);
	tmap_placement_fini(p);
	return -1;
}

void tmap_place_files_describe(struct tmap_str *text, const struct tmap_place_files *files)
{
	for (int i = 0; i < TMAP_PLACE_FILE_COUNT; i++)
		if (files->path[i])
			tmap_str_addf(text, " %s %s", rows[i].option, files->path[i]);
}
