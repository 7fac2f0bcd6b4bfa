/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/hydra/hydra.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/hostfile.h"
#include "formats/launchers/common/rankmap.h"

#include <stdlib.h>

/* The entries stand host after host; the map gives each its rank. */
static int entries_renumber(struct tmap_entries *entries, const struct tmap_rankmap *map,
			    struct tmap_error *err)
{
	int hosts = entries->hosts.count, status = 0;
	int *next = tmap_alloc((size_t)hosts + 1, sizeof *next, err);

	if (!next)
		return -1;
	for (int i = 0; i < entries->count; i++)
		next[entries->entry[i].host + 1]++;
	for (int h = 0; h < hosts; h++)
		next[h + 1] += next[h];
	for (int i = 1; i < entries->count && status == 0; i++)
		if (entries->entry[i].host < entries->entry[i - 1].host)
			status = tmap_fail(err, TMAP_INPUT,
					   "with -rankmap every host stands there once");
	if (status == 0 && map->count != entries->count)
		status = tmap_fail(
			err, TMAP_INPUT, "there %s %d process%s, but -rankmap has %d rank%s",
			entries->count == 1 ? "is" : "are", entries->count,
			entries->count == 1 ? "" : "es", map->count, map->count == 1 ? "" : "s");
	for (int r = 0; r < map->count && status == 0; r++) {
		int host = map->node[r], i = host < hosts ? next[host]++ : TMAP_NONE;

		if (i == TMAP_NONE || i >= entries->count || entries->entry[i].host != host)
			status = tmap_fail(err, TMAP_INPUT,
					   "-rankmap gives rank %d to node %d, which has "
					   "no process for it",
					   r, host);
		else
			entries->entry[i].rank = r;
	}
	free(next);
	return status;
}

static int apply_rankmap(struct tmap_entries *entries, const char *text, int most,
			 struct tmap_error *err)
{
	struct tmap_rankmap map = { 0 };
	char *words;
	int status = 0;

	if (tmap_comment_find(&words, text, "-rankmap ", err) < 0)
		return -1;
	if (words) {
		status = tmap_rankmap_parse(&map, words, most, err);
		if (status == 0)
			status = entries_renumber(entries, &map, err);
	}
	tmap_rankmap_fini(&map);
	free(words);
	return status;
}

int tmap_hydra_hostfile_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			      int *line, struct tmap_error *err)
{
	/* the number of ranks is that of the map */
	int ranks = tmap_comment_has(file->text, "-rankmap ") ? TMAP_NONE : file->ranks;
	int most = tmap_most_ranks(file->machine);

	if (tmap_hostfile_parse(entries, file->text, ranks, most, line, err) < 0)
		return -1;
	*line = 0;
	return apply_rankmap(entries, file->text, most, err);
}

int tmap_hydra_rankmap_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			     int *line, struct tmap_error *err)
{
	struct tmap_rankmap map = { 0 };
	int status = tmap_rankmap_parse(&map, file->text, tmap_most_ranks(file->machine), err);

	(void)line;
	if (status == 0)
		status = tmap_entries_add_nodes(entries, map.node, map.count, err);
	tmap_rankmap_fini(&map);
	return status;
}
