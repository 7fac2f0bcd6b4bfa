/* SPDX-License-Identifier: BSD-3-Clause */
/* Any lines as the programs of a job: refused as a wrong command line, or so many ranks each. */
#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/program_lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 5 };

static void check(const struct tmap_program_line *line)
{
	if ((line->ranks < 1 && line->ranks != TMAP_NONE) || line->ranks > TMAP_MOST_RANKS ||
	    (line->hosts && !*line->hosts) || (line->hostfile && !*line->hostfile) ||
	    (line->name && (!*line->name || strlen(line->name) > TMAP_PROGRAM_LENGTH)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_program_line *lines;
	struct tmap_error err = { 0 };
	char *text = tmap_strndup((const char *)data, strnlen((const char *)data, size), &err);
	const char *line[MOST];
	int count = 0;

	if (!text)
		return 0;
	for (char *at = text; count < MOST; at++) {
		line[count++] = at;
		at += strcspn(at, "\n");
		if (!*at)
			break;
		*at = '\0';
	}
	if (tmap_program_lines_parse(&lines, line, count, &err) == 0) {
		for (int i = 0; i < count; i++)
			check(&lines[i]);
		tmap_program_lines_free(lines, count);
	} else if (err.kind != TMAP_USAGE || !*err.text) {
		abort();
	}
	free(text);
	return 0;
}
