/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/rank_list.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "formats/base/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct list_reader {
	struct tmap_rank_list list;
	int *line; /* [count] of each rank */
	size_t line_capacity;
	int most; /* ranks */
};

static bool take_rank(const char **at, const char *end, int *rank)
{
	const char *start = *at;
	long value = 0;

	for (; *at < end && isdigit((unsigned char)**at); ++*at) {
		value = 10 * value + (**at - '0');
		if (value >= TMAP_MOST_RANKS)
			return false;
	}
	*rank = (int)value;
	return *at > start;
}

static int add_range(struct list_reader *in, int first, int last, int line, struct tmap_error *err)
{
	size_t need = (size_t)in->list.count + (size_t)(last - first) + 1;

	if (tmap_most_ranks_check((int64_t)need, in->most, "ranks", err) < 0)
		return -1;
	if (tmap_grow(&in->list.rank, &in->list.capacity, need, sizeof *in->list.rank, err) < 0 ||
	    tmap_grow(&in->line, &in->line_capacity, need, sizeof *in->line, err) < 0)
		return -1;
	for (int r = first; r <= last; r++) {
		in->line[in->list.count] = line;
		in->list.rank[in->list.count++] = r;
	}
	return 0;
}

static int list_read_line(struct list_reader *in, struct tmap_line *line, struct tmap_error *err)
{
	const char *at, *end;

	tmap_line_cut(line, '#');
	at = line->text;
	end = at + line->length;
	for (;;) {
		const char *word = at;
		int first, last, commas = 0;

		for (; at < end && strchr(", \t", *at); at++)
			commas += *at == ',';
		if (commas > (word > line->text))
			return tmap_fail(err, TMAP_INPUT, "'%.*s': a rank stands before each comma",
					 end - word > 40 ? 40 : (int)(end - word), word);
		if (at == end)
			return 0;
		word = at;
		if (!take_rank(&at, end, &first))
			goto malformed;
		last = first;
		if (at < end && *at == '-') {
			at++;
			if (!take_rank(&at, end, &last) || last < first)
				goto malformed;
		}
		if (at < end && !strchr(", \t", *at))
			goto malformed;
		if (add_range(in, first, last, line->number, err) < 0)
			return -1;
		continue;
	malformed:
		while (at < end && !strchr(", \t", *at))
			at++;
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s' is neither a rank below %d nor a range of such",
				 at - word > 40 ? 40 : (int)(at - word), word, TMAP_MOST_RANKS);
	}
}

/* Each of 0 to count - 1 stands there, once. */
static int list_check(const struct list_reader *in, int *line, struct tmap_error *err)
{
	const struct tmap_rank_list *list = &in->list;
	int *at = tmap_alloc((size_t)list->count, sizeof *at, err), missing = 0, largest = 0;
	int status = 0;

	if (!at)
		return -1;
	for (int k = 0; k < list->count && status == 0; k++) {
		int rank = list->rank[k];

		largest = rank > largest ? rank : largest;
		if (rank >= list->count)
			continue;
		if (at[rank]) {
			*line = in->line[k];
			status = tmap_fail(err, TMAP_INPUT, "rank %d already stands in line %d",
					   rank, in->line[at[rank] - 1]);
		}
		at[rank] = k + 1;
	}
	if (status == 0 && largest >= list->count) {
		while (at[missing])
			missing++;
		status = tmap_fail(err, TMAP_INPUT,
				   "rank %d is missing: there %s %d rank%s, and the largest is %d",
				   missing, list->count == 1 ? "is" : "are", list->count,
				   list->count == 1 ? "" : "s", largest);
	}
	free(at);
	return status;
}

int tmap_rank_list_parse(struct tmap_rank_list *list, const char *text, int most, int *line,
			 struct tmap_error *err)
{
	struct list_reader in = { .most = most };
	struct tmap_line at = { 0 };
	int status = 0;

	*line = 0;
	while (status == 0 && tmap_line_next(&at, &text))
		status = list_read_line(&in, &at, err);
	if (status < 0)
		*line = at.number;
	else if (in.list.count == 0)
		status = tmap_fail(err, TMAP_INPUT, "there is no rank");
	else
		status = list_check(&in, line, err);
	free(in.line);
	if (status < 0)
		tmap_rank_list_fini(&in.list);
	else
		*list = in.list;
	return status;
}

void tmap_rank_list_fini(struct tmap_rank_list *list)
{
	free(list->rank);
	*list = (struct tmap_rank_list){ 0 };
}

int *tmap_rank_list_invert(const int *rank, int count, struct tmap_error *err)
{
	int *inverse = tmap_alloc_raw((size_t)count, sizeof *inverse, err);

	for (int k = 0; inverse && k < count; k++)
		inverse[rank[k]] = k;
	return inverse;
}
