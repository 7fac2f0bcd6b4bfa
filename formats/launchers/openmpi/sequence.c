/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/sequence.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LENGTH = 1022 }; /* of a line: longer ones are two for PRRTE */

static int line_parse(struct tmap_hostlist *hosts, const struct tmap_line *line, bool is_cut,
		      bool is_needed, struct tmap_error *err)
{
	const char *blank = memchr(line->text, ' ', line->length);
	size_t length = blank ? (size_t)(blank - line->text) : line->length;
	int status = -1;
	char *host;

	if (line->length == 0 || *line->text == '#')
		return 0;
	if (line->length > MOST_LENGTH)
		return tmap_fail(err, TMAP_INPUT, "the line has more than %d characters",
				 MOST_LENGTH);
	if (length == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "the line begins with a blank, and mpirun reads no host then");
	if (line->text[line->length] == '\r')
		return tmap_fail(err, TMAP_INPUT,
				 "the line ends with a carriage return, which mpirun takes for a "
				 "part of it");
	if (tmap_host_name_check(line->text, length, err) < 0)
		return -1;
	host = tmap_strndup(line->text, length, err);
	if (!host)
		return -1;
	if (is_cut && !blank && !is_needed)
		status = 0;
	else if (is_cut && !blank)
		tmap_fail(err, TMAP_INPUT,
			  "the last line has no end, and mpirun reads '%.*s' instead of '%.64s'",
			  (int)(length > 64 ? 64 : length - 1), host, host);
	else if (!tmap_rankfile_is_host(host, length))
		tmap_fail(err, TMAP_INPUT, "'%.64s' is not a host%s", host,
			  strchr(host, '\t')        ? "; a blank must follow the host, not a tab" :
				  strchr(host, ':') ? TMAP_SEQ_NO_SLOTS :
						      "");
	else
		status = tmap_hostlist_add(hosts, host, err);
	free(host);
	return status;
}

int tmap_openmpi_sequence_parse(struct tmap_hostlist *hosts, const char *text, int ranks, int *line,
				struct tmap_error *err)
{
	struct tmap_line at = { 0 };

	while (tmap_line_next(&at, &text)) {
		*line = at.number;
		if (line_parse(hosts, &at, at.text[at.length] == '\0',
			       ranks == TMAP_NONE || hosts->count < (size_t)ranks, err) < 0)
			return -1;
	}
	*line = 0;
	return hosts->count ? 0 : tmap_fail(err, TMAP_INPUT, "the list has no hosts");
}

int tmap_openmpi_sequence_read(struct tmap_hostlist *hosts, const char *path, int ranks,
			       struct tmap_error *err)
{
	char *text;
	int line = 0, rc;

	if (strcmp(path, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "seq reads the list a second time, which standard input does not "
				 "allow");
	if (tmap_input_read_as_is(path, TMAP_INPUT_MOST_LIST, &text, err) < 0)
		return -1;
	rc = tmap_openmpi_sequence_parse(hosts, text, ranks, &line, err);
	free(text);
	return rc < 0 ? tmap_at(err, tmap_input_name(path), line) : 0;
}
