/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/readers.h"

#include <ctype.h>
#include <string.h>

enum { NAMES_MOST = 16 };

enum { FROM, TO, BYTES, WANTED, ALL = (1 << WANTED) - 1, TWICE = 1 << WANTED };

/* Where the numbers stand. */
struct columns {
	int at[WANTED];
};

static const struct columns usual = { { 0, 1, 2 } };

/* A first line of words is a heading. */
static bool is_heading(const struct tmap_line *line)
{
	return isalpha((unsigned char)*line->text) || *line->text == '"';
}

/* Is the field one of the names, with or without quotes? */
static bool is_one_of(const struct tmap_line *line, size_t length, const char *const *names)
{
	bool is_quoted = length > 1 && *line->text == '"' && line->text[length - 1] == '"';

	for (; *names; names++)
		if (tmap_keyword_is(line->text + is_quoted, length - 2 * is_quoted, *names))
			return true;
	return false;
}

/* The columns that a heading names, as bits; TWICE, where two columns are called alike. */
static int read_heading(struct columns *columns, struct tmap_line line)
{
	static const char *const names[WANTED][NAMES_MOST] = {
		{ "from", "source", "src", "sender", "i", "rank_from", "from_rank", "source_rank",
		  "src_rank", "rank_src", "sender_rank", NULL },
		{ "to", "destination", "dest", "dst", "target", "receiver", "j", "rank_to",
		  "to_rank", "target_rank", "dest_rank", "dst_rank", "rank_dst", "receiver_rank",
		  NULL },
		{ "bytes", "size", "volume", "weight", "nbytes", "bytes_sent", "total_bytes",
		  NULL },
	};
	int named = 0;
	size_t length;

	for (int k = 0; (length = tmap_field_length(&line)) > 0; k++, tmap_field_skip(&line))
		for (int c = 0; c < WANTED; c++)
			if (is_one_of(&line, length, names[c])) {
				columns->at[c] = k;
				named |= named & 1 << c ? TWICE : 1 << c;
			}
	return named;
}

static int check_heading(struct columns *columns, struct tmap_line line, struct tmap_error *err)
{
	int named = read_heading(columns, line);

	if (named == ALL)
		return 0;
	return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
			    "a heading names the columns from, to and bytes%s",
			    named & TWICE ? ": one of them is there twice" : "");
}

/* What one line says; other columns do not matter. */
static int read_row(struct tmap_pattern_builder *b, const struct columns *columns,
		    struct tmap_line line, struct tmap_error *err)
{
	int64_t rank[2] = { 0, 0 };
	double bytes = 0;
	int found = 0, number = line.number;

	for (int k = 0; found < WANTED && tmap_field_length(&line) > 0; k++) {
		if (k == columns->at[BYTES]) {
			if (tmap_field_need_bytes(&line, &bytes, err) < 0)
				return -1;
		} else if (k == columns->at[FROM] || k == columns->at[TO]) {
			if (tmap_field_need(&line, "a rank", 0, &rank[k == columns->at[TO]], err) <
			    0)
				return -1;
		} else {
			tmap_field_skip(&line);
			continue;
		}
		found++;
	}
	if (found < WANTED)
		return tmap_fail_at(err, TMAP_INPUT, number, 0,
				    "it ends where two ranks and bytes are "
				    "expected");
	return tmap_traffic_add(b, rank[FROM], rank[TO], bytes, number, err);
}

/* A first line of nothing but the number of ranks, of which lines follow. */
static bool is_count(struct tmap_line line)
{
	int64_t ranks;
	struct tmap_error unused;

	return tmap_traffic_count_fields(line) == 1 &&
		tmap_field_int(&line, "a number of ranks", 1, &ranks, &unused) > 0;
}

int tmap_traffic_list(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct columns columns = usual;
	bool first = true;
	int64_t ranks;

	for (; tmap_traffic_line(&line, &text, '#'); first = false) {
		bool heading = first && is_heading(&line);

		if (first && is_count(line)) {
			if (tmap_field_int(&line, "a number of ranks", 1, &ranks, err) < 0 ||
			    tmap_traffic_check_size(b, ranks, err) < 0)
				return -1;
			continue;
		}
		if (heading && check_heading(&columns, line, err) < 0)
			return -1;
		if (!heading && read_row(b, &columns, line, err) < 0)
			return -1;
	}
	return 0;
}

