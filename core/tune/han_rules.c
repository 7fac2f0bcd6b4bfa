/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/han_rules.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword components[] = {
	[TMAP_HAN_SELF] = { "self", "communicators of one rank" },
	[TMAP_HAN_BASIC] = { "basic", "linear algorithms" },
	[TMAP_HAN_LIBNBC] = { "libnbc", "schedules of calls that do not block" },
	[TMAP_HAN_TUNED] = { "tuned", "all ranks at once, by the rules of coll/tuned" },
	[TMAP_HAN_SM] = { "sm", "shared memory" },
	[TMAP_HAN_ADAPT] = { "adapt", "trees of segments" },
	[TMAP_HAN_ITSELF] = { "han", "within nodes and between them" },
	[TMAP_HAN_COMPONENTS] = { NULL, NULL },
};

const struct tmap_keywords tmap_han_components = TMAP_KEYWORDS("component", components);

static const struct tmap_keyword levels[] = {
	[TMAP_HAN_INTRA] = { "intra_node", "the ranks of a node" },
	[TMAP_HAN_INTER] = { "inter_node", "ranks of equal number on their nodes" },
	[TMAP_HAN_GLOBAL] = { "global_communicator", "communicators of several nodes" },
	[TMAP_HAN_LEVELS] = { NULL, NULL },
};

const struct tmap_keywords tmap_han_levels = TMAP_KEYWORDS("level", levels);

/* Those that coll/han has, and their algorithms from number 1 on. */
static const struct {
	const char *collective;
	const char *algorithm[3];
} rows[] = {
	{ "allgather", { "intra", "simple" } },
	{ "allgatherv", { NULL } },
	{ "allreduce", { "intra", "simple", "reproducible" } },
	{ "barrier", { "simple" } },
	{ "bcast", { "intra", "simple" } },
	{ "gather", { "intra", "simple" } },
	{ "reduce", { "intra", "simple", "reproducible" } },
	{ "scatter", { "intra", "simple" } },
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static int row_find(int64_t number)
{
	int i = 0;

	while (i < ROWS &&
	       strcmp(rows[i].collective, tmap_rule_collective_row(number)->word.name) != 0)
		i++;
	return i;
}

bool tmap_han_has_rules(int64_t number)
{
	return row_find(number) < ROWS;
}

int tmap_han_algorithm_find(int64_t number, const char *word)
{
	int row = row_find(number), count = 0;
	long asked;
	char *end;

	if (row == ROWS)
		return TMAP_NONE;
	if (strcmp(word, "default") == 0)
		return 0;
	for (; count < 3 && rows[row].algorithm[count]; count++)
		if (strcmp(rows[row].algorithm[count], word) == 0)
			return count + 1;
	asked = strtol(word, &end, 10);
	return *word && !*end && asked >= 0 && asked <= count ? (int)asked : TMAP_NONE;
}

void tmap_han_rules_begin(struct tmap_rule_file *file, int64_t number)
{
	file->last[number] = 0;
}

struct tmap_rule_collective *tmap_han_rules_add(struct tmap_rule_file *file, int64_t number,
						int level, struct tmap_error *err)
{
	int last = file->last[number];
	struct tmap_rule_collective *made = tmap_rule_file_add(file, number, err);

	if (!made)
		return NULL;
	made->level = level;
	if (level != TMAP_HAN_GLOBAL)
		file->last[number] = last;
	return made;
}
