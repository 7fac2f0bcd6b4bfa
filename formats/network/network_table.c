/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/network_table.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/machine/network.h"
#include "formats/base/lines.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 32 };

struct table {
	int levels;
	char *name[LEVELS_MAX]; /* of each level, innermost first */
	struct tmap_names switches[LEVELS_MAX];
	struct tmap_names hosts;
	int *cell; /* [hosts x levels]: a switch, or TMAP_NONE */
	size_t capacity;
};

static void table_fini(struct table *table)
{
	for (int l = 0; l < table->levels; l++) {
		free(table->name[l]);
		tmap_names_fini(&table->switches[l]);
	}
	tmap_names_fini(&table->hosts);
	free(table->cell);
}

/* The next column: ends at a blank, a tab, or a comma outside brackets. */
static bool next_cell(struct tmap_line *line, const char **cell, size_t *length)
{
	int depth = 0;

	while (line->length && strchr(" \t,", *line->text)) {
		line->text++;
		line->length--;
	}
	*cell = line->text;
	while (line->length && (depth > 0 || !strchr(" \t,", *line->text))) {
		depth += (*line->text == '[') - (*line->text == ']');
		line->text++;
		line->length--;
	}
	*length = (size_t)(line->text - *cell);
	return *length > 0;
}

static int read_headings(struct table *table, struct tmap_line line, struct tmap_error *err)
{
	const char *cell;
	size_t length;

	next_cell(&line, &cell, &length); /* "node" */
	while (next_cell(&line, &cell, &length)) {
		if (table->levels == LEVELS_MAX)
			return tmap_fail(err, TMAP_INPUT, "there are more than %d levels",
					 LEVELS_MAX);
		for (int l = 0; l < table->levels; l++)
			if (tmap_keyword_is(cell, length, table->name[l]))
				return tmap_fail(err, TMAP_INPUT, "two levels are called '%s'",
						 table->name[l]);
		table->name[table->levels] = tmap_strndup(cell, length, err);
		if (!table->name[table->levels])
			return -1;
		table->levels++;
	}
	if (!table->levels)
		return tmap_fail(err, TMAP_INPUT,
				 "the headings name no level: 'node level1 level2 ...'");
	return 0;
}

/* The cells of a row behind the first, by number. */
static int read_cells(struct table *table, struct tmap_line *line, int *row, struct tmap_error *err)
{
	const char *cell;
	size_t length;
	int columns = 0;

	while (next_cell(line, &cell, &length)) {
		if (columns < table->levels) {
			struct tmap_names *names = &table->switches[columns];
			bool unknown = tmap_keyword_is(cell, length, "-");

			row[columns] = unknown ? TMAP_NONE :
						 tmap_names_intern(names, cell, length, err);
			if (!unknown && row[columns] == TMAP_NONE)
				return -1;
		}
		columns++;
	}
	if (columns != table->levels)
		return tmap_fail(err, TMAP_INPUT,
				 "%d column%s behind the node, but the headings name "
				 "%d",
				 columns, columns == 1 ? "" : "s", table->levels);
	return 0;
}

static int add_host(struct table *table, const char *name, const int *row, struct tmap_error *err)
{
	int known = table->hosts.count;
	size_t levels = (size_t)table->levels;
	int host = tmap_names_intern_host(&table->hosts, name, strlen(name), err);

	if (host == TMAP_NONE)
		return -1;
	if (host < known)
		return tmap_fail(err, TMAP_INPUT, "node '%s' stands twice", name);
	if (tmap_grow(&table->cell, &table->capacity, ((size_t)host + 1) * levels,
		      sizeof *table->cell, err) < 0)
		return -1;
	memcpy(table->cell + (size_t)host * levels, row, levels * sizeof *row);
	return 0;
}

static int read_row(struct table *table, struct tmap_line line, struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int row[LEVELS_MAX], status;
	const char *cell;
	size_t length;
	char *nodes;

	if (!next_cell(&line, &cell, &length))
		return 0;
	if (!table->levels)
		return read_headings(
			table, (struct tmap_line){ cell, length + line.length, line.number }, err);
	nodes = tmap_strndup(cell, length, err);
	status = nodes ? tmap_hostlist_parse(&list, nodes, err) : -1;
	free(nodes);
	if (status == 0)
		status = read_cells(table, &line, row, err);
	for (size_t i = 0; i < list.count && status == 0; i++)
		status = add_host(table, tmap_hostlist_name(&list, i), row, err);
	tmap_hostlist_fini(&list);
	return status;
}

static int read_table(struct table *table, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text)) {
		struct tmap_line at = line;

		tmap_line_cut(&at, '#');
		if (read_row(table, at, err) < 0)
			return tmap_at(err, NULL, line.number);
	}
	if (!table->hosts.count)
		return tmap_fail(err, TMAP_INPUT, "the table has no nodes");
	return 0;
}

/* The tier takes the level's names over. */
static int add_tier(struct table *table, int level, struct tmap_machine *machine, const int *host,
		    struct tmap_error *err)
{
	struct tmap_names *names = &table->switches[level];
	struct tmap_tier tier = { .switch_count = names->count };
	int status = -1;

	tier.name = tmap_strdup(table->name[level], err);
	tier.switch_of = tmap_alloc_raw((size_t)machine->node_count, sizeof *tier.switch_of, err);
	tier.switch_name = tmap_alloc((size_t)names->count, sizeof *tier.switch_name, err);
	if (!tier.name || !tier.switch_of || !tier.switch_name)
		goto out;
	for (int s = 0; s < names->count; s++) {
		tier.switch_name[s] = tmap_strdup(names->name[s], err);
		if (!tier.switch_name[s])
			goto out;
	}
	for (int n = 0; n < machine->node_count; n++)
		tier.switch_of[n] =
			table->cell[(size_t)host[n] * (size_t)table->levels + (size_t)level];
	status = tmap_machine_add_tier_take(machine, &tier, err);
out:
	tmap_tier_fini(&tier);
	return status;
}

int tmap_network_table_read(struct tmap_machine *machine, const char *text, struct tmap_error *err)
{
	struct table table = { 0 };
	int *host = NULL;
	int status = read_table(&table, text, err);

	if (status == 0 && machine->tier_count)
		status = tmap_fail(err, TMAP_INPUT, "the machine has a network already");
	if (status == 0) {
		host = tmap_network_match(&table.hosts, machine, err);
		status = host ? 0 : -1;
	}
	for (int l = 0; l < table.levels && status == 0; l++)
		status = add_tier(&table, l, machine, host, err);
	free(host);
	table_fini(&table);
	return status;
}

bool tmap_network_table_is(const char *text)
{
	struct tmap_line line = { 0 };
	const char *cell;
	size_t length;

	while (tmap_line_next(&line, &text)) {
		tmap_line_cut(&line, '#');
		if (next_cell(&line, &cell, &length))
			return tmap_keyword_is(cell, length, "node") && line.length > 0;
	}
	return false;
}