bool tmap_traffic_is_list(const char *text)
{
	const char *whole = text;
	struct tmap_line line = { 0 };
	struct columns columns;
	int count;

	if (!tmap_traffic_line(&line, &text, '#'))
		return false;
	if (is_heading(&line))
		return (read_heading(&columns, line) & ALL) == ALL;
	if (tmap_traffic_is_headed_matrix(whole) ||
	    (is_count(line) && !tmap_traffic_line(&line, &text, '#')))
		return false;
	count = tmap_traffic_count_fields(line);
	return count == 3 || count == 4;
}

bool tmap_traffic_is_headed_list(const char *text)
{
	struct tmap_line line = { 0 };
	struct columns columns;

	return tmap_traffic_line(&line, &text, '#') && is_heading(&line) &&
		(read_heading(&columns, line) & ALL) == ALL;
}

bool tmap_traffic_is_nearly_list(const char *text)
{
	struct tmap_line line = { 0 };
	struct columns columns;
	int64_t rank;
	struct tmap_error unused;
	int fields = 2;

	if (!tmap_traffic_line(&line, &text, '#'))
		return false;
	if (is_heading(&line))
		return (read_heading(&columns, line) & (1 << FROM | 1 << TO)) ==
			(1 << FROM | 1 << TO);
	for (int k = 0; k < 2; k++)
		if (tmap_field_int(&line, "a rank", 0, &rank, &unused) <= 0)
			return false;
	for (; tmap_field_length(&line) > 0; tmap_field_skip(&line))
		fields++;
	return fields == 3 || fields == 4;
}

/* Takes @p mark off the line's beginning. */
static int take(struct tmap_line *line, char mark, struct tmap_error *err)
{
	while (line->length && (*line->text == ' ' || *line->text == '\t')) {
		line->text++;
		line->length--;
	}
	if (!line->length || *line->text != mark)
		return tmap_fail_at(err, TMAP_INPUT, line->number, 0,
				    "'%c' is expected between the numbers of "
				    "'i , j = bytes'",
				    mark);
	line->text++;
	line->length--;
	return 0;
}

/* The rank before @p mark, which is taken too. */
static int take_rank(struct tmap_line *line, char mark, int64_t *rank, struct tmap_error *err)
{
	struct tmap_line head = *line;
	int status;

	tmap_line_cut(&head, mark);
	status = tmap_field_need(&head, "a rank", 0, rank, err);
	line->length -= (size_t)(head.text - line->text);
	line->text = head.text;
	return status < 0 ? -1 : take(line, mark, err);
}

/* "-1 , 2 = 5" is one as well, to be refused. */
static bool is_edge(const struct tmap_line *line)
{
	size_t sign = line->length > 1 && strchr("+-", *line->text) ? 1 : 0;

	return isdigit((unsigned char)line->text[sign]);
}

/* Lines of words, headings and statistics, stand between the edges. */
int tmap_traffic_edges(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	int64_t from, to;
	double bytes;

	while (tmap_traffic_line(&line, &text, '#')) {
		if (!is_edge(&line))
			continue;
		if (take_rank(&line, ',', &from, err) < 0 || take_rank(&line, '=', &to, err) < 0 ||
		    tmap_field_need_bytes(&line, &bytes, err) < 0 ||
		    tmap_traffic_add(b, from, to, bytes / 2, line.number, err) < 0 ||
		    tmap_traffic_add(b, to, from, bytes / 2, line.number, err) < 0)
			return -1;
	}
	return 0;
}

bool tmap_traffic_is_edges(const char *text)
{
	struct tmap_line line = { 0 };

	while (tmap_traffic_line(&line, &text, '#'))
		if (isdigit((unsigned char)*line.text))
			return memchr(line.text, '=', line.length) != NULL;
	return false;
}
