#include "formats/launchers/openmpi/rankfile.h"

#include "formats/base/file.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/launcher.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

/* What keeps Open MPI from reading the file at all; on failure *line is the line to blame. */
static int check_limits(const struct tmap_entries *entries,
			const struct tmap_launcher_limits *limits, int *line,
			struct tmap_error *err)
{
	if (entries->count && limits->rank_0_first && entries->entry[0].rank != 0) {
		*line = entries->entry[0].line;
		return tmap_fail(err, TMAP_INPUT,
				 "rank %d comes before rank 0, and Open MPI then "
				 "refuses the file: rank 0 must stand first",
				 entries->entry[0].rank);
	}
	for (int i = 0; i < entries->count; i++) {
		const char *host = entries->hosts.name[entries->entry[i].host];
		const char *list = entries->words.name[entries->entry[i].words];

		if (strlen(host) + strlen(list) > (size_t)limits->entry_max) {
			*line = entries->entry[i].line;
			return tmap_fail(err, TMAP_INPUT,
					 "host '%s' and its slot list have %zu "
					 "characters; Open MPI breaks above %d",
					 host, strlen(host) + strlen(list), limits->entry_max);
		}
	}
	return 0;
}

static int resolve(struct tmap_idset *pus, const char *list, const struct tmap_topology *topo,
		   const void *rules, struct tmap_error *err)
{
	return tmap_slot_list_parse(pus, list, topo, rules, err);
}

static int read_parsed(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       const char *text, const struct tmap_slot_rules *rules,
		       struct tmap_error *err)
{
	const struct tmap_launcher_limits *limits = &tmap_launcher_at(0)->limits;
	struct tmap_rankfile_text parsed = { 0 };
	int status = -1, line = 0;

	if (tmap_rankfile_text_init(&parsed, text, &line, err) == 0 &&
	    check_limits(&parsed.entries, limits, &line, err) == 0)
		status = tmap_entries_place(p, machine, &parsed.entries, resolve,
					    rules ? rules : &parsed.rules, &line, err);
	if (status < 0)
		tmap_entries_blame(err, path, line);
	tmap_rankfile_text_fini(&parsed);
	return status;
}

int tmap_rankfile_read_as(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			  const struct tmap_slot_rules *rules, struct tmap_error *err)
{
	char *text = NULL;
	int status;

	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	status = read_parsed(p, machine, path, text, rules, err);
	free(text);
	return status;
}

int tmap_rankfile_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       int ranks, struct tmap_error *err)
{
	(void)ranks;
	return tmap_rankfile_read_as(p, machine, path, NULL, err);
}

int tmap_rankfile_read_prrte(struct tmap_placement *p, struct tmap_machine *machine,
			     const char *path, int ranks, struct tmap_error *err)
{
	static const struct tmap_slot_rules cores = { .prrte = true };
	static const struct tmap_slot_rules threads = { .prrte = true, .hwthreads = true };
	char *text = NULL;
	int status;

	(void)ranks;
	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	status = read_parsed(p, machine, path, text,
			     tmap_comment_has(text, ":hwtcpus") ? &threads : &cores, err);
	free(text);
	return status;
}
