/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

static int seq_add_rank(struct tmap_entries *entries, const char *host, size_t length,
			const char *cpus, size_t cpus_length, int line, struct tmap_error *err)
{
	char *name = tmap_host_name_check(host, length, err) < 0 ? NULL :
								   tmap_strndup(host, length, err);
	int status = -1;

	if (!name)
		return -1;
	if (!tmap_rankfile_is_host(name, length))
		tmap_fail(err, TMAP_INPUT, "'%.64s' is not a host%s", name,
			  strchr(name, ':') ? TMAP_SEQ_NO_SLOTS : "");
	else
		status = tmap_entries_add_text(entries, entries->count, line, name,
					       tmap_host_short_length(name), cpus, cpus_length,
					       err);
	free(name);
	return status;
}

/* host [cores]; what follows is passed over */
static int seq_read_line(struct tmap_entries *entries, struct tmap_line *line,
			 struct tmap_error *err)
{
	const char *host, *cpus = "";
	size_t length, cpus_length = 0;

	if (tmap_line_begins(line, "#") || !tmap_line_word(line, &host, &length))
		return 0;
	if (!tmap_line_word(line, &cpus, &cpus_length))
		cpus_length = 0;
	return seq_add_rank(entries, host, length, cpus, cpus_length, line->number, err);
}

int tmap_seq_hostfile_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			    int *line, struct tmap_error *err)
{
	struct tmap_slot_rules rules = { 0 };

	if (tmap_entries_parse_lines(entries, file->text, seq_read_line, line, err) < 0)
		return -1;
	rules.hwthreads = tmap_comment_has(file->text, "hwloc_base_use_hwthreads_as_cpus 1");
	rules.physical = rules.hwthreads;
	entries->context = tmap_slot_rules_find(rules);
	return 0;
}

int tmap_seq_hostfile_resolve(struct tmap_idset *pus, const char *list,
			      const struct tmap_topology *topo, const void *rules,
			      struct tmap_error *err)
{
	return *list ? tmap_slot_list_parse(pus, list, topo, rules, err) : 0;
}
