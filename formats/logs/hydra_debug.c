#include "formats/logs/hydra_debug.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/base/file.h"
#include "formats/base/lines.h"

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

static int read_line(struct tmap_entries *entries, struct tmap_line *line, struct tmap_error *err)
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

int tmap_hydra_debug_parse(struct tmap_entries *entries, const char *text, int *line,
			   struct tmap_error *err)
{
	return tmap_entries_parse_lines(entries, text, read_line, line, err);
}

int tmap_hydra_bits_resolve(struct tmap_idset *pus, const char *bits,
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

/* What the lines say of the processes of a node. */
struct node_view {
	int count;  /* processes with lines: 0 to count - 1 */
	int *first; /* [count] first line of each process, + 1 */
	int *told;  /* [count] number of lines of each */
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
					 "and lines do not tell their nodes",
					 entry->rank, lines->entry[first - 1].line);
		view->first[entry->rank] = first ? first : i + 1;
		view->told[entry->rank]++;
		view->count = entry->rank >= view->count ? entry->rank + 1 : view->count;
	}
	*line = 0;
	return 0;
}

/* Nodes of @p each processes, the last one perhaps of fewer: how often is each told of? */
static int check_view(const struct node_view *view, int ranks, int each, struct tmap_error *err)
{
	for (int i = 0; i < view->count; i++) {
		int expected = ranks / each + (i < ranks % each);

		if (view->told[i] != expected)
			return tmap_fail(err, TMAP_INPUT,
					 "process %d has %d lines, but %d ranks, %d on "
					 "each node, make %d",
					 i, view->told[i], ranks, each, expected);
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

static int spread(struct tmap_entries *ranks, const struct tmap_entries *lines,
		  struct node_view *view, int count, int node_count, int *line,
		  struct tmap_error *err)
{
	int nodes, each;

	if (view_lines(view, lines, line, err) < 0)
		return -1;
	nodes = view->told[0];
	if (nodes == 0)
		return tmap_fail(err, TMAP_INPUT, "process 0 has no line");
	if (nodes > node_count)
		return tmap_fail(err, TMAP_INPUT,
				 "process 0 has %d lines, one for each node, but the "
				 "machine has %d nodes",
				 nodes, node_count);
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

int tmap_hydra_debug_spread(struct tmap_entries *ranks, const struct tmap_entries *lines,
			    int rank_count, int node_count, int *line, struct tmap_error *err)
{
	struct node_view view = { 0 };
	struct tmap_entries made = { 0 };
	int status = -1;

	*line = 0;
	if (lines->count == 0)
		return tmap_fail(err, TMAP_INPUT, "no line gives a process its binding");
	view.first = tmap_alloc((size_t)lines->count, sizeof *view.first, err);
	view.told = tmap_alloc((size_t)lines->count, sizeof *view.told, err);
	if (view.first && view.told)
		status = spread(&made, lines, &view, rank_count, node_count, line, err);
	free(view.first);
	free(view.told);
	if (status < 0)
		tmap_entries_fini(&made);
	else
		*ranks = made;
	return status;
}

int tmap_hydra_debug_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			  int ranks, struct tmap_error *err)
{
	struct tmap_entries lines = { 0 }, entries = { 0 };
	char *text = NULL;
	int status = -1, line = 0;

	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	if (tmap_hydra_debug_parse(&lines, text, &line, err) == 0 &&
	    tmap_hydra_debug_spread(&entries, &lines, ranks, machine->node_count, &line, err) == 0)
		status = tmap_entries_place(p, machine, &entries, tmap_hydra_bits_resolve, NULL,
					    &line, err);
	if (status < 0)
		tmap_entries_blame(err, path, line);
	tmap_entries_fini(&entries);
	tmap_entries_fini(&lines);
	free(text);
	return status;
}
