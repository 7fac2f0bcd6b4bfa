/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_lint_parts.h"

#include "core/base/mem.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/rule_cover.h"

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

static const struct tmap_rule_span none = { 0, -1 };

/* Which rule takes which bytes. */
static int cover_bytes(struct tmap_rule_cover *cover, const struct tmap_rule_size *size,
		       struct tmap_error *err)
{
	struct tmap_rule_span *span = tmap_alloc((size_t)size->count, sizeof *span, err);
	int status = -1;

	for (int i = 0; span && i < size->count; i++)
		span[i] = size->rule[i].is_void ?
			none :
			(struct tmap_rule_span){ size->rule[i].bytes, size->rule[i].most };
	if (span)
		status = tmap_rule_cover_init(cover, span, size->count, err);
	free(span);
	return status;
}

/* Which rules take which communicators of ranks that lie so: those for these, and those for any. */
static int cover_ranks(struct tmap_rule_cover *cover, const struct tmap_rule_collective *collective,
		       enum tmap_rule_spread spread, struct tmap_error *err)
{
	struct tmap_rule_span *span = tmap_alloc((size_t)collective->count, sizeof *span, err);
	int status = -1;

	for (int i = 0; span && i < collective->count; i++) {
		const struct tmap_rule_size *it = &collective->size[i];

		span[i] = it->spread != TMAP_SPREAD_ANY && it->spread != spread ?
			none :
			(struct tmap_rule_span){ it->ranks, it->most_ranks };
	}
	if (span)
		status = tmap_rule_cover_init(cover, span, collective->count, err);
	free(span);
	return status;
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
static int lint_gap(struct tmap_rule_findings *findings, const struct tmap_rule *rule,
		    const struct tmap_rule_cover *cover, struct tmap_error *err)
{
	int64_t most = rule->most, next = tmap_rule_cover_next(cover, most);

	if (next == INT64_MAX || next == most + 1)
		return 0;
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_GAP, rule->line,
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
		     int at, const struct tmap_rule_cover *cover, struct tmap_error *err)
{
	const struct tmap_rule *rule = &size->rule[at];
	int last;

	if (lint_algorithm(findings, row, size, rule, err) < 0)
		return -1;
	if (rule->is_void)
		return 0;
	if (rule->most < rule->bytes)
		return lint_empty(findings, rule->line, rule->bytes, rule->most, "msg_size", err);
	last = tmap_rule_cover_last(cover, &(struct tmap_rule_span){ rule->bytes, rule->most });
	if (last != at)
		return lint_taken(findings, rule->line, size->rule[last].line, "bytes", err);
	return lint_gap(findings, rule, cover, err);
}

static int lint_rules(struct tmap_rule_findings *findings,
		      const struct tmap_rule_collective_row *row, const struct tmap_rule_size *size,
		      struct tmap_error *err)
{
	struct tmap_rule_cover cover;
	int status = cover_bytes(&cover, size, err);

	if (status < 0)
		return -1;
	for (int i = 0; i < size->count && status == 0; i++)
		status = lint_rule(findings, row, size, i, &cover, err);
	tmap_rule_cover_fini(&cover);
	return status;
}

static int lint_ranks(struct tmap_rule_findings *findings,
		      const struct tmap_rule_collective *collective, int at,
		      const struct tmap_rule_cover *cover, const struct tmap_tune_places *places,
		      struct tmap_error *err)
{
	const struct tmap_rule_size *size = &collective->size[at];
	int last;

	if (size->most_ranks < size->ranks)
		return lint_empty(findings, size->line, size->ranks, size->most_ranks, "comm_size",
				  err);
	last = tmap_rule_cover_last(cover,
				    &(struct tmap_rule_span){ size->ranks, size->most_ranks });
	if (last != at)
		return lint_taken(findings, size->line, collective->size[last].line,
				  "communicators", err);
	if (!places || size->ranks <= places->job->size)
		return 0;
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_SIZE, size->line,
		tmap_format(err, "the job has %d ranks, and no communicator of %" PRId64 " or more",
			    places->job->size, size->ranks),
		tmap_strdup("these rules are of another job", err), err);
}

static int lint_collective(struct tmap_rule_findings *findings,
			   const struct tmap_rule_collective *collective,
			   const struct tmap_tune_places *places, struct tmap_error *err)
{
	const struct tmap_rule_collective_row *row = tmap_rule_collective_row(collective->number);
	struct tmap_rule_cover cover[TMAP_SPREADS] = { { .count = 0 } };
	int status = 0;

	for (int i = 0; i < TMAP_SPREADS && status == 0; i++)
		status = cover_ranks(&cover[i], collective, (enum tmap_rule_spread)i, err);
	for (int i = 0; i < collective->count && status == 0; i++) {
		const struct tmap_rule_size *size = &collective->size[i];

		status = lint_ranks(findings, collective, i, &cover[size->spread], places, err);
		if (status == 0)
			status = lint_rules(findings, row, size, err);
	}
	for (int i = 0; i < TMAP_SPREADS; i++)
		tmap_rule_cover_fini(&cover[i]);
	return status;
}

int tmap_rule_lint_ranges(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
			  const struct tmap_tune_places *places, struct tmap_error *err)
{
	if (lint_oddities(findings, file, err) < 0)
		return -1;
	for (int c = 0; c < file->count; c++)
		if (lint_collective(findings, &file->collective[c], places, err) < 0)
			return -1;
	return 0;
}
