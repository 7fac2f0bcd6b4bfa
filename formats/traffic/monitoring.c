#include "formats/traffic/readers.h"

#include <ctype.h>
#include <string.h>

/*
 * E  0  1  1012 bytes  30 msgs sent  ...     what the program sends
 * I  0  2  108 bytes   27 msgs sent          what its collectives send
 * S, R                                       one-sided, from the first rank to the second
 *
 * All other lines are sums by communicator and by collective of the same messages.
 */
static const char counted[] = "EISR";

static bool is_counted(const struct tm_line *line)
{
	return line->length > 1 && strchr(counted, *line->text) && isspace((unsigned char)line->text[1]);
}

static int read_line(struct tm_pattern_builder *b, struct tm_line line, struct tm_error *err)
{
	int64_t from, to, bytes;
	const char *word;
	size_t length;

	line.text++;
	line.length--;
	if (tm_field_need(&line, "a rank", 0, &from, err) < 0 ||
	    tm_field_need(&line, "a rank", 0, &to, err) < 0 ||
	    tm_field_need(&line, "a number of bytes", 0, &bytes, err) < 0)
		return -1;
	if (!tm_line_word(&line, &word, &length) || !tm_word_is(word, length, "bytes"))
		return tm_fail(err, TM_INPUT, "line %d: the word 'bytes' is missing behind the third "
			       "number", line.number);
	return tm_traffic_add(b, from, to, (double)bytes, line.number, err);
}

int tm_traffic_monitoring(struct tm_pattern_builder *b, const char *text, struct tm_error *err)
{
	struct tm_line line = { 0 };

	while (tm_traffic_line(&line, &text, '#'))
		if (is_counted(&line) && read_line(b, line, err) < 0)
			return -1;
	return 0;
}

bool tm_traffic_is_monitoring(const char *text)
{
	struct tm_line line = { 0 };

	if (strncmp(text, "# POINT TO POINT", strlen("# POINT TO POINT")) == 0)
		return true;
	return tm_traffic_line(&line, &text, '#') && is_counted(&line);
}
