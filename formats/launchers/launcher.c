#include "formats/launchers/launcher.h"

#include "core/str.h"
#include "formats/launchers/rankfile.h"

#include <string.h>

/* The word as a shell reads it back. */
static void add_quoted(struct tm_str *line, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_@%+=:,./-";

	if (*word && word[strspn(word, plain)] == '\0') {
		tm_str_add(line, word);
		return;
	}
	tm_str_addc(line, '\'');
	for (; *word; word++)
		if (*word == '\'')
			tm_str_add(line, "'\\''");
		else
			tm_str_addc(line, *word);
	tm_str_addc(line, '\'');
}

/* The hosts and their slots come from the rankfile itself. */
static char *openmpi4_command(const struct tm_placement *p, const char *path,
			      struct tm_error *err)
{
	struct tm_str line = TM_STR_INIT;

	tm_str_addf(&line, "mpirun -np %d ", p->size);
	if (tm_rankfile_needs_hwthreads(p))
		tm_str_add(&line, "--mca hwloc_base_use_hwthreads_as_cpus 1 ");
	tm_str_add(&line, "--rankfile ");
	add_quoted(&line, path);
	tm_str_add(&line, " PROGRAM");
	return tm_str_take(&line, err);
}

static const struct tm_launcher rows[] = {
	/* 57: the entry is printed as "HOST slot=LIST" into 64 bytes; rank 0 first: the check for
	 * doubled ranks files every rank under 0 (Open MPI 4.1, rmaps_rank_file.c) */
	{ { "openmpi4", "Open MPI 4: a rankfile for mpirun --rankfile" },
	  { .entry_max = 57, .list_max = 63, .rank_0_first = true },
	  tm_rankfile_write, tm_rankfile_read, openmpi4_command },
	{ { NULL, NULL }, { 0, 0, false }, NULL, NULL, NULL },
};

const struct tm_words tm_launchers = TM_WORDS("launcher", rows);

const struct tm_launcher *tm_launcher_at(int index)
{
	return &rows[index];
}
