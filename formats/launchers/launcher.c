#include "formats/launchers/launcher.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/launchers/common/profiles.h"
#include "formats/launchers/flux/taskmap.h"
#include "formats/launchers/hydra/hydra_hostfile.h"
#include "formats/launchers/hydra/machinefile.h"
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/launchers/openmpi/seq_file.h"
#include "formats/launchers/slurm/slurm_hostfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Linux takes no longer word on a command line; a shell says it with its final zero. */
	WORD_MAX = 131071,
	/* srun and Open MPI's sequential mapper read lines into 1024 bytes, comments too, and take
	 * what is behind for the next line. */
	READ_MAX = 1022,
	COMMENT_PART = 1000, /* of a command line, in one line of a comment */
};

static const struct tmap_launcher rows[] = {
	/* 57: the entry is printed as "HOST slot=LIST" into 64 bytes; rank 0 first: the check for
	 * doubled ranks files every rank under 0 (Open MPI 4.1, rmaps_rank_file.c) */
	{ .word = { "openmpi4", "Open MPI 4: a rankfile for mpirun --rankfile" },
	  .file = "RANKFILE",
	  .limits = { .entry_max = 57, .list_max = 63, .rank_0_first = true },
	  .instead = { "seq", "hydra40", "slurm" },
	  .write = tmap_openmpi4_write,
	  .read = tmap_rankfile_read,
	  .command = tmap_openmpi4_command },
	{ .word = { "openmpi5", "Open MPI 5: a rankfile for mpirun --map-by rankfile:file=" },
	  .file = "RANKFILE",
	  .limits = { .entry_max = 57, .list_max = 63, .rank_0_first = true, .is_prrte = true },
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_openmpi5_write,
	  .read = tmap_rankfile_read_prrte,
	  .command = tmap_openmpi5_command },
	{ .word = { "seq", "Open MPI 4 and 5: a hostfile for their sequential mapper" },
	  .file = "HOSTFILE",
	  .form = "HOST, or HOST and its core list as in 0-1,4, one line a rank",
	  .limits = { .line_max = READ_MAX },
	  .instead = { "hydra40", "slurm" },
	  .write = tmap_seq_write,
	  .read = tmap_seq_file_read,
	  .command = tmap_seq_command,
	  .note = tmap_seq_note },
	{ .word = { "slurm", "Slurm: a SLURM_HOSTFILE, and --cpu-bind or a script that binds" },
	  .file = "HOSTFILE",
	  .form = "HOST or HOST*COUNT, one a line",
	  .limits = { .argument_max = WORD_MAX },
	  .ending = { "", ".sh" },
	  .count_files = tmap_slurm_count_files,
	  .write = tmap_slurm_write,
	  .read = tmap_slurm_hostfile_read,
	  .command = tmap_slurm_command,
	  .note = tmap_slurm_note },
	{ .word = { "hydra", "MPICH 4.1 and later: a hostfile with bindings for mpiexec -f" },
	  .file = "HOSTFILE",
	  .form = "HOST:PROCESSES, and behind it binding=SPEC if they are bound, one host a line",
	  .limits = { .line_max = 16383, .argument_max = 16000, .has_rankmap = true },
	  .instead = { "hydra40", "slurm" },
	  .write = tmap_hydra_write,
	  .read = tmap_hydra_hostfile_read,
	  .command = tmap_hydra_command },
	{ .word = { "hydra40", "MPICH 4.0, whose mpiexec has no -rankmap: hosts again and again" },
	  .file = "HOSTFILE",
	  .form = "HOST:PROCESSES, and behind it binding=SPEC if they are bound, one host a line",
	  .limits = { .line_max = 16383 },
	  .instead = { "slurm" },
	  .write = tmap_hydra_write,
	  .read = tmap_hydra_hostfile_read,
	  .command = tmap_hydra_command,
	  .note = tmap_hydra_note },
	{ .word = { "cray", "Cray MPICH: an MPICH_RANK_ORDER file for the slots that there are" },
	  .file = "MPICH_RANK_ORDER",
	  .form = "each rank once, as 0,2-3,1",
	  .limits = { .value_max = 1023 },
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_cray_write,
	  .command = tmap_cray_command,
	  .note = tmap_cray_note },
	{ .word = { "flux", "Flux: a task map (RFC 34) for flux run --taskmap=manual:" },
	  .file = "TASKMAP",
	  .form = "[[FIRST NODE,NODES,TASKS ON EACH,TIMES],...]",
	  .limits = { .argument_max = WORD_MAX },
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_flux_write,
	  .read = tmap_taskmap_read,
	  .command = tmap_flux_command,
	  .note = tmap_flux_note },
	{ .word = { "intel", "Intel MPI: a machinefile, and one list of processors for all nodes" },
	  .file = "MACHINEFILE",
	  .form = "HOST:PROCESSES, one host a line",
	  .limits = { .argument_max = WORD_MAX },
	  .instead = { "slurm", "hydra40" },
	  .write = tmap_intel_write,
	  .read = tmap_machinefile_read,
	  .command = tmap_intel_command },
	{ .word = { "permutation", "a text: line r has the rank whose place rank r takes" },
	  .file = "PERMUTATION",
	  .form = "one rank a line, each rank once, from 0 on",
	  .instead = { "openmpi4", "slurm", "hydra40" },
	  .write = tmap_permutation_write,
	  .command = tmap_permutation_command,
	  .note = tmap_permutation_note },
	{ .word = { "permutation-json", "the same as a JSON document" },
	  .file = "PERMUTATION",
	  .form = "the document that topomap suggest-rankfile --launcher "
		  "permutation-json writes, each rank once",
	  .instead = { "openmpi4", "slurm", "hydra40" },
	  .write = tmap_permutation_json_write,
	  .command = tmap_permutation_command,
	  .note = tmap_permutation_note },
	{ .word = { "c", "a few lines of C that reorder inside the program, by MPI_Comm_split" },
	  .file = "REORDER.h",
	  .instead = { "openmpi4", "slurm", "hydra40" },
	  .write = tmap_c_write,
	  .command = tmap_c_command,
	  .note = tmap_c_note },
	{ .word = { NULL, NULL } },
};

