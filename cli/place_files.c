#include "cli/place_files.h"

#include "core/place/node_list.h"
#include "formats/base/file.h"
#include "formats/logs/cpu_bind.h"
#include "formats/logs/hydra_debug.h"
#include "formats/launchers/hydra/hydra_hostfile.h"
#include "formats/launchers/hydra/machinefile.h"
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/launchers/hydra/rankmap.h"
#include "formats/logs/report_bindings.h"
#include "formats/launchers/openmpi/seq_file.h"
#include "formats/launchers/slurm/slurm_hostfile.h"
#include "formats/launchers/flux/taskmap.h"

static int read_report(struct tm_placement *p, struct tm_machine *machine, const char *path,
		       int ranks, struct tm_error *err)
{
	(void)ranks;
	return tm_report_bindings_read(p, machine, path, err);
}

static int read_cpu_bind(struct tm_placement *p, struct tm_machine *machine, const char *path,
			 int ranks, struct tm_error *err)
{
	(void)ranks;
	return tm_cpu_bind_read(p, machine, path, err);
}

static int read_rankmap(struct tm_placement *p, struct tm_machine *machine, const char *text,
			int ranks, struct tm_error *err)
{
	struct tm_rankmap map = { 0 };
	int status = tm_rankmap_parse(&map, text, err);

	(void)ranks;
	if (status == 0)
		status = tm_node_list_place(p, machine, map.node, map.count, NULL, err);
	tm_rankmap_fini(&map);
	return status < 0 ? tm_wrap(err, "--hydra-rankmap") : 0;
}

static const struct row {
	const char *option;
	int (*read)(struct tm_placement *p, struct tm_machine *machine, const char *path, int ranks,
		    struct tm_error *err);
} rows[] = {
	[TM_PLACE_RANKFILE] = { "--rankfile", tm_rankfile_read },
	[TM_PLACE_RANKFILE5] = { "--prrte-rankfile", tm_rankfile_read_prrte },
	[TM_PLACE_SEQ] = { "--seq-file", tm_seq_file_read },
	[TM_PLACE_REPORT_BINDINGS] = { "--report-bindings", read_report },
	[TM_PLACE_HYDRA_DEBUG] = { "--hydra-topo-debug", tm_hydra_debug_read },
	[TM_PLACE_CPU_BIND] = { "--cpu-bind-verbose", read_cpu_bind },
	[TM_PLACE_SLURM_HOSTFILE] = { "--slurm-hostfile", tm_slurm_hostfile_read },
	[TM_PLACE_HYDRA_HOSTFILE] = { "--hydra-hostfile", tm_hydra_hostfile_read },
	[TM_PLACE_TASKMAP] = { "--flux-taskmap", tm_taskmap_read },
	[TM_PLACE_MACHINEFILE] = { "--intel-machinefile", tm_machinefile_read },
	[TM_PLACE_RANKMAP] = { "--hydra-rankmap", read_rankmap },
};

/* The row of the first file behind row @p after, or TM_NONE. */
static int next_file(const struct tm_place_files *files, int after)
{
	for (int i = after + 1; i < TM_PLACE_FILE_COUNT; i++)
		if (files->path[i])
			return i;
	return TM_NONE;
}

const char *tm_place_files_option(const struct tm_place_files *files)
{
	int given = next_file(files, TM_NONE);

	return given == TM_NONE ? NULL : rows[given].option;
}

int tm_place_files_read(struct tm_placement *p, struct tm_machine *machine,
			const struct tm_place_files *files, int ranks, struct tm_error *err)
{
	int given = next_file(files, TM_NONE), other = next_file(files, given);

	if (other != TM_NONE)
		return tm_fail(err, TM_USAGE, "%s cannot be combined with %s", rows[other].option,
			       rows[given].option);
	if (rows[given].read(p, machine, files->path[given], ranks, err) < 0)
		return -1;
	if (ranks == TM_NONE || ranks == p->size)
		return 0;
	tm_fail(err, TM_INPUT, "%s: it places %d ranks, but --ranks says %d",
		given == TM_PLACE_RANKMAP ? rows[given].option : tm_input_name(files->path[given]),
		p->size, ranks);
	tm_placement_fini(p);
	return -1;
}

void tm_place_files_describe(struct tm_str *text, const struct tm_place_files *files)
{
	for (int i = 0; i < TM_PLACE_FILE_COUNT; i++)
		if (files->path[i])
			tm_str_addf(text, " %s %s", rows[i].option, files->path[i]);
}
