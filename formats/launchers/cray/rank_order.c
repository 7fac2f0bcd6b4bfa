#include "formats/launchers/cray/rank_order.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/entries.h"
#include "formats/machine/json_placement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct tmap_rank_order order;
	int *line; /* [count] of each rank */
	size_t line_capacity;
};

static bool take_rank(const char **at, const char *end, int *rank)
{
	const char *start = *at;
	long value = 0;

	for (; *at < end && isdigit((unsigned char)**at); ++*at) {
		value = 10 * value + (**at - '0');
		if (value >= TMAP_JSON_MOST_RANKS)
			return false;
	}
	*rank = (int)value;
	return *at > start;
}

static int add_range(struct reader *in, int first, int last, int line, struct tmap_error *err)
{
	size_t need = (size_t)in->order.count + (size_t)(last - first) + 1;

	if (need > TMAP_JSON_MOST_RANKS)
		return tmap_fail(err, TMAP_INPUT, "there are more than %d ranks",
				 TMAP_JSON_MOST_RANKS);
	if (tmap_grow(&in->order.rank, &in->order.capacity, need, sizeof *in->order.rank, err) <
		    0 ||
	    tmap_grow(&in->line, &in->line_capacity, need, sizeof *in->line, err) < 0)
		return -1;
	for (int r = first; r <= last; r++) {
		in->line[in->order.count] = line;
		in->order.rank[in->order.count++] = r;
	}
	return 0;
}

static int read_line(struct reader *in, struct tmap_line *line, struct tmap_error *err)
{
	const char *at, *end;

	tmap_line_cut(line, '#');
	at = line->text;
	end = at + line->length;
	for (;;) {
		const char *word;
		int first, last;

		while (at < end && strchr(", \t", *at))
			at++;
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
		return tmap_fail(
			err, TMAP_INPUT, "'%.*s' is neither a rank below %d nor a range of such",
			at - word > 40 ? 40 : (int)(at - word), word, TMAP_JSON_MOST_RANKS);
	}
}

/* Each of 0 to count - 1 stands there, once. */
static int check_ranks(const struct reader *in, int *line, struct tmap_error *err)
{
	const struct tmap_rank_order *order = &in->order;
	int *at = tmap_alloc((size_t)order->count, sizeof *at, err), missing = 0, largest = 0;
	int status = 0;

	if (!at)
		return -1;
	for (int k = 0; k < order->count && status == 0; k++) {
		int rank = order->rank[k];

		largest = rank > largest ? rank : largest;
		if (rank >= order->count)
			continue;
		if (at[rank]) {
			*line = in->line[k];
			status = tmap_fail(err, TMAP_INPUT, "rank %d already stands in line %d",
					   rank, in->line[at[rank] - 1]);
		}
		at[rank] = k + 1;
	}
	if (status == 0 && largest >= order->count) {
		while (at[missing])
			missing++;
		status = tmap_fail(err, TMAP_INPUT,
				   "rank %d is missing: there are %d ranks, and the "
				   "largest is %d",
				   missing, order->count, largest);
	}
	free(at);
	return status;
}

int tmap_rank_order_parse(struct tmap_rank_order *order, const char *text, int *line,
			  struct tmap_error *err)
{
	struct reader in = { 0 };
	struct tmap_line at = { 0 };
	int status = 0;

	*line = 0;
	while (status == 0 && tmap_line_next(&at, &text))
		status = read_line(&in, &at, err);
	if (status < 0)
		*line = at.number;
	else if (in.order.count == 0)
		status = tmap_fail(err, TMAP_INPUT, "there is no rank");
	else
		status = check_ranks(&in, line, err);
	free(in.line);
	if (status < 0)
		tmap_rank_order_fini(&in.order);
	else
		*order = in.order;
	return status;
}

int tmap_rank_order_read(struct tmap_rank_order *order, const char *path, struct tmap_error *err)
{
	char *text = NULL;
	int line, status;

	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	status = tmap_rank_order_parse(order, text, &line, err);
	free(text);
	return status < 0 ? tmap_entries_blame(err, path, line) : 0;
}

void tmap_rank_order_fini(struct tmap_rank_order *order)
{
	free(order->rank);
	*order = (struct tmap_rank_order){ 0 };
}
