/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/rankmap.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct rankmap_parser {
	const char *text, *at;
	struct tmap_rankmap map;
	int most; /* ranks */
};

static int rankmap_refuse(const struct rankmap_parser *in, const char *wanted,
			  struct tmap_error *err)
{
	int column = (int)(in->at - in->text) + 1;

	if (*in->at == '\0')
		return tmap_fail(err, TMAP_INPUT, "the rank map ends where %s is expected", wanted);
	return tmap_fail(err, TMAP_INPUT, "column %d: '%.20s' where %s is expected", column, in->at,
			 wanted);
}

static void skip_blanks(struct rankmap_parser *in)
{
	in->at += strspn(in->at, " \t");
}

static bool take(struct rankmap_parser *in, const char *word)
{
	skip_blanks(in);
	if (strncmp(in->at, word, strlen(word)) != 0)
		return false;
	in->at += strlen(word);
	return true;
}

static int take_number(struct rankmap_parser *in, int least, int *number, struct tmap_error *err)
{
	const char *start;
	long value = 0;

	skip_blanks(in);
	start = in->at;
	for (; isdigit((unsigned char)*in->at) && value <= TMAP_MOST_RANKS; in->at++)
		value = 10 * value + (*in->at - '0');
	if (in->at > start && value >= least && value <= TMAP_MOST_RANKS) {
		*number = (int)value;
		return 0;
	}
	in->at = start;
	return rankmap_refuse(in, least ? "a number from 1 on" : "a number", err);
}

/* Room for @p more ranks. */
static int rankmap_reserve(struct rankmap_parser *in, int64_t more, struct tmap_error *err)
{
	if (tmap_most_ranks_check(in->map.count + more, in->most, "ranks", err) < 0)
		return -1;
	return tmap_grow(&in->map.node, &in->map.capacity, (size_t)in->map.count + (size_t)more,
			 sizeof *in->map.node, err);
}

/* (start,nodes,ranks) */
static int take_block(struct rankmap_parser *in, struct tmap_error *err)
{
	int start = 0, nodes = 0, ranks = 0;

	if (!take(in, "("))
		return rankmap_refuse(in, "(", err);
	if (take_number(in, 0, &start, err) < 0)
		return -1;
	if (!take(in, ","))
		return rankmap_refuse(in, ",", err);
	if (take_number(in, 1, &nodes, err) < 0)
		return -1;
	if (!take(in, ","))
		return rankmap_refuse(in, ",", err);
	if (take_number(in, 1, &ranks, err) < 0)
		return -1;
	if (!take(in, ")"))
		return rankmap_refuse(in, ")", err);
	if (rankmap_reserve(in, (int64_t)nodes * ranks, err) < 0)
		return -1;
	for (int n = 0; n < nodes; n++)
		for (int r = 0; r < ranks; r++)
			in->map.node[in->map.count++] = start + n;
	return 0;
}

/* [block,...]xN */
static int take_repeated(struct rankmap_parser *in, struct tmap_error *err)
{
	int first = in->map.count, length, times = 0;

	do {
		if (take_block(in, err) < 0)
			return -1;
	} while (take(in, ","));
	if (!take(in, "]"))
		return rankmap_refuse(in, "]", err);
	if (!take(in, "x"))
		return rankmap_refuse(in, "x and a number", err);
	if (take_number(in, 1, &times, err) < 0)
		return -1;
	length = in->map.count - first;
	if (rankmap_reserve(in, (int64_t)length * (times - 1), err) < 0)
		return -1;
	for (int i = 0; i < length * (times - 1); i++) {
		in->map.node[in->map.count] = in->map.node[in->map.count - length];
		in->map.count++;
	}
	return 0;
}

static int take_vector(struct rankmap_parser *in, struct tmap_error *err)
{
	if (!take(in, "vector"))
		return rankmap_refuse(in, "vector", err);
	while (take(in, ","))
		if (take(in, "[") ? take_repeated(in, err) < 0 : take_block(in, err) < 0)
			return -1;
	if (!in->map.count)
		return rankmap_refuse(in, ", and a block (START,NODES,RANKS)", err);
	return take(in, ")") ? 0 : rankmap_refuse(in, ")", err);
}

static int take_list(struct rankmap_parser *in, struct tmap_error *err)
{
	do {
		int node = 0;

		if (take_number(in, 0, &node, err) < 0 || rankmap_reserve(in, 1, err) < 0)
			return -1;
		in->map.node[in->map.count++] = node;
	} while (take(in, ","));
	return 0;
}

int tmap_rankmap_parse(struct tmap_rankmap *map, const char *text, int most, struct tmap_error *err)
{
	struct rankmap_parser in = { .text = text, .at = text, .most = most };
	int status = take(&in, "(") ? take_vector(&in, err) : take_list(&in, err);

	skip_blanks(&in);
	if (status == 0 && *in.at)
		status = rankmap_refuse(&in, "the end", err);
	if (status < 0)
		tmap_rankmap_fini(&in.map);
	else
		*map = in.map;
	return status;
}

void tmap_rankmap_fini(struct tmap_rankmap *map)
{
	free(map->node);
	*map = (struct tmap_rankmap){ 0 };
}