const struct tmap_keywords tmap_launchers = TMAP_KEYWORDS("launcher", rows);

const struct tmap_launcher *tmap_launcher_at(int index)
{
	return &rows[index];
}

const struct tmap_launcher *tmap_launcher_called(const char *name)
{
	const struct tmap_launcher *row = rows;

	while (strcmp(row->word.name, name) != 0)
		row++;
	return row;
}

int tmap_launch_init(struct tmap_launch *job, int launcher, const struct tmap_placement *p,
		     const struct tmap_placement *before, const int *place_of, const char *path,
		     struct tmap_error *err)
{
	struct tmap_launch made = {
		.launcher = &rows[launcher], .p = p, .before = before, .place_of = place_of
	};

	made.name = strcmp(path, "-") == 0 ? made.launcher->file : path;
	if (tmap_locals_init(&made.locals, p, err) < 0)
		return -1;
	*job = made;
	return 0;
}

void tmap_launch_fini(struct tmap_launch *job)
{
	tmap_locals_fini(&job->locals);
}

static int count_files(const struct tmap_launch *job)
{
	return job->launcher->count_files ? job->launcher->count_files(job) : 1;
}

/* Looks whether all of the job can be said. */
static int say(const struct tmap_launch *job, struct tmap_error *err)
{
	int files = count_files(job), status = 0;

	for (int i = 0; i < files && status == 0; i++)
		status = job->launcher->write(NULL, job, i, err);
	return status;
}

/* "(--launcher slurm can)": the first of the others that does not refuse as well. */
static int name_other(const struct tmap_launch *job, struct tmap_error *err)
{
	const char *const *name = job->launcher->instead;
	struct tmap_error ignored, first = *err;

	for (; *name; name++) {
		struct tmap_launch other = *job;

		other.launcher = tmap_launcher_called(*name);
		if (say(&other, &ignored) == 0)
			return tmap_fail(err, first.kind, "%s (--launcher %s can say it)",
					 first.text, *name);
	}
	return -1;
}

int tmap_launch_check(const struct tmap_launch *job, struct tmap_error *err)
{
	if (say(job, err) == 0)
		return 0;
	return err->kind == TMAP_INPUT ? name_other(job, err) : -1;
}

static int open_all(struct tmap_output *out, const struct tmap_launch *job, const char *path,
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
	int count = count_files(job), status;

	if (count > 1 && strcmp(path, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--launcher %s needs %d files for this job, %s and "
				 "%s%s: give --output NAME",
				 job->launcher->word.name, count, job->name, job->name,
				 job->launcher->ending[1]);
	status = open_all(out, job, path, count, err);
	/* what the disk refuses it refuses here, before any file has its name */
	for (int i = 0; i < count && status == 0; i++)
		status = tmap_output_check(&out[i], err);
	for (int i = count - 1; i >= 0 && status == 0; i--)
		status = tmap_output_commit(&out[i], err);
	for (int i = 0; i < count; i++)
		tmap_output_fini(&out[i]);
	return status;
}

char *tmap_launch_command(const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;

	if (job->launcher->command(&line, job, err) < 0) {
		tmap_str_fini(&line);
		return NULL;
	}
	return tmap_str_take(&line, err);
}

/* In parts, as comment.h joins them. */
static void print_comment(FILE *out, const char *line)
{
	size_t length = strlen(line);

	fputs("# ", out);
	for (; length > COMMENT_PART; line += COMMENT_PART, length -= COMMENT_PART)
		fprintf(out, "%.*s\\\n#", COMMENT_PART, line);
	fprintf(out, "%s\n", line);
}

int tmap_launch_write_comment(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	char *line = tmap_launch_command(job, err);

	if (!line)
		return -1;
	for (char *at = line; *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	if (out)
		print_comment(out, line);
	free(line);
	return 0;
}

char *tmap_launch_note(const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	if (job->launcher->note && job->launcher->note(&text, job, err) < 0) {
		tmap_str_fini(&text);
		return NULL;
	}
	return tmap_str_take(&text, err);
}
