/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/node_lines.h"

#include "core/base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The processes of a node, which are the same on all. */
struct node_view {
	int count;  /* processes with lines: 0 to count - 1 */
	int *first; /* [count] first line of each process, + 1 */
	int *lines; /* [count] number of lines of each */
};

static int view_fill(struct node_view *view, const struct tmap_entries *lines, int *line,
		     struct tmap_error *err)
{
	for (int i = 0; i < lines->count; i++) {
		const struct tmap_entry *entry = &lines->entry[i];
		int first;

		*line = entry->line;
		if (entry->rank >= lines->count)
			return tmap_fail(err, TMAP_INPUT,
					 "process %d, though there %s only %d line%s", entry->rank,
					 lines->count == 1 ? "is" : "are", lines->count,
					 lines->count == 1 ? "" : "s");
		first = view->first[entry->rank];
		if (first && lines->entry[first - 1].words != entry->words)
			return tmap_fail(err, TMAP_INPUT,
					 "process %d is bound differently in line %d, "
					 "and the lines do not name their nodes",
					 entry->rank, lines->entry[first - 1].line);
		view->first[entry->rank] = first ? first : i + 1;
		view->lines[entry->rank]++;
		view->count = entry->rank >= view->count ? entry->rank + 1 : view->count;
	}
	*line = 0;
	return 0;
}

/* Nodes of @p each processes, the last one perhaps of fewer. */
static int view_check(const struct node_view *view, int ranks, int each, struct tmap_error *err)
{
	for (int i = 0; i < view->count; i++) {
		int expected = ranks / each + (i < ranks % each);

		if (view->lines[i] != expected)
			return tmap_fail(
				err, TMAP_INPUT,
				"process %d has %d line%s, but %d rank%s, %d on each node, make %d",
				i, view->lines[i], view->lines[i] == 1 ? "" : "s", ranks,
				ranks == 1 ? "" : "s", each, expected);
	}
	return 0;
}

static int ranks_add(struct tmap_entries *ranks, const struct tmap_entries *lines,
		     const struct node_view *view, int count, int each, struct tmap_error *err)
{
	for (int r = 0; r < count; r++) {
		int process = r % each;
		const struct tmap_entry *entry =
			process < view->count ? &lines->entry[view->first[process] - 1] : NULL;
		const char *bits = entry ? lines->words.name[entry->words] : "";
		char host[32];

		snprintf(host, sizeof host, "+n%d", r / each);
		if (tmap_entries_add_text(ranks, r, entry ? entry->line : 0, host, strlen(host),
					  bits, strlen(bits), err) < 0)
			return -1;
	}
	return 0;
}

static int view_spread(struct tmap_entries *ranks, const struct tmap_entries *lines,
		       struct node_view *view, const struct tmap_launcher_file *file, int *line,
		       struct tmap_error *err)
{
	int nodes, each, count = file->ranks;

	if (view_fill(view, lines, line, err) < 0)
		return -1;
	nodes = view->lines[0];
	if (nodes == 0)
		return tmap_fail(err, TMAP_INPUT, "process 0 has no line");
	assert(view->count > 0);
	if (nodes > file->node_count)
		return tmap_fail(
			err, TMAP_INPUT,
			"process 0 has %d line%s, one for each node, but the machine has %d node%s",
			nodes, nodes == 1 ? "" : "s", file->node_count,
			file->node_count == 1 ? "" : "s");
	each = count == TMAP_NONE ? view->count : count / nodes + (count % nodes != 0);
	count = count == TMAP_NONE ? lines->count : count;
	if (each < view->count)
		return tmap_fail(
			err, TMAP_INPUT,
			"process %d has a line, but %d rank%s on %d node%s make%s at most %d on each",
			view->count - 1, count, count == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s",
			count == 1 ? "s" : "", each);
	if (view_check(view, count, each, err) < 0)
		return -1;
	return ranks_add(ranks, lines, view, count, each, err);
}

int tmap_node_lines_spread(struct tmap_entries *ranks, const struct tmap_entries *lines,
			   const struct tmap_launcher_file *file, int *line, struct tmap_error *err)
{
	struct tmap_entries made = { 0 };
	struct node_view view = { 0 };
	int status = -1;

	*line = 0;
	if (!lines->count)
		return tmap_fail(err, TMAP_INPUT, "no line gives a process its binding");
	view.first = tmap_alloc((size_t)lines->count, sizeof *view.first, err);
	view.lines = tmap_alloc((size_t)lines->count, sizeof *view.lines, err);
	if (view.first && view.lines)
		status = view_spread(&made, lines, &view, file, line, err);
	free(view.first);
	free(view.lines);
	if (status < 0)
		tmap_entries_fini(&made);
	else
		*ranks = made;
	return status;
}
