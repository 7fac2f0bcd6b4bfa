/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/hydra_debug.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/base/lines.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_number(const char *at, const char *end, int *number)
{
	long value = 0;
	const char *start = at;

	for (; at < end && isdigit((unsigned char)*at); at++) {
		value = 10 * value + (*at - '0');
		if (value >= INT_MAX)
			return NULL;
	}
	*number = (int)value;
	return at > start ? at : NULL;
}

/* The bits of the line, if it is one of ours: "process 0 binding: " stands before them. */
static const char *find_bits(const struct tmap_line *line, int *process)
{
	static const char before[] = "process ", behind[] = " binding: ";
	const char *end = line->text + line->length;
	const char *at = memmem(line->text, line->length, before, strlen(before));

	at = at ? skip_number(at + strlen(before), end, process) : NULL;
	if (!at || (size_t)(end - at) < strlen(behind) || memcmp(at, behind, strlen(behind)) != 0)
		return NULL;
	return at + strlen(behind);
}

static int process_read_line(struct tmap_entries *entries, struct tmap_line *line,
			     struct tmap_error *err)
{
	const char *end = line->text + line->length;
	struct tmap_str bits = TMAP_STR_INIT;
	char *text;
	int process, status = -1;
	const char *at = find_bits(line, &process);

	if (!at)
		return 0;
	for (; at < end; at++)
		if (*at == '0' || *at == '1')
			tmap_str_addc(&bits, *at);
		else if (*at != ' ')
			break;
	text = tmap_str_take(&bits, err);
	if (!text)
		return -1;
	if (at < end || !*text)
		tmap_fail(err, TMAP_INPUT, "the binding of process %d is no row of 0 and 1",
			  process);
	else
		status = tmap_entries_add_text(entries, process, line->number, "", 0, text,
					       strlen(text), err);
	free(text);
	return status;
}

int tmap_hydra_debug_resolve(struct tmap_idset *pus, const char *bits,
			     const struct tmap_topology *topo, const void *context,
			     struct tmap_error *err)
{
	struct tmap_idset made = { 0 };
	int count = (int)strlen(bits), allowed = tmap_topology_allowed_pus(topo), status = 0;

	(void)context;
	if (count == 0)
		return 0;
	if (count != allowed && count != topo->pu_count)
		return tmap_fail(err, TMAP_INPUT,
				 "the binding has %d bits, but the node has %d PUs that "
				 "the job may use",
				 count, allowed);
	for (int i = 0; i < count && status == 0; i++)
		if (bits[i] == '1')
			status = tmap_idset_add(&made, i, err);
	if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT, "the binding has no PU");
	if (status < 0)
		tmap_idset_fini(&made);
	else
		*pus = made;
	return status;
}

/* The processes of a node, which are the same on all. */
struct node_view {
	int count;  /* processes with lines: 0 to count - 1 */
	int *first; /* [count] first line of each process, + 1 */
	int *lines; /* [count] number of lines of each */
};

static int view_lines(struct node_view *view, const struct tmap_entries *lines, int *line,
		      struct tmap_error *err)
{
	for (int i = 0; i < lines->count; i++) {
		const struct tmap_entry *entry = &lines->entry[i];
		int first;

		*line = entry->line;
		if (entry->rank >= lines->count)
			return tmap_fail(err, TMAP_INPUT,
					 "process %d, though there are only %d lines", entry->rank,
					 lines->count);
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
static int check_view(const struct node_view *view, int ranks, int each, struct tmap_error *err)
{
	for (int i = 0; i < view->count; i++) {
		int expected = ranks / each + (i < ranks % each);

		if (view->lines[i] != expected)
			return tmap_fail(err, TMAP_INPUT,
					 "process %d has %d lines, but %d ranks, %d on "
					 "each node, make %d",
					 i, view->lines[i], ranks, each, expected);
	}
	return 0;
}

static int add_ranks(struct tmap_entries *ranks, const struct tmap_entries *lines,
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

static int spread_processes(struct tmap_entries *ranks, const struct tmap_entries *lines,
			    struct node_view *view, const struct tmap_launcher_file *file,
			    int *line, struct tmap_error *err)
{
	int nodes, each, count = file->ranks;

	if (view_lines(view, lines, line, err) < 0)
		return -1;
	nodes = view->lines[0];
	if (nodes == 0)
		return tmap_fail(err, TMAP_INPUT, "process 0 has no line");
	assert(view->count > 0);
	if (nodes > file->node_count)
		return tmap_fail(err, TMAP_INPUT,
				 "process 0 has %d lines, one for each node, but the "
				 "machine has %d nodes",
				 nodes, file->node_count);
	each = count == TMAP_NONE ? view->count : count / nodes + (count % nodes != 0);
	count = count == TMAP_NONE ? lines->count : count;
	if (each < view->count)
		return tmap_fail(err, TMAP_INPUT,
				 "process %d has a line, but %d ranks on %d nodes make "
				 "at most %d on each",
				 view->count - 1, count, nodes, each);
	if (check_view(view, count, each, err) < 0)
		return -1;
	return add_ranks(ranks, lines, view, count, each, err);
}

int tmap_hydra_debug_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			   int *line, struct tmap_error *err)
{
	struct tmap_entries lines = { 0 };
	struct node_view view = { 0 };
	int status = tmap_entries_parse_lines(&lines, file->text, process_read_line, line, err);

	if (status == 0) {
		*line = 0;
		status = lines.count ?
			0 :
			tmap_fail(err, TMAP_INPUT, "no line gives a process its binding");
	}
	if (status == 0) {
		view.first = tmap_alloc((size_t)lines.count, sizeof *view.first, err);
		view.lines = tmap_alloc((size_t)lines.count, sizeof *view.lines, err);
		status = view.first && view.lines ?
			spread_processes(entries, &lines, &view, file, line, err) :
			-1;
	}
	free(view.first);
	free(view.lines);
	tmap_entries_fini(&lines);
	return status;
}
