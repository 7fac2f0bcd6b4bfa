/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/lint_topic.h"

#include "core/lint/lint.h"
#include "formats/launchers/launchers.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_LAUNCHERS = 32 };

/* The words of all launchers that have any. */
static void fix_add(struct tmap_str *str, const char *fix)
{
	const struct tmap_fix_words *all[MOST_LAUNCHERS + 1] = { NULL };
	const struct tmap_fix_nodes nodes = { true, true, true };
	struct tmap_error err;
	char *text;
	int count = 0;

	for (int i = 0; tmap_launcher_at(i)->word.name && count < MOST_LAUNCHERS; i++) {
		const struct tmap_fix_words *words = tmap_launcher_at(i)->fixes;
		int known = 0;

		while (known < count && all[known] != words)
			known++;
		if (words && known == count)
			all[count++] = words;
	}
	text = tmap_fix_print(fix, all, &nodes, NULL, &err);
	if (text)
		tmap_str_addf(str, " Fix: %s.", text);
	str->failed = str->failed || !text;
	free(text);
}

const char *tmap_lint_topic_row(size_t index, struct tmap_str *text)
{
	const struct tmap_lint_rule *rule = tmap_lint_rule_at((int)index);
	const char *before = " Figures: ", *severity;

	if (!rule)
		return NULL;
	severity = tmap_keywords_at(&tmap_severities, rule->severity)->name;
	tmap_str_addf(text, "%c%s: %s.", toupper((unsigned char)severity[0]), severity + 1,
		      rule->word.summary);
	tmap_str_addf(text, " %c%s.", toupper((unsigned char)rule->why[0]), rule->why + 1);
	fix_add(text, rule->fix);
	for (int i = 0; rule->figure[i]; i++, before = ", ")
		tmap_str_addf(text, "%s%s", before, rule->figure[i]);
	if (rule->figure[0])
		tmap_str_addc(text, '.');
	return rule->word.name;
}
