/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_lint.h"

#include "core/base/mem.h"
#include "core/library/library.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/rule_lint_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword mistakes[] = {
	[TMAP_MISTAKE_VERSION] = { "version",
				   "a line of a version that the library does not read" },
	[TMAP_MISTAKE_COUNT] = { "count", "a number that announces more or fewer than follow" },
	[TMAP_MISTAKE_FIRST] = { "first-size", "rules that do not begin at 0 bytes" },
	[TMAP_MISTAKE_ORDER] = { "order",
				 "sizes that do not rise, and rules that are never taken" },
	[TMAP_MISTAKE_UNIT] = { "unit", "bytes that are not what the library counts" },
	[TMAP_MISTAKE_ALGORITHM] = { "algorithm", "an algorithm that the library lacks" },
	[TMAP_MISTAKE_TWO_RANKS] = { "two-ranks", "an algorithm for two ranks, for more" },
	[TMAP_MISTAKE_SIZE] = { "ranks", "communicators that the job, or its program, has not" },
	[TMAP_MISTAKE_JOB] = { "job", "rules that were made for another library or placement" },
	[TMAP_MISTAKE_END] = { "end", "calls that no algorithm is left for" },
	[TMAP_MISTAKE_MEMBER] = { "member", "a member that the library does not read" },
	[TMAP_MISTAKE_GAP] = { "gap", "sizes between others that no rule is for" },
	[TMAP_MISTAKE_PARAMETER] = { "parameter",
				     "a parameter that an algorithm lacks, or does not read" },
	[TMAP_MISTAKE_SLOWER] = { "slower", "a rule that is slower than the library's own choice" },
	[TMAP_MISTAKES] = { NULL, NULL },
};

const struct tmap_keywords tmap_rule_mistakes = TMAP_KEYWORDS("mistake", mistakes);

/* The largest element that MPI has: a complex long double. */
enum { ELEMENT_MOST = 32 };

void tmap_rule_findings_fini(struct tmap_rule_findings *findings)
{
	for (int i = 0; i < findings->count; i++) {
		free(findings->finding[i].text);
		free(findings->finding[i].fix);
	}
	free(findings->finding);
	*findings = (struct tmap_rule_findings){ 0 };
}

int tmap_rule_findings_add_take(struct tmap_rule_findings *findings, enum tmap_rule_mistake mistake,
				int line, char *text, char *fix, struct tmap_error *err)
{
	if (text && fix &&
	    tmap_grow(&findings->finding, &findings->capacity, (size_t)findings->count + 1,
		      sizeof *findings->finding, err) == 0) {
		findings->finding[findings->count++] = (struct tmap_rule_finding){
			.line = line, .mistake = (int)mistake, .text = text, .fix = fix
		};
		return 0;
	}
	free(text);
	free(fix);
	return -1;
}

/* Everything that a list of rules is looked at with. */
struct lint {
	struct tmap_rule_findings *findings;
	const struct tmap_rule_file *file;
	int library;
	const struct tmap_tune_places *places;
};

static int add(const struct lint *it, enum tmap_rule_mistake mistake, int line, char *text,
	       const char *fix, struct tmap_error *err)
{
	return tmap_rule_findings_add_take(it->findings, mistake, line, text,
					   text ? tmap_strdup(fix, err) : NULL, err);
}

static int lint_version(const struct lint *it, struct tmap_error *err)
{
	bool has_han = tmap_library_takes_han(it->library);

	if (!it->file->version_line || (has_han && it->file->version == 1))
		return 0;
	if (!has_han)
		return add(
			it, TMAP_MISTAKE_VERSION, it->file->version_line,
			tmap_strdup("Open MPI 4 reads no line of a version: it ignores the whole "
				    "file without a word",
				    err),
			"leave the line out, and the fifth number of each rule", err);
	return add(
		it, TMAP_MISTAKE_VERSION, it->file->version_line,
		tmap_strdup("releases before 5.0.7 ignore a file with this line without a word",
			    err),
		"leave the line out, and the fifth number of each rule; or be sure of the release",
		err);
}

