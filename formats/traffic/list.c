#include "formats/traffic/readers.h"

#include <ctype.h>
#include <string.h>

/* A first line of words is a heading. */
static bool is_heading(const struct tm_line *line)
{
	return isalpha((unsigned char)*line->text) || *line->text == '"';
}

int tm_traffic_list(struct tm_pattern_builder *b, const char *text, struct tm_error *err)
{
	struct tm_line line = { 0 };
	bool first = true;
	int64_t from, to;
	double bytes;

	for (; tm_traffic_line(&line, &text, '#'); first = false) {
		if (first && is_heading(&line))
			continue;
		if (tm_field_need(&line, "a rank", 0, &from, err) < 0 ||
		    tm_field_need(&line, "a rank", 0, &to, err) < 0 ||
		    tm_field_need_bytes(&line, &bytes, err) < 0 ||
		    tm_traffic_add(b, from, to, bytes, line.number, err) < 0)
			return -1;
	}
	return 0;
}

bool tm_traffic_is_list(const char *text)
{
	struct tm_line line = { 0 };
	int count;

	if (!tm_traffic_line(&line, &text, '#') ||
	    (is_heading(&line) && !tm_traffic_line(&line, &text, '#')))
		return false;
	count = tm_traffic_count_fields(line);
	return count == 3 || count == 4;
}

/* Takes @p mark off the line's beginning. */
static int take(struct tm_line *line, char mark, struct tm_error *err)
{
	while (line->length && (*line->text == ' ' || *line->text == '\t')) {
		line->text++;
		line->length--;
	}
	if (!line->length || *line->text != mark)
		return tm_fail(err, TM_INPUT, "line %d: '%c' is expected between the numbers of "
			       "'i , j = bytes'", line->number, mark);
	line->text++;
	line->length--;
	return 0;
}

/* The rank before @p mark, which is taken too. */
static int take_rank(struct tm_line *line, char mark, int64_t *rank, struct tm_error *err)
{
	struct tm_line head = *line;
	int status;

	tm_line_cut(&head, mark);
	status = tm_field_need(&head, "a rank", 0, rank, err);
	line->length -= (size_t)(head.text - line->text);
	line->text = head.text;
	return status < 0 ? -1 : take(line, mark, err);
}

/* Lines of words, headings and statistics, stand between the edges. */
int tm_traffic_edges(struct tm_pattern_builder *b, const char *text, struct tm_error *err)
{
	struct tm_line line = { 0 };
	int64_t from, to;
	double bytes;

	while (tm_traffic_line(&line, &text, '#')) {
		if (!isdigit((unsigned char)*line.text))
			continue;
		if (take_rank(&line, ',', &from, err) < 0 ||
		    take_rank(&line, '=', &to, err) < 0 ||
		    tm_field_need_bytes(&line, &bytes, err) < 0 ||
		    tm_traffic_add(b, from, to, bytes / 2, line.number, err) < 0 ||
		    tm_traffic_add(b, to, from, bytes / 2, line.number, err) < 0)
			return -1;
	}
	return 0;
}

bool tm_traffic_is_edges(const char *text)
{
	struct tm_line line = { 0 };

	while (tm_traffic_line(&line, &text, '#'))
		if (isdigit((unsigned char)*line.text))
			return memchr(line.text, '=', line.length) != NULL;
	return false;
}
