#include "formats/launchers/openmpi/seq_file.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

static int add_rank(struct tmap_entries *entries, const char *host, size_t length, const char *cpus,
		    size_t cpus_length, int line, struct tmap_error *err)
{
	char *name = tmap_strndup(host, length, err);
	int status = -1;

	if (!name)
		return -1;
	if (!tmap_rankfile_is_host(name, length))
		tmap_fail(err, TMAP_INPUT, "'%.64s' is not a host", name);
	else
		status = tmap_entries_add_text(entries, entries->count, line, name,
					       tmap_host_short_length(name), cpus, cpus_length,
					       err);
	free(name);
	return status;
}

/* host [cores]; what follows is passed over */
static int read_line(struct tmap_entries *entries, struct tmap_line *line, struct tmap_error *err)
{
	const char *host, *cpus = "";
	size_t length, cpus_length = 0;

	if (tmap_line_begins(line, "#") || !tmap_line_word(line, &host, &length))
		return 0;
	if (!tmap_line_word(line, &cpus, &cpus_length))
		cpus_length = 0;
	return add_rank(entries, host, length, cpus, cpus_length, line->number, err);
}

int tmap_seq_file_parse(struct tmap_entries *entries, const char *text, int *line,
			struct tmap_error *err)
{
	return tmap_entries_parse_lines(entries, text, read_line, line, err);
}

static int resolve(struct tmap_idset *pus, const char *list, const struct tmap_topology *topo,
		   const void *rules, struct tmap_error *err)
{
	return *list ? tmap_slot_list_parse(pus, list, topo, rules, err) : 0;
}

int tmap_seq_file_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		       int ranks, struct tmap_error *err)
{
	struct tmap_entries entries = { 0 };
	struct tmap_slot_rules rules = { 0 };
	char *text = NULL;
	int status = -1, line = 0;

	(void)ranks;
	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	rules.hwthreads = tmap_comment_has(text, "hwloc_base_use_hwthreads_as_cpus 1");
	rules.physical = rules.hwthreads;
	if (tmap_seq_file_parse(&entries, text, &line, err) == 0)
		status = tmap_entries_place(p, machine, &entries, resolve, &rules, &line, err);
	if (status < 0)
		tmap_entries_blame(err, path, line);
	tmap_entries_fini(&entries);
	free(text);
	return status;
}