/* Of a file of topomap tune: what is best depends on the release, and on where the ranks are. */
static int lint_origin(const struct lint *it, struct tmap_error *err)
{
	const struct tmap_rule_origin *origin = &it->file->origin;
	char digest[TMAP_PLACEMENT_DIGEST_ROOM];

	if (!origin->line)
		return 0;
	if (origin->library != it->library &&
	    tmap_rule_findings_add_take(
		    it->findings, TMAP_MISTAKE_JOB, origin->line,
		    tmap_format(err, "these rules were made for %s, and the library is %s",
				tmap_keywords_at(&tmap_libraries, (size_t)origin->library)->summary,
				tmap_keywords_at(&tmap_libraries, (size_t)it->library)->summary),
		    tmap_format(err, "make others: topomap tune --library %s",
				tmap_keywords_at(&tmap_libraries, (size_t)it->library)->name),
		    err) < 0)
		return -1;
	if (!it->places)
		return 0;
	if (tmap_placement_digest(it->places->job, digest, err) < 0)
		return -1;
	if (strcmp(digest, origin->digest) == 0)
		return 0;
	return add(
		it, TMAP_MISTAKE_JOB, origin->line,
		tmap_strdup("these rules were made for another placement: other nodes, or ranks in "
			    "another order on them",
			    err),
		"topomap tune makes rules for this one", err);
}

static int lint_rest(const struct lint *it, struct tmap_error *err)
{
	if (!it->file->rest_line)
		return 0;
	return add(it, TMAP_MISTAKE_COUNT, it->file->rest_line,
		   tmap_strdup("numbers are behind the last rule, which the library does not read",
			       err),
		   "one of the numbers that announce how many follow is too small", err);
}

/* Rules of four numbers in a line, as everybody writes them: where one is spread, a number before it
 * announces too many. */
static int lint_lines(const struct lint *it, const struct tmap_rule_size *size,
		      const struct tmap_rule *rule, struct tmap_error *err)
{
	if (rule->line == rule->end)
		return 0;
	return tmap_rule_findings_add_take(
		it->findings, TMAP_MISTAKE_COUNT, rule->line,
		tmap_format(err,
			    "a rule begins here and ends in line %d: the %d rules that line %d "
			    "announces are not there, and all that follows is misread",
			    rule->end, size->count, size->count_line),
		tmap_format(err, "write in line %d how many rules follow, each in a line",
			    size->count_line),
		err);
}

static int lint_algorithm(const struct lint *it, const struct tmap_rule_collective_row *row,
			  const struct tmap_rule_collective *collective, int at,
			  const struct tmap_rule *rule, struct tmap_error *err)
{
	bool is_last = at + 1 == collective->count;
	int most = tmap_library_takes_han(it->library) ? row->later_algorithms : row->algorithms;

	if (rule->algorithm > most && !most)
		return add(
			it, TMAP_MISTAKE_ALGORITHM, rule->line,
			tmap_format(err,
				    "coll/tuned has no algorithms of %s, so its rules do nothing",
				    row->word.name),
			"leave the collective out", err);
	if (rule->algorithm > most) {
		if (tmap_rule_findings_add_take(
			    it->findings, TMAP_MISTAKE_ALGORITHM, rule->line,
			    tmap_format(err,
					"%s has no algorithm %" PRId64
					": the program ends with an error",
					row->word.name, rule->algorithm),
			    tmap_format(err, "they are 1 to %d, and 0 for its own choice", most),
			    err) < 0)
			return -1;
		it->findings->finding[it->findings->count - 1].is_fatal = true;
		return 0;
	}
	if (!row->two_ranks || rule->algorithm != row->two_ranks ||
	    (!is_last && collective->size[at + 1].ranks <= 3))
		return 0;
	return tmap_rule_findings_add_take(
		it->findings, TMAP_MISTAKE_TWO_RANKS, rule->line,
		tmap_format(
			err,
			"algorithm %d of %s is for two ranks, and these rules are also for more: "
			"the program ends with an error there",
			row->two_ranks, row->word.name),
		tmap_strdup("let rules for communicators of 3 ranks follow", err), err);
}

/* Is there a call whose bytes are in [from, to), on so many ranks? */
static bool has_call(enum tmap_rule_unit unit, int64_t ranks, int64_t from, int64_t to)
{
	switch (unit) {
	case TMAP_RULE_NOTHING:
		return from == 0;
	case TMAP_RULE_ELEMENT:
		return from <= ELEMENT_MOST * ranks && to > ranks;
	case TMAP_RULE_TOTAL:
		return from <= 0 || (to - 1) / ranks > (from - 1) / ranks;
	default:
		return true;
	}
}

