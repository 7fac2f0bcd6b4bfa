/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/rule_origin.h"

#include "core/library/library.h"
#include "formats/base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 80 }; /* what is said of it, without blanks before */

void tmap_rule_origin_parse(struct tmap_rule_origin *origin, const char *text)
{
	char said[LONGEST], library[20], digest[TMAP_PLACEMENT_DIGEST_ROOM];
	int line = 1;

	for (; *text; text += strcspn(text, "\n"), line += *text == '\n', text += *text == '\n') {
		struct tmap_rule_origin made = { .line = line };
		struct tmap_error ignored;

		/* A copy: sscanf() looks for the end of all text. */
		text += strspn(text, " #\"");
		snprintf(said, sizeof said, "%.*s", (int)strcspn(text, "\n"), text);
		if (sscanf(said, "made for %19[a-z0-9], placement %16[0-9a-f]", library, digest) !=
		    2)
			continue;
		made.library = tmap_keywords_find(&tmap_libraries, library, &ignored);
		if (made.library == TMAP_NONE || strlen(digest) != sizeof digest - 1)
			continue;
		memcpy(made.digest, digest, sizeof digest);
		*origin = made;
		return;
	}
}

int tmap_rule_origin_read(struct tmap_rule_origin *origin, const char *path, struct tmap_error *err)
{
	char *text = NULL;

	*origin = (struct tmap_rule_origin){ 0 };
	if (tmap_input_read_text(path, TMAP_INPUT_MOST_RULES, &text, err) < 0)
		return -1;
	tmap_rule_origin_parse(origin, text);
	free(text);
	return 0;
}
