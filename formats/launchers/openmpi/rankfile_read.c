/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/comment.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <string.h>

/* What keeps Open MPI from reading the file at all; on failure *line is the line to blame. */
static int entries_check_limits(const struct tmap_entries *entries,
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

int tmap_rankfile_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			int *line, struct tmap_error *err)
{
	const struct tmap_launcher_limits *limits = &file->launcher->limits;
	struct tmap_rankfile_text parsed = { 0 };

	if (tmap_rankfile_text_init(&parsed, file->text, line, err) < 0)
		return -1;
	if (entries_check_limits(&parsed.entries, limits, line, err) < 0) {
		tmap_rankfile_text_fini(&parsed);
		return -1;
	}
	if (limits->is_prrte)
		parsed.rules = (struct tmap_slot_rules){
			.prrte = true, .hwthreads = tmap_comment_has(file->text, ":hwtcpus")
		};
	*entries = parsed.entries;
	entries->context = tmap_slot_rules_find(parsed.rules);
	return 0;
}

int tmap_rankfile_resolve(struct tmap_idset *pus, const char *list,
			  const struct tmap_topology *topo, const void *rules,
			  struct tmap_error *err)
{
	return tmap_slot_list_parse(pus, list, topo, rules, err);
}
