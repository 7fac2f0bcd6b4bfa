/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/comment.h"

#include <stdlib.h>
#include <string.h>

static int fail(struct tmap_error *err)
{
	return tmap_fail(err, TMAP_SYSTEM, "out of memory for a comment");
}

FILE *tmap_comment_begin(struct tmap_comment *comment, FILE *out, struct tmap_error *err)
{
	*comment = (struct tmap_comment){ .out = out };
	comment->words = open_memstream(&comment->text, &comment->length);
	if (!comment->words)
		fail(err);
	return comment->words;
}

int tmap_comment_end(struct tmap_comment *comment, int status, struct tmap_error *err)
{
	if (fclose(comment->words) != 0 && status == 0)
		status = fail(err);
	for (const char *line = comment->text; status == 0 && *line;) {
		size_t length = strcspn(line, "\n");

		fprintf(comment->out, "%s%.*s\n", length ? "# " : "", (int)length, line);
		line += length + (line[length] == '\n');
	}
	free(comment->text);
	return status;
}
