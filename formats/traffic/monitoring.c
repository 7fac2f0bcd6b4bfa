/* SPDX-License-Identifier: BSD-3-Clause */
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

static bool is_counted(const struct tmap_line *line)
{
	return line->length > 1 && strchr(counted, *line->text) &&
		isspace((unsigned char)line->text[1]);
}

static int read_line(struct tmap_pattern_builder *b, struct tmap_line line, struct tmap_error *err)
{
	int64_t from, to, bytes;
	const char *word;
	size_t length;

	line.text++;
	line.length--;
	if (tmap_field_need(&line, "a rank", 0, &from, err) < 0 ||
	    tmap_field_need(&line, "a rank", 0, &to, err) < 0 ||
	    tmap_field_need(&line, "a number of bytes", 0, &bytes, err) < 0)
		return -1;
	if (!tmap_line_word(&line, &word, &length) || !tmap_keyword_is(word, length, "bytes"))
		return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
				    "the word 'bytes' is missing behind the third "
				    "number");
	return tmap_traffic_add(b, from, to, (double)bytes, line.number, err);
}

int tmap_traffic_monitoring(struct tmap_pattern_builder *b, const char *text,
			    struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_traffic_line(&line, &text, '#'))
		if (is_counted(&line) && read_line(b, line, err) < 0)
			return -1;
	return 0;
}

bool tmap_traffic_is_monitoring(const char *text)
{
	struct tmap_line line = { 0 };

	if (strncmp(text, "# POINT TO POINT", strlen("# POINT TO POINT")) == 0)
		return true;
	return tmap_traffic_line(&line, &text, '#') && is_counted(&line);
}
