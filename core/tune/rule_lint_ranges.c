/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_lint_parts.h"

#include "core/base/mem.h"
#include "core/tune/rule_collectives.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the library reads otherwise than it was meant, by kind: what stands behind the word. */
static const struct {
	enum tmap_rule_mistake mistake;
	const char *text, *fix;
} oddities[] = {
	[TMAP_ODD_MEMBER] = { TMAP_MISTAKE_MEMBER, "is no member that the library reads",
			      "they are comm_size_min, comm_size_max, comm_rank_distribution and rules; "
			      "and msg_size_min, msg_size_max, alg, faninout, seg_size and reqs" },
	[TMAP_ODD_SPREAD] = { TMAP_MISTAKE_MEMBER,
			      "is no distribution, and the library takes it for \"any\"",
			      "write \"any\", \"single-node\" or \"one-per-node\"" },
	[TMAP_ODD_ENDLESS] = { TMAP_MISTAKE_SIZE, "without an end is -1 to the library",
			       "leave the member out: then there is no limit" },
	[TMAP_ODD_NAMELESS] = { TMAP_MISTAKE_ALGORITHM,
				"is missing: the rule is the library's own choice",
				"write the algorithm's name or number" },
	[TMAP_ODD_ALGORITHM] = { TMAP_MISTAKE_ALGORITHM,
				 "is no algorithm: the library passes over the rule",
				 "ompi_info --param coll tuned --level 9 has the names" },
};

static int lint_oddities(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
			 struct tmap_error *err)
{
	for (int i = 0; i < file->oddity_count; i++) {
		const struct tmap_rule_oddity *it = &file->oddity[i];

		if (tmap_rule_findings_add_take(
			    findings, oddities[it->kind].mistake, it->line,
			    tmap_format(err, "\"%.60s\" %s", it->word, oddities[it->kind].text),
			    tmap_strdup(oddities[it->kind].fix, err), err) < 0)
			return -1;
	}
	return 0;
}

/* The rule before row @p at that takes this number of bytes; NULL: none does. */
static const struct tmap_rule *find_taker(const struct tmap_rule_size *size, int at, int64_t bytes)
{
	for (int i = 0; i < at; i++)
		if (!size->rule[i].is_void && size->rule[i].bytes <= bytes &&
		    bytes <= size->rule[i].most)
			return &size->rule[i];
	return NULL;
}

/* The line of a rule that takes the last of its bytes that others have not taken before; 0: some are left. */
static int rule_taken(const struct tmap_rule_size *size, int at)
{
	int64_t bytes = size->rule[at].bytes;

	for (const struct tmap_rule *taker; (taker = find_taker(size, at, bytes));) {
		if (taker->most >= size->rule[at].most)
			return taker->line;
		bytes = taker->most + 1;
	}
	return 0;
}

/* The same of communicators: those before that are for any, or for ranks that lie alike. */
static int size_taken(const struct tmap_rule_collective *collective, int at)
{
	const struct tmap_rule_size *it = &collective->size[at];
	int64_t ranks = it->ranks;

	for (int i = 0; i < at; i++) {
		const struct tmap_rule_size *taker = &collective->size[i];

		if ((taker->spread != TMAP_SPREAD_ANY && taker->spread != it->spread) ||
		    taker->ranks > ranks || taker->most_ranks < ranks)
			continue;
		if (taker->most_ranks >= it->most_ranks)
			return taker->line;
		ranks = taker->most_ranks + 1;
		i = -1; /* again, for those that are left */
	}
	return 0;
}

static int lint_taken(struct tmap_rule_findings *findings, int line, int taker, const char *what,
		      struct tmap_error *err)
{
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_ORDER, line,
		tmap_format(
			err,
			"these %s are never looked up: the first that fit are taken, and all of "
			"theirs are in line %d or before",
			what, taker),
		tmap_strdup("put narrower ranges before wider ones", err), err);
}

static int lint_empty(struct tmap_rule_findings *findings, int line, int64_t from, int64_t to,
		      const char *what, struct tmap_error *err)
{
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_ORDER, line,
		tmap_format(err, "no number is from %" PRId64 " to %" PRId64 ": never taken", from,
			    to),
		tmap_format(err, "the largest %s must be at least the smallest", what), err);
}

/* Sizes between a rule and the next larger one that none is for. */
static int lint_gap(struct tmap_rule_findings *findings, const struct tmap_rule_size *size, int at,
		    struct tmap_error *err)
{
	int64_t next = INT64_MAX, most = size->rule[at].most;