static int lint_reach(const struct lint *it, const struct tmap_rule_collective_row *row,
		      const struct tmap_rule_size *size, int at, struct tmap_error *err)
{
	const struct tmap_rule *rule = &size->rule[at];
	bool is_last = at + 1 == size->count;
	int64_t next = is_last ? INT64_MAX : size->rule[at + 1].bytes;
	int64_t ranks = size->ranks > 1 ? size->ranks : 2;

	if (!is_last && next <= rule->bytes)
		return tmap_rule_findings_add_take(
			it->findings, TMAP_MISTAKE_ORDER, size->rule[at + 1].line,
			tmap_format(
				err,
				"%" PRId64 " bytes stand behind %" PRId64
				": the rule before is never taken, and this one is from %" PRId64
				" bytes on",
				next, rule->bytes, rule->bytes),
			tmap_strdup("sort the rules by bytes, each size once", err), err);
	if (has_call(row->unit, ranks, rule->bytes, next) ||
	    (row->unit == TMAP_RULE_TOTAL && rule->bytes < size->ranks)) /* that is said once */
		return 0;
	return tmap_rule_findings_add_take(
		it->findings, TMAP_MISTAKE_UNIT, rule->line,
		tmap_format(err,
			    "no call of %s on %" PRId64
			    " ranks looks this rule up: its bytes are %s",
			    row->word.name, ranks, tmap_rule_unit_print(row->unit)),
		row->unit == TMAP_RULE_TOTAL ?
			tmap_format(err, "if a block was meant, write %" PRId64 " bytes",
				    rule->bytes <= INT64_MAX / ranks ? ranks * rule->bytes :
								       INT64_MAX) :
			tmap_strdup("leave the rule out: one holds for all sizes", err),
		err);
}

/* Less than a byte of each rank: whoever writes that means blocks. */
static int lint_blocks(const struct lint *it, const struct tmap_rule_collective_row *row,
		       const struct tmap_rule_size *size, struct tmap_error *err)
{
	for (int i = 0; i < size->count && row->unit == TMAP_RULE_TOTAL; i++) {
		const struct tmap_rule *rule = &size->rule[i];

		if (rule->bytes < 1 || rule->bytes >= size->ranks)
			continue;
		return tmap_rule_findings_add_take(
			it->findings, TMAP_MISTAKE_UNIT, rule->line,
			tmap_format(err,
				    "%" PRId64 " bytes are less than one of each of %" PRId64
				    " ranks: the library counts %s",
				    rule->bytes, size->ranks, tmap_rule_unit_print(row->unit)),
			tmap_format(err,
				    "if blocks were meant, multiply the bytes of these rules by "
				    "%" PRId64,
				    size->ranks),
			err);
	}
	return 0;
}

/* Where communicators have the rules of the next larger number: which those of a number are really for. */
static int lint_below(const struct lint *it, const struct tmap_rule_collective *collective, int at,
		      struct tmap_error *err)
{
	int64_t from = at ? collective->size[at - 1].ranks : 0, to = collective->size[at].ranks;
	bool is_last = at + 1 == collective->count;

	if (it->file->lookup != TMAP_LOOKUP_BELOW || collective->count < 2)
		return 0;
	return tmap_rule_findings_add_take(
		it->findings, TMAP_MISTAKE_SIZE, collective->size[at].line,
		is_last ? tmap_format(err,
				      "Open MPI 6 takes these rules from %" PRId64
				      " ranks on, the number before",
				      from) :
			from >= to ?
			  tmap_strdup("Open MPI 6 takes these rules for no communicators", err) :
			  tmap_format(err,
				      "Open MPI 6 takes these rules for %" PRId64 " to %" PRId64
				      " ranks, below their number",
				      from, to - 1),
		tmap_strdup("write a file with ranges: topomap tune does", err), err);
}

/* Do they change anything? */
static bool size_changes(const struct tmap_rule_size *size)
{
	for (int i = 0; i < size->count; i++)
		if (size->rule[i].algorithm)
			return true;
	return false;
}

static int lint_size(const struct lint *it, const struct tmap_rule_collective_row *row,
		     const struct tmap_rule_collective *collective, int at, struct tmap_error *err)
{
	const struct tmap_rule_size *size = &collective->size[at];

	if (at && size->ranks <= collective->size[at - 1].ranks &&
	    tmap_rule_findings_add_take(
		    it->findings, TMAP_MISTAKE_ORDER, size->line,
		    tmap_format(err,
				"communicators of %" PRId64 " ranks stand behind those of %" PRId64,
				size->ranks, collective->size[at - 1].ranks),
		    tmap_strdup("sort them by ranks, each size once", err), err) < 0)
		return -1;
	if (lint_below(it, collective, at, err) < 0)
		return -1;
	if (it->places && size->ranks > it->places->job->size && size_changes(size) &&
	    tmap_rule_findings_add_take(
		    it->findings, TMAP_MISTAKE_SIZE, size->line,
		    tmap_format(err, "the job has %d ranks, and no communicator of %" PRId64,
				it->places->job->size, size->ranks),
		    tmap_strdup("these rules are of another job", err), err) < 0)
		return -1;
	if (size->count && size->rule[0].bytes &&
	    add(it, TMAP_MISTAKE_FIRST, size->rule[0].line,
		tmap_strdup("the first rule is not for 0 bytes: the library ignores the whole file "
			    "without a word",
			    err),
		"begin with a rule for 0 bytes: \"0 0 0 0\" is the library's own choice", err) < 0)
		return -1;
	if (lint_blocks(it, row, size, err) < 0)
		return -1;
	if (tmap_library_is_ucc(it->library))
		return 0; /* what is wrong with words no reader lets pass */
	for (int i = 0; i < size->count; i++)
		if (lint_lines(it, size, &size->rule[i], err) < 0 ||
		    lint_algorithm(it, row, collective, at, &size->rule[i], err) < 0 ||
		    lint_reach(it, row, size, i, err) < 0)
			return -1;
	return 0;
}

