/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/han_rules.h"

#include "core/base/mem.h"
#include "core/library/library.h"
#include "core/tune/rule_lint_parts.h"

#include <inttypes.h>
#include <string.h>

/* Everything that a list is looked at with. */
struct lint {
	struct tmap_rule_findings *findings;
	const struct tmap_rule_file *file;
	const struct tmap_tune_places *places;
	bool is_4; /* Open MPI 4.1 */
};

static int add(const struct lint *it, enum tmap_rule_mistake mistake, int line, char *text,
	       const char *fix, struct tmap_error *err)
{
	return tmap_rule_findings_add_take(it->findings, mistake, line, text,
					   text ? tmap_strdup(fix, err) : NULL, err);
}

static const char *collective_name(const struct tmap_rule_collective *list)
{
	return tmap_rule_collective_row(list->number)->word.name;
}

/* Is there one more of it below, which is taken instead: of the same level, or the whole collective? */
static const struct tmap_rule_collective *find_replacement(const struct tmap_rule_file *file, int c)
{
	const struct tmap_rule_collective *list = &file->collective[c], *found = NULL;

	for (int i = c + 1; i < file->count; i++)
		if (file->collective[i].number == list->number &&
		    (file->collective[i].line != list->line ||
		     file->collective[i].level == list->level))
			found = &file->collective[i];
	return found;
}

static int lint_place(const struct lint *it, int c, struct tmap_error *err)
{
	const struct tmap_rule_collective *list = &it->file->collective[c];
	const struct tmap_rule_collective *other = find_replacement(it->file, c);

	if (other &&
	    add(it, TMAP_MISTAKE_ORDER, list->level_line,
		tmap_format(err, "%s has rules once more in line %d, which replace these",
			    collective_name(list), other->level_line),
		"write all rules of a collective in one place, each level once", err) < 0)
		return -1;
	if (!tmap_han_has_rules(list->number) &&
	    add(it, TMAP_MISTAKE_ALGORITHM, list->level_line,
		tmap_format(err, "coll/han has no %s, and never looks these rules up",
			    collective_name(list)),
		"leave them out", err) < 0)
		return -1;
	if (it->is_4 && list->level_is_word &&
	    add(it, TMAP_MISTAKE_VERSION, list->level_line,
		tmap_strdup("Open MPI 4.1 knows levels by number alone, and takes none of the rules",
			    err),
		"write 0 (within nodes), 1 (between them) or 2 (global)", err) < 0)
		return -1;
	return 0;
}

/* The first number behind @p at that is no larger, for which the last one is taken; TMAP_NONE: none. */
static int find_size_behind(const struct tmap_rule_collective *list, int at)
{
	for (int s = at + 1; s < list->count; s++)
		if (list->size[s].ranks <= list->size[at].ranks)
			return s;
	return TMAP_NONE;
}

static int find_rule_behind(const struct tmap_rule_size *size, int at)
{
	for (int i = at + 1; i < size->count; i++)
		if (size->rule[i].bytes <= size->rule[at].bytes)
			return i;
	return TMAP_NONE;
}

static int lint_size(const struct lint *it, const struct tmap_rule_collective *list, int at,
		     struct tmap_error *err)
{
	const struct tmap_rule_size *size = &list->size[at];
	int behind = find_size_behind(list, at);

	if (at == 0 && size->ranks > 1 &&
	    add(it, TMAP_MISTAKE_FIRST, size->line,
		tmap_strdup(
			"the first communicators are not those of 1 rank: coll/han takes none of "
			"the rules",
			err),
		"begin with communicators of 1 rank: \"1 1\" and \"0 han\" is what it does by itself",
		err) < 0)
		return -1;
	if (behind != TMAP_NONE &&
	    add(it, TMAP_MISTAKE_ORDER, size->line,
		tmap_format(err,
			    "communicators of %" PRId64 " ranks stand before those of %" PRId64
			    ", so these rules are never taken",
			    size->ranks, list->size[behind].ranks),
		"sort them by ranks, each size once", err) < 0)
		return -1;
	if (it->places && size->ranks > it->places->job->size + 1)
		return add(it, TMAP_MISTAKE_SIZE, size->line,
			   tmap_format(err, "the job has %d ranks, and no communicator of %" PRId64,
				       it->places->job->size, size->ranks),
			   "these rules are of another job", err);
	return 0;
}

