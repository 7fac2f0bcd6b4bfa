/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/rank_lines.h"

#include "core/base/mem.h"
#include "formats/logs/node_lines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 20 };

/* The host of each node, where lines have its number only. */
struct node_names {
	struct host {
		const char *text; /* NULL: there was no line of this node */
		size_t length;
	} * host;
	size_t count, capacity;
};

static int node_set(struct node_names *nodes, const struct tmap_line_values *values,
		    struct tmap_error *err)
{
	size_t node = (size_t)values->node;

	if (values->node >= MOST_NODES)
		return tmap_fail(err, TMAP_INPUT, "node %d: more than %d nodes are not read",
				 values->node, MOST_NODES);
	if (tmap_grow(&nodes->host, &nodes->capacity, node + 1, sizeof *nodes->host, err) < 0)
		return -1;
	for (; nodes->count <= node; nodes->count++)
		nodes->host[nodes->count] = (struct host){ NULL, 0 };
	nodes->host[node] = (struct host){ values->host, values->host_length };
	return 0;
}

/* Sets the line's host. */
static int find_host(struct host *host, const struct node_names *nodes,
		     const struct tmap_line_values *values, const struct tmap_launcher_file *file,
		     struct tmap_error *err)
{
	static const char first[] = "+n0";

	if (values->host) {
		*host = (struct host){ values->host, values->host_length };
	} else if (values->node != TMAP_NONE) {
		if ((size_t)values->node >= nodes->count || !nodes->host[values->node].text)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d is on node %d, whose hostname no line above has",
					 values->rank, values->node);
		*host = nodes->host[values->node];
	} else if (file->node_count > 1 && !file->launcher->lines->is_by_node) {
		return tmap_fail(err, TMAP_INPUT,
				 "rank %d: such lines do not name their nodes, and the machine has "
				 "%d: they are read for one",
				 values->rank, file->node_count);
	} else {
		*host = (struct host){ first, sizeof first - 1 };
	}
	return 0;
}

static int line_add(struct tmap_entries *entries, struct node_names *nodes, int number,
		    struct tmap_line_values *values, const struct tmap_launcher_file *file,
		    struct tmap_error *err)
{
	struct host host;
	char *pus;
	int status;

	if (values->rank == TMAP_NONE)
		return node_set(nodes, values, err);
	if (find_host(&host, nodes, values, file, err) < 0)
		return -1;
	pus = tmap_str_take(&values->pus, err);
	if (!pus)
		return -1;
	status = tmap_entries_add_text(entries, values->rank, number, host.text, host.length, pus,
				       strlen(pus), err);
	free(pus);
	if (status == 0 && file->launcher->lines->is_by_thread)
		status = tmap_entries_set_thread(
			entries, values->thread == TMAP_NONE ? 0 : values->thread, err);
	return status;
}

static bool line_is(const struct tmap_line *line, const char *pattern)
{
	struct tmap_line_values values;
	struct tmap_error ignored;
	bool is = pattern && tmap_line_match(&values, line, pattern, &ignored) == TMAP_LINE_FITS;

	if (pattern)
		tmap_str_fini(&values.pus);
	return is;
}

/* A line is refused for what is wrong with it by the row by which the most of it is good. */
struct broken {
	const char *at; /* NULL: no row says so */
	char text[sizeof((struct tmap_error *)0)->text];
};

static void broken_add(struct broken *broken, const char *at, const struct tmap_error *err)
{
	if (broken->at && at <= broken->at)
		return;
	broken->at = at;
	memcpy(broken->text, err->text, sizeof broken->text);
}

/* Whatever the line is; *fits: it was one of these, and *end = what follows in the text. */
static int line_read(struct tmap_entries *entries, struct node_names *nodes,
		     const struct tmap_line *line, const struct tmap_line *head, bool *fits,
		     const char **end, const struct tmap_launcher_file *file,
		     struct tmap_error *err)
{
	const struct tmap_rank_pattern *row = file->launcher->lines->pattern;
	struct broken broken = { .at = NULL };
	struct tmap_line_values values;
	struct tmap_error wrong;
	int status = 0;

	*fits = false;
	for (; row->text && !*fits && status == 0; row++) {
		enum tmap_line_fit fit;

		if (row->under && !line_is(head, row->under))
			continue;
		fit = tmap_line_match(&values, line, row->text, &wrong);
		*fits = fit == TMAP_LINE_FITS && (!row->refuse || !broken.at);
		if (fit == TMAP_LINE_BROKEN || fit == TMAP_LINE_CUT)
			broken_add(&broken, values.end, &wrong);
		else if (*fits && row->refuse)
			status = tmap_fail(err, TMAP_INPUT, "%s", row->refuse);
		else if (*fits)
			status = line_add(entries, nodes, line->number, &values, file, err);
		*end = values.end;
		tmap_str_fini(&values.pus);
	}
	if (!broken.at || *fits)
		return status;
	return tmap_fail(err, TMAP_INPUT, "%s", broken.text);
}

/* The line, and what follows in it: ranks that print at the same time share lines. *text moves on
 * where the line goes on in those behind it. */
static int shared_line_read(struct tmap_entries *entries, struct node_names *nodes,
			    struct tmap_line *line, const struct tmap_line *head, const char **text,
			    const struct tmap_launcher_file *file, struct tmap_error *err)
{
	const char *end = line->text;
	bool fits;

	do {
		if (line_read(entries, nodes, line, head, &fits, &end, file, err) < 0)
			return -1;
		if (!fits)
			return 0;
		if (end > line->text + line->length) {
			for (; *text < end; ++*text)
				line->number += **text == '\n';
			line->length = strcspn(end, "\r\n");
			*text = end + line->length;
			*text += strspn(*text, "\r");
			*text += **text == '\n';
		} else {
			line->length -= (size_t)(end - line->text);
		}
		line->text = end;
	} while (line->length);
	return 0;
}

int tmap_rank_lines_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			  int *line, struct tmap_error *err)
{
	const struct tmap_rank_lines *form = file->launcher->lines;
	struct tmap_entries made = { 0 }, spread = { 0 };
	struct node_names nodes = { 0 };
	struct tmap_line at = { 0 }, head = { 0 };
	const char *text = file->text;
	bool is_within = !form->begin;
	int status = 0;

	while (status == 0 && tmap_line_next(&at, &text)) {
		if (form->begin && line_is(&at, is_within ? form->end : form->begin))
			is_within = !is_within, head = at;
		if (!is_within)
			continue;
		status = shared_line_read(&made, &nodes, &at, &head, &text, file, err);
	}
	free(nodes.host);
	*line = status < 0 ? at.number : 0;
	if (status == 0 && form->is_by_node)
		status = tmap_node_lines_spread(&spread, &made, file, line, err);
	if (status < 0 || form->is_by_node)
		tmap_entries_fini(&made);
	if (status < 0)
		return -1;
	*entries = form->is_by_node ? spread : made;
	entries->note = entries->count ? form->note : NULL;
	return 0;
}
