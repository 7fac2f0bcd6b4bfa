/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/communicator.h"

#include "cli/base/other_file.h"
#include "core/base/keyword.h"
#include "core/base/mem.h"
#include "core/base/sequence.h"
#include "core/base/units.h"
#include "formats/base/brief.h"
#include "formats/machine/json_placement.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum kind { NODE, ROW, COLUMN };

static const struct tmap_keyword kind_rows[] = {
	[NODE] = { "node", "the ranks of one node" },
	[ROW] = { "row", "consecutive ranks" },
	[COLUMN] = { "column", "ranks that are equal modulo a number" },
	{ NULL, NULL },
};

static const struct tmap_keywords kinds = TMAP_KEYWORDS("communicator", kind_rows);

enum { LINE_COLUMNS = 60 };

static int *parse_list(int *count, const struct tmap_placement *p, const char *text,
		       struct tmap_error *err)
{
	*count = tmap_seq_count(text, err);
	if (*count == 0)
		tmap_fail(err, TMAP_USAGE, "a communicator has at least one rank");
	else if (*count < 0 && err->kind == TMAP_INPUT)
		err->kind = TMAP_USAGE;
	return *count < 1 ? NULL : tmap_seq_parse(text, *count, p->size, err);
}

/* The K of "kind:K"; TMAP_NONE where only the kind is given. */
static int parse_number(int *number, enum kind kind, const char *text, struct tmap_error *err)
{
	int64_t value = TMAP_NONE;

	if (!*text && kind != NODE)
		return tmap_fail(err, TMAP_USAGE, "how many ranks? write %s:K",
				 kind_rows[kind].name);
	if (*text && tmap_units_parse_int(text + 1, kind != NODE, INT_MAX, &value, err) < 0) {
		err->kind = TMAP_USAGE;
		return -1;
	}
	*number = (int)value;
	return 0;
}

/* What the job does not have. */
static int check_number(const struct tmap_placement *p, enum kind kind, int number,
			struct tmap_error *err)
{
	if (kind != NODE && number > p->size)
		return tmap_fail(err, TMAP_INPUT, "%s:%d: the job has %d rank%s",
				 kind_rows[kind].name, number, p->size, p->size == 1 ? "" : "s");
	if (kind == NODE && number >= p->machine->node_count)
		return tmap_fail(err, TMAP_INPUT, "node %d is not one of the %d nodes", number,
				 p->machine->node_count);
	return 0;
}

/* All ranks of one kind, in rank order. */
static int *find_ranks(int *count, const struct tmap_placement *p, enum kind kind, int number,
		       struct tmap_error *err)
{
	int node = kind == NODE && number == TMAP_NONE ? p->node[0] : number;
	int *rank = tmap_alloc_raw((size_t)p->size, sizeof *rank, err);

	*count = 0;
	for (int r = 0; rank && r < p->size; r++)
		if (kind == NODE ? p->node[r] == node : kind == ROW ? r < number : r % number == 0)
			rank[(*count)++] = r;
	if (!rank || *count)
		return rank;
	free(rank);
	tmap_fail(err, TMAP_INPUT, "node %d, '%s', has no rank", node, p->machine->node_name[node]);
	return NULL;
}

int *tmap_communicator_parse(int *count, const struct tmap_placement *p, const char *comm,
			     struct tmap_error *err)
{
	size_t length = strcspn(comm, ":");
	char *name;
	int kind, number = TMAP_NONE, *rank = NULL;

	if (!isalpha((unsigned char)*comm)) {
		rank = parse_list(count, p, comm, err);
	} else {
		name = tmap_strndup(comm, length, err);
		if (!name)
			return NULL;
		kind = tmap_keywords_find(&kinds, name, err);
		free(name);
		if (kind == TMAP_NONE)
			err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		else if (parse_number(&number, (enum kind)kind, comm + length, err) == 0 &&
			 check_number(p, (enum kind)kind, number, err) == 0)
			rank = find_ranks(count, p, (enum kind)kind, number, err);
	}
	if (!rank)
		tmap_wrap(err, "--comm");
	return rank;
}

int tmap_communicator_take(struct tmap_placement *p, const char *comm, struct tmap_error *err)
{
	struct tmap_placement part;
	int count, *rank, status;

	if (!comm)
		return 0;
	rank = tmap_communicator_parse(&count, p, comm, err);
	if (!rank)
		return -1;
	status = tmap_placement_subset(&part, p, rank, count, err);
	free(rank);
	if (status < 0)
		return tmap_wrap(err, "--comm");
	tmap_placement_fini(p);
	*p = part;
	return 0;
}

int tmap_communicator_read(struct tmap_placement *p, const char *path, const char *comm,
			   const char *adapters, struct tmap_error *err)
{
	if (tmap_placement_operand(p, path, err) < 0)
		return -1;
	if (tmap_adapters_option(p, adapters, err) == 0 &&
	    tmap_communicator_take(p, comm, err) == 0)
		return 0;
	tmap_placement_fini(p);
	return -1;
}

int tmap_communicator_write_text(FILE *out, const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_str ranks = TMAP_STR_INIT;
	char *text;

	if (!p->world)
		return tmap_adapters_write_text(out, p, err);
	tmap_brief_add_ranks(&ranks, p->world, p->size, LINE_COLUMNS);
	text = tmap_str_take(&ranks, err);
	if (!text)
		return -1;
	fprintf(out, "numbered anew: ranks %s of the job\n", text);
	free(text);
	return tmap_adapters_write_text(out, p, err);
}