static int lint_component(const struct lint *it, const struct tmap_rule_collective *list,
			  const struct tmap_rule *rule, struct tmap_error *err)
{
	bool is_global = list->level == TMAP_HAN_GLOBAL;

	if (rule->algorithm == TMAP_HAN_SELF)
		return add(
			it, TMAP_MISTAKE_ALGORITHM, rule->line,
			tmap_strdup("coll/self is for communicators of one rank, and coll/han asks "
				    "for rules on others",
				    err),
			is_global ? "write tuned, or han" : "write tuned", err);
	if (rule->algorithm == TMAP_HAN_ITSELF && !is_global)
		return add(it, TMAP_MISTAKE_ALGORITHM, rule->line,
			   tmap_strdup("coll/han does not call itself within nodes or between them",
				       err),
			   "write tuned, or another component; han is for level 2", err);
	if (it->is_4 && rule->fan)
		return add(it, TMAP_MISTAKE_VERSION, rule->line,
			   tmap_strdup("Open MPI 4.1 knows no algorithm behind @, and misreads all "
				       "behind it",
				       err),
			   "leave it out", err);
	if (!it->is_4 || !is_global || rule->algorithm == TMAP_HAN_ITSELF ||
	    strcmp(collective_name(list), "allreduce") != 0)
		return 0;
	if (add(it, TMAP_MISTAKE_ALGORITHM, rule->line,
		tmap_strdup("Open MPI 4.1 crashes where another component than han has an allreduce",
			    err),
		"write han, or set coll/han aside (--mca coll_han_priority 0)", err) < 0)
		return -1;
	it->findings->finding[it->findings->count - 1].is_fatal = true;
	return 0;
}

static int lint_rules(const struct lint *it, const struct tmap_rule_collective *list,
		      const struct tmap_rule_size *size, struct tmap_error *err)
{
	for (int i = 0; i < size->count; i++) {
		const struct tmap_rule *rule = &size->rule[i];
		int behind = find_rule_behind(size, i);

		if (i == 0 && rule->bytes > 1 &&
		    add(it, TMAP_MISTAKE_FIRST, rule->line,
			tmap_strdup("the first rule is not for 0 bytes: coll/han takes none of the "
				    "rules",
				    err),
			"begin with a rule for 0 bytes: \"0 han\" is what it does by itself",
			err) < 0)
			return -1;
		if (behind != TMAP_NONE &&
		    add(it, TMAP_MISTAKE_ORDER, rule->line,
			tmap_format(err,
				    "%" PRId64 " bytes stand before %" PRId64
				    ", so this rule is never taken",
				    rule->bytes, size->rule[behind].bytes),
			"sort the rules by bytes, each size once", err) < 0)
			return -1;
		if (i && strcmp(collective_name(list), "barrier") == 0 &&
		    add(it, TMAP_MISTAKE_UNIT, rule->line,
			tmap_strdup("a barrier has 0 bytes, so this rule is never taken", err),
			"one rule, for 0 bytes, is for all barriers", err) < 0)
			return -1;
		if (lint_component(it, list, rule, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_han_lint(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
		  int library, const struct tmap_tune_places *places, struct tmap_error *err)
{
	const struct lint it = { findings, file, places, !tmap_library_takes_han(library) };

	for (int c = 0; c < file->count; c++) {
		const struct tmap_rule_collective *list = &file->collective[c];

		if (lint_place(&it, c, err) < 0)
			return -1;
		for (int s = 0; s < list->count; s++)
			if (lint_size(&it, list, s, err) < 0 ||
			    lint_rules(&it, list, &list->size[s], err) < 0)
				return -1;
	}
	return 0;
}
