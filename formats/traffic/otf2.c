/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/readers.h"

#include <string.h>

/*
 *   === OTF2-PRINT ===
 *   ...
 *   MPI_SEND  0  1000  Receiver: 2 ("Master thread" <3>), Communicator: "rows" <1>, Tag: 7, Length: 400
 *   MPI_ISEND ...                                                                   Length: 400, Request: 1
 *
 * The first number is the sender's location. The receiver is a rank of the communicator; its location follows
 * its name. A name may have anything in it: what is behind it is looked for from the right.
 */
static const char heading[] = "=== OTF2-PRINT ===";

/* All else is of receivers, collectives, one-sided calls and regions. */
static bool sends(const struct tmap_line *line)
{
	return tmap_line_begins(line, "MPI_SEND ") || tmap_line_begins(line, "MPI_ISEND ");
}

/* The line goes behind the last @p mark; false where there is none. */
static bool go_behind(struct tmap_line *line, const char *mark)
{
	size_t length = strlen(mark);

	for (size_t at = line->length; at >= length; at--)
		if (memcmp(line->text + at - length, mark, length) == 0) {
			line->text += at;
			line->length -= at;
			return true;
		}
	return false;
}

/* "3>), Communicator: ...", which begins behind the last '<' of what is before that word. */
static bool go_to_receiver(struct tmap_line *line)
{
	static const char next[] = ">), Communicator: ";
	struct tmap_line rest = *line;
	const char *end;

	end = memmem(line->text, line->length, next, strlen(next));
	if (!end)
		return false;
	rest.length = (size_t)(end - line->text);
	if (!go_behind(&rest, "<"))
		return false;
	*line = rest;
	return true;
}

static int read_line(struct tmap_pattern_builder *b, struct tmap_line line, struct tmap_error *err)
{
	struct tmap_line receiver = line, length = line;
	int64_t from, to, bytes;

	tmap_field_skip(&line);
	if (!go_to_receiver(&receiver))
		return tmap_fail_at(
			err, TMAP_INPUT, line.number, 0,
			"the location of the receiver is missing: 'Receiver: 1 (\"...\" "
			"<1>), Communicator: '");
	if (!go_behind(&length, ", Length: "))
		return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
				    "'Length: ' and a number of bytes are missing");
	if (tmap_field_need(&line, "a location", 0, &from, err) < 0 ||
	    tmap_field_need(&receiver, "a location", 0, &to, err) < 0 ||
	    tmap_field_need(&length, "a number of bytes", 0, &bytes, err) < 0)
		return -1;
	return tmap_traffic_add(b, from, to, (double)bytes, line.number, err);
}

int tmap_traffic_otf2(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text))
		if (sends(&line) && read_line(b, line, err) < 0)
			return -1;
	return 0;
}

bool tmap_traffic_is_otf2(const char *text)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text) && !line.length)
		;
	return tmap_line_begins(&line, heading);
}