/* Of a program all communicators are known: are the rules of a collective that it calls all for others? */
static int lint_program(const struct lint *it, const struct tmap_rule_collective_row *row,
			const struct tmap_rule_collective *collective, struct tmap_error *err)
{
	const struct tmap_tune_places *places = it->places;
	const struct tmap_rule_size *first = NULL;
	int called = 0;

	if (!places || !places->is_program || places->left_out || row->collective == TMAP_NONE)
		return 0;
	for (int s = 0; s < collective->count && !first; s++)
		if (size_changes(&collective->size[s]))
			first = &collective->size[s];
	for (int p = 0; p < places->count && first; p++) {
		const struct tmap_rule_size *size;

		if (!tmap_tune_is_called(&places->place[p], 1,
					 (enum tmap_collective)row->collective))
			continue;
		called = places->place[p]->placement.size;
		size = tmap_rule_collective_find(collective, &places->place[p]->comm);
		if (size && size_changes(size))
			return 0;
	}
	if (!called || first->ranks > places->job->size)
		return 0; /* or that is said */
	return tmap_rule_findings_add_take(
		it->findings, TMAP_MISTAKE_SIZE, first->line,
		tmap_format(err,
			    "the program calls %s on %d ranks, and these rules are for "
			    "communicators of other sizes",
			    row->word.name, called),
		tmap_strdup("make rules of its record", err), err);
}

static int compare_lines(const void *a, const void *b)
{
	const struct tmap_rule_finding *x = a, *y = b;

	return x->line != y->line ? (x->line > y->line) - (x->line < y->line) :
				    (x->mistake > y->mistake) - (x->mistake < y->mistake);
}

void tmap_rule_findings_sort(struct tmap_rule_findings *findings)
{
	if (findings->count)
		qsort(findings->finding, (size_t)findings->count, sizeof *findings->finding,
		      compare_lines);
}

static int lint_collectives(const struct lint *it, struct tmap_error *err)
{
	bool has_ranges = it->file->lookup == TMAP_LOOKUP_RANGES; /* they are judged elsewhere */

	for (int c = 0; c < it->file->count; c++) {
		const struct tmap_rule_collective *collective = &it->file->collective[c];
		const struct tmap_rule_collective_row *row =
			tmap_rule_collective_row(collective->number);

		if (!row)
			continue; /* no reader lets it pass */
		if (tmap_rule_file_find(it->file, collective->number) != collective &&
		    tmap_rule_findings_add_take(
			    it->findings, TMAP_MISTAKE_ORDER, collective->line,
			    tmap_format(err, "%s has rules once more below, which replace these",
					row->word.name),
			    tmap_strdup("write all rules of a collective in one place", err),
			    err) < 0)
			return -1;
		for (int s = 0; s < collective->count && !has_ranges; s++)
			if (lint_size(it, row, collective, s, err) < 0)
				return -1;
		if (lint_program(it, row, collective, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_rule_lint(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
		   int library, const struct tmap_tune_places *places, int64_t most,
		   struct tmap_error *err)
{
	struct tmap_rule_findings made = { 0 };
	const struct lint it = { &made, file, library, places };
	bool is_han = file->lookup == TMAP_LOOKUP_HAN;

	if ((file->lookup == TMAP_LOOKUP_RANGES &&
	     tmap_rule_lint_ranges(&made, file, places, err) < 0) ||
	    lint_version(&it, err) < 0 || lint_origin(&it, err) < 0 || lint_rest(&it, err) < 0 ||
	    (is_han ? tmap_han_lint(&made, file, library, places, err) :
		      lint_collectives(&it, err)) < 0 ||
	    (places && !is_han &&
	     tmap_rule_lint_slower(&made, file, library, places, most, err) < 0)) {
		tmap_rule_findings_fini(&made);
		return -1;
	}
	tmap_rule_findings_sort(&made);
	*findings = made;
	return 0;
}