	if (most == INT64_MAX || find_taker(size, size->count, most + 1))
		return 0;
	for (int i = 0; i < size->count; i++)
		if (!size->rule[i].is_void && size->rule[i].bytes > most &&
		    size->rule[i].bytes < next)
			next = size->rule[i].bytes;
	if (next == INT64_MAX)
		return 0;
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_GAP, size->rule[at].line,
		tmap_format(err,
			    "no rule is for %" PRId64 " to %" PRId64
			    " bytes: there the library takes its own choice",
			    most + 1, next - 1),
		tmap_format(err,
			    "msg_size_max is the last size of a rule: write %" PRId64
			    ", or a rule with \"alg\": \"ignore\" between",
			    next - 1),
		err);
}

static int lint_algorithm(struct tmap_rule_findings *findings,
			  const struct tmap_rule_collective_row *row,
			  const struct tmap_rule_size *size, const struct tmap_rule *rule,
			  struct tmap_error *err)
{
	if (!row->later_algorithms && rule->is_void) {
		if (tmap_rule_findings_add_take(
			    findings, TMAP_MISTAKE_ALGORITHM, rule->line,
			    tmap_format(err,
					"coll/tuned has no algorithms of %s: the program crashes "
					"where it reads the rule",
					row->word.name),
			    tmap_strdup("leave the collective out", err), err) < 0)
			return -1;
		findings->finding[findings->count - 1].is_fatal = true;
		return 0;
	}
	if (rule->is_void && rule->algorithm != TMAP_NONE)
		return tmap_rule_findings_add_take(
			findings, TMAP_MISTAKE_ALGORITHM, rule->line,
			tmap_format(err,
				    "%s has no algorithm %" PRId64
				    ": the library passes over the rule",
				    row->word.name, rule->algorithm),
			tmap_format(err, "they are 1 to %d, and 0 for its own choice",
				    row->later_algorithms),
			err);
	if (!row->two_ranks || rule->algorithm != row->two_ranks || size->most_ranks <= 2)
		return 0;
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_TWO_RANKS, rule->line,
		tmap_format(
			err,
			"algorithm %d of %s is for two ranks, and these rules are also for more: "
			"the program ends with an error there",
			row->two_ranks, row->word.name),
		tmap_strdup("write \"comm_size_max\": 2", err), err);
}

static int lint_rule(struct tmap_rule_findings *findings,
		     const struct tmap_rule_collective_row *row, const struct tmap_rule_size *size,
		     int at, struct tmap_error *err)
{
	const struct tmap_rule *rule = &size->rule[at];
	int taker = rule_taken(size, at);

	if (lint_algorithm(findings, row, size, rule, err) < 0)
		return -1;
	if (rule->is_void)
		return 0;
	if (rule->most < rule->bytes)
		return lint_empty(findings, rule->line, rule->bytes, rule->most, "msg_size", err);
	if (taker)
		return lint_taken(findings, rule->line, taker, "bytes", err);
	return lint_gap(findings, size, at, err);
}

static int lint_size(struct tmap_rule_findings *findings,
		     const struct tmap_rule_collective_row *row,
		     const struct tmap_rule_collective *collective, int at,
		     const struct tmap_tune_places *places, struct tmap_error *err)
{
	const struct tmap_rule_size *size = &collective->size[at];
	int taker = size_taken(collective, at), status = 0;

	if (size->most_ranks < size->ranks)
		status = lint_empty(findings, size->line, size->ranks, size->most_ranks,
				    "comm_size", err);
	else if (taker)
		status = lint_taken(findings, size->line, taker, "communicators", err);
	else if (places && size->ranks > places->job->size)
		status = tmap_rule_findings_add_take(
			findings, TMAP_MISTAKE_SIZE, size->line,
			tmap_format(err,
				    "the job has %d ranks, and no communicator of %" PRId64
				    " or more",
				    places->job->size, size->ranks),
			tmap_strdup("these rules are of another job", err), err);
	for (int i = 0; i < size->count && status == 0; i++)
		status = lint_rule(findings, row, size, i, err);
	return status;
}

int tmap_rule_lint_ranges(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
			  const struct tmap_tune_places *places, struct tmap_error *err)
{
	if (lint_oddities(findings, file, err) < 0)
		return -1;
	for (int c = 0; c < file->count; c++) {
		const struct tmap_rule_collective *collective = &file->collective[c];
		const struct tmap_rule_collective_row *row =
			tmap_rule_collective_row(collective->number);

		for (int s = 0; s < collective->count; s++)
			if (lint_size(findings, row, collective, s, places, err) < 0)
				return -1;
	}
	return 0;
}
