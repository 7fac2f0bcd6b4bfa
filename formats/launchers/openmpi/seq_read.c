#include "formats/launchers/openmpi/seq_file.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/rankfile_lex.h"
#include "formats/base/lines.h"

#include <stdlib.h>
#include <string.h>

static int add_rank(struct tm_entries *entries, const char *host, size_t length,
		    const char *cpus, size_t cpus_length, int line, struct tm_error *err)
{
	char *name = tm_strndup(host, length, err);
	int status = -1;

	if (!name)
		return -1;
	if (!tm_rankfile_is_host(name, length))
		tm_fail(err, TM_INPUT, "'%.64s' is not a host", name);
	else
		status = tm_entries_add_text(entries, entries->count, line, name,
					     tm_host_short_length(name), cpus, cpus_length, err);
	free(name);
	return status;
}

/* host [cores]; what follows is passed over */
static int read_line(struct tm_entries *entries, struct tm_line *line, struct tm_error *err)
{
	const char *host, *cpus = "";
	size_t length, cpus_length = 0;

	if (tm_line_begins(line, "#") || !tm_line_word(line, &host, &length))
		return 0;
	if (!tm_line_word(line, &cpus, &cpus_length))
		cpus_length = 0;
	return add_rank(entries, host, length, cpus, cpus_length, line->number, err);
}

int tm_seq_file_parse(struct tm_entries *entries, const char *text, int *line, struct tm_error *err)
{
	return tm_entries_parse_lines(entries, text, read_line, line, err);
}

static int resolve(struct tm_idset *pus, const char *list, const struct tm_topology *topo,
		   const void *rules, struct tm_error *err)
{
	return *list ? tm_slot_list_parse(pus, list, topo, rules, err) : 0;
}

int tm_seq_file_read(struct tm_placement *p, struct tm_machine *machine, const char *path,
		     int ranks, struct tm_error *err)
{
	struct tm_entries entries = { 0 };
	struct tm_slot_rules rules = { 0 };
	char *text = NULL;
	int status = -1, line = 0;

	(void)ranks;
	if (tm_file_read_text(path, &text, err) < 0)
		return -1;
	rules.hwthreads = tm_comment_has(text, "hwloc_base_use_hwthreads_as_cpus 1");
	rules.physical = rules.hwthreads;
	if (tm_seq_file_parse(&entries, text, &line, err) == 0)
		status = tm_entries_place(p, machine, &entries, resolve, &rules, &line, err);
	if (status < 0)
		tm_entries_blame(err, path, line);
	tm_entries_fini(&entries);
	free(text);
	return status;
}
