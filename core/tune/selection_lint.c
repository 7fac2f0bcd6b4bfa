/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/selection_lint.h"

#include "core/base/mem.h"
#include "core/tune/rule_lint_parts.h"
#include "core/tune/selection_tuning.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the calls that come to a level. */
struct calls {
	int collective;
	bool is_intra, is_inter; /* may they be? */
	bool is_power;           /* are the ranks a power of two? */
	bool is_late;            /* were they asked something that is not of the communicator? */
	bool is_parent;          /* do ranks share nodes? */
	int64_t least, most;     /* ranks */
};

struct lint {
	struct tmap_rule_findings *findings;
	const struct tmap_selection *selection;
	int library;
	struct tmap_library_releases releases;
};

/* Of a node; @p what is taken. */
static int add_take(const struct lint *it, enum tmap_rule_mistake mistake, int line, char *what,
		    const char *fix, struct tmap_error *err)
{
	return tmap_rule_findings_add_take(it->findings, mistake, line, what, tmap_strdup(fix, err),
					   err);
}

/* The same of one by which programs end. */
static int add_fatal_take(const struct lint *it, enum tmap_rule_mistake mistake, int line,
			  char *what, const char *fix, struct tmap_error *err)
{
	if (add_take(it, mistake, line, what, fix, err) < 0)
		return -1;
	it->findings->finding[it->findings->count - 1].is_fatal = true;
	return 0;
}

/* "4.1" */
struct release {
	char text[16];
};

static struct release release_text(int release)
{
	struct release made;

	snprintf(made.text, sizeof made.text, "%d.%d", release / 10, release % 10);
	return made;
}

/* A word that only some releases have (0: no bound): these programs end when they start. */
static int lint_release(const struct lint *it, enum tmap_rule_mistake mistake, int line,
			const char *text, int since, int before, const char *fix,
			struct tmap_error *err)
{
	const char *library = tmap_keywords_at(&tmap_libraries, (size_t)it->library)->summary;
	struct release from = release_text(since), end = release_text(before);

	if (before && it->releases.last >= before)
		return add_fatal_take(
			it, mistake, line,
			tmap_format(err,
				    "%s is of MPICH before %s: %s ends the program when it starts",
				    text, end.text, library),
			fix, err);
	if (since > it->releases.last)
		return add_fatal_take(
			it, mistake, line,
			tmap_format(err,
				    "%s is of MPICH from %s on: %s ends the program when it "
				    "starts",
				    text, from.text,
				    it->releases.last == 40 ? "MPICH 4.0" : library),
			fix, err);
	if (since > it->releases.first)
		return add_take(it, mistake, line,
				tmap_format(err,
					    "%s is of MPICH from %s on: releases before it end "
					    "the program when it starts",
					    text, from.text),
				fix, err);
	return 0;
}

static bool has_word(const char *list, const char *word, size_t length)
{
	for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
			return true;
	return false;
}

/* Does this release take so many values of a parameter for another one? */
static bool is_misread(const struct lint *it, const struct tmap_selection_node *parameter)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[parameter->test];

	if (strncmp(test->text, "tree_type=", strlen("tree_type=")) != 0)
		return false;
	return test->how == TMAP_SELECT_UP_TO ? parameter->value && it->releases.last >= 43 :
						test->since > it->releases.first;
}

/* Parameters that an algorithm does not have, or reads otherwise. */
static int lint_parameter(const struct lint *it, const struct tmap_selection_node *parameter,
			  const char *algorithm, const struct tmap_mpich_detail *detail,
			  struct tmap_error *err)
{
	const char *key = tmap_selection_tests[parameter->test].text;
	bool is_topology = strncmp(key, "topo_", 5) == 0, is_known;
	char *text = tmap_selection_print(parameter, err);
	int status = 0;

	if (!text)
		return -1;
	is_known = is_topology ? detail->has_topology && it->releases.last >= 43 :
				 has_word(detail->parameters, key, strcspn(key, "="));
	if (!is_known)
		status = add_take(it, TMAP_MISTAKE_PARAMETER, parameter->line,
				  tmap_format(err, "%s reads no %.*s", algorithm,
					      (int)strcspn(key, "="), key),
				  "leave it out", err);
	else if (is_misread(it, parameter))
		status = add_take(
			it, TMAP_MISTAKE_PARAMETER, parameter->line,
			tmap_format(err, "%s is taken for tree_type=kary by MPICH %s", text,
				    tmap_selection_tests[parameter->test].how == TMAP_SELECT_UP_TO ?
					    "from 4.3 on, which reads words" :
					    "before 4.3, which reads numbers"),
			"write kary, knomial_1, knomial_2 for releases from 4.3 on, and 0, 1, 2 "
			"for others",
			err);
	free(text);
	return status;
}

/* And those that it lacks. */
static int lint_parameters(const struct lint *it, const struct tmap_selection_node *leaf,
			   const char *algorithm, struct tmap_error *err)
{
	const struct tmap_selection_node *node = it->selection->node;
	const struct tmap_mpich_detail *detail =
		tmap_mpich_algorithm_detail(leaf->collective, (int)leaf->value);

	for (int i = leaf->child; i; i = node[i].next)
		if (lint_parameter(it, &node[i], algorithm, detail, err) < 0)
			return -1;
	for (const char *at = detail->parameters; *at;) {
		int length = (int)strcspn(at, " ");
		bool is_there = false;

		for (int i = leaf->child; i; i = node[i].next) {
			const char *key = tmap_selection_tests[node[i].test].text;

			is_there |= strcspn(key, "=") == (size_t)length &&
				strncmp(key, at, (size_t)length) == 0;
		}
		if (!is_there &&
		    add_take(it, TMAP_MISTAKE_PARAMETER, leaf->line,
			     tmap_format(err,
					 "%s has no %.*s below it: MPICH takes what happens to be "
					 "in memory",
					 algorithm, length, at),
			     "write all of its parameters", err) < 0)
			return -1;
		at += length + (at[length] == ' ');
	}
	return 0;
}

/* What does the same in this release; NULL: nothing is known to. The caller's to free. */
static char *release_fix(const struct lint *it, const struct tmap_selection_node *leaf,
			 struct tmap_error *err)
{
	struct tmap_mpich_choice choice =
		tmap_mpich_choice_in(leaf->collective, (int)leaf->value, it->releases.first);
	struct tmap_selection_node other = *leaf;
	char *text, *fix;

	if (choice.algorithm == (int)leaf->value)
		return tmap_strdup("name one that the release has", err);
	other.value = choice.algorithm;
	text = tmap_selection_print(&other, err);
	fix = text ? tmap_format(err, "write %s with %s below it", text,
				 tmap_mpich_choice_parameters(leaf->collective, &choice)) :
		     NULL;
	free(text);
	return fix;
}

static int lint_algorithm_release(const struct lint *it, const struct tmap_selection_node *leaf,
				  const char *algorithm, struct tmap_error *err)
{
	const struct tmap_mpich_detail *detail =
		tmap_mpich_algorithm_detail(leaf->collective, (int)leaf->value);
	char *fix = release_fix(it, leaf, err);
	int status = fix ? lint_release(it, TMAP_MISTAKE_ALGORITHM, leaf->line, algorithm,
					detail->since, detail->before, fix, err) :
			   -1;

	free(fix);
	return status;
}

static bool begins_with(const char *text, const char *word)
{
	return text && strncmp(text, word, strlen(word)) == 0;
}

/* An algorithm for calls that it cannot do. */
static int lint_algorithm(const struct lint *it, const struct tmap_selection_node *node,
			  const struct calls *calls, struct tmap_error *err)
{
	int length, status = 0;
	const char *name = tmap_mpich_algorithm_name(node->collective, (int)node->value, &length);
	const char *wanted = tmap_mpich_collective_at(calls->collective)->word.name;
	bool is_one = calls->least == calls->most && (calls->least & (calls->least - 1)) == 0;
	bool is_smp = length == 9 && begins_with(name, "intra_smp");
	bool has_inter = tmap_mpich_collective_at(calls->collective)->inter != NULL;
	char *text = tmap_selection_print(node, err);

	if (!text)
		return -1;
	if (node->collective != calls->collective)
		status = add_fatal_take(it, TMAP_MISTAKE_ALGORITHM, node->line,
					tmap_format(err,
						    "%s is no algorithm of %s: the program ends",
						    text + strlen("algorithm="), wanted),
					"name one of this collective", err);
	else if (has_inter &&
		 ((calls->is_inter && begins_with(name, "intra_")) ||
		  (calls->is_intra && begins_with(name, "inter_"))))
		status = add_fatal_take(
			it, TMAP_MISTAKE_ALGORITHM, node->line,
			tmap_format(err,
				    "%s is for the other kind of communicators, %s: the "
				    "program ends",
				    text + strlen("algorithm="),
				    begins_with(name, "intra_") ? "comm_type=intra" :
								  "comm_type=inter"),
			"put it below a test of comm_type", err);
	else if (tmap_mpich_algorithm_wants_power(calls->collective, (int)node->value) &&
		 !calls->is_power && !is_one)
		status = add_fatal_take(it, TMAP_MISTAKE_ALGORITHM, node->line,
					tmap_format(err,
						    "%s is for powers of two of ranks only: with "
						    "others the program ends",
						    text + strlen("algorithm=")),
					"put it below comm_size=pow2", err);
	else if (is_smp && strcmp(wanted, "bcast") == 0 && !calls->is_parent)
		status = add_fatal_take(it, TMAP_MISTAKE_ALGORITHM, node->line,
					tmap_format(err,
						    "%s is for communicators with parts on nodes: "
						    "with others the program ends",
						    text + strlen("algorithm=")),
					"put it below comm_hierarchy=parent", err);
	if (status == 0)
		status = lint_algorithm_release(it, node, text + strlen("algorithm="), err);
	if (status == 0)
		status = lint_parameters(it, node, text + strlen("algorithm="), err);
	free(text);
	return status;
}

/* A test that is not defined for the collective, or that no call is left for. */
static int lint_test(const struct lint *it, const struct tmap_selection_node *node,
		     const struct calls *calls, bool is_over, struct tmap_error *err)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	bool has_inter = tmap_mpich_collective_at(calls->collective)->inter != NULL;
	char *text = tmap_selection_print(node, err);
	int status = 0;

	if (!text)
		return -1;
	if (test->how != TMAP_SELECT_ALWAYS &&
	    !tmap_selection_is_defined(calls->collective, test->subject))
		status = add_fatal_take(
			it, TMAP_MISTAKE_UNIT, node->line,
			tmap_format(err, "%s: MPICH cannot ask that of %s: the program ends", text,
				    tmap_mpich_collective_at(calls->collective)->word.name),
			tmap_selection_is_defined(calls->collective, TMAP_SELECT_TOTAL) &&
					test->subject == TMAP_SELECT_BYTES ?
				"compare total_msg_size, the bytes of all ranks" :
				"take the test away",
			err);
	else if (is_over && (has_inter || test->subject != TMAP_SELECT_COMM_TYPE))
		status = add_take(it, TMAP_MISTAKE_ORDER, node->line,
				  tmap_format(err,
					      "no call is left for %s: all have passed a test "
					      "before it",
					      text),
				  "take it away, or put it before that test", err);
	else if (calls->is_late && test->how == TMAP_SELECT_BELOW &&
		 test->subject == TMAP_SELECT_RANKS)
		status = add_take(
			it, TMAP_MISTAKE_UNIT, node->line,
			tmap_format(err,
				    "%s is for %" PRId64
				    " ranks, too: MPICH takes it so behind a test of the call",
				    text, node->value),
			"write comm_size<= and the largest number of ranks that is meant", err);
	else if (test->subject == TMAP_SELECT_HIERARCHY && test->how == TMAP_SELECT_NO &&
		 it->releases.last >= 43)
		status = add_take(it, TMAP_MISTAKE_UNIT, node->line,
				  tmap_format(err,
					      "%s is for all communicators without parts on nodes "
					      "from MPICH 4.3 on",
					      text),
				  "test comm_hierarchy=parent, and end with comm_hierarchy=any",
				  err);
	if (status == 0)
		status = lint_release(it, TMAP_MISTAKE_MEMBER, node->line, text, test->since, 0,
				      "test something that all releases have", err);
	free(text);
	return status;
}

/* What passed or failed so far on a level, by subject. */
struct level {
	bool is_over; /* a test that all pass is behind */
	bool yes[TMAP_SELECT_PARAMETER + 1], no[TMAP_SELECT_PARAMETER + 1];
	int64_t below[TMAP_SELECT_PARAMETER + 1]; /* numbers from here on are left */
	int hierarchies;
};

/* Calls that pass a test, of those that come to it. */
static struct calls calls_pass(const struct calls *calls, const struct level *level,
			       const struct tmap_selection_node *node)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	struct calls made = *calls;

	if (test->subject == TMAP_SELECT_COMM_TYPE) {
		made.is_intra = calls->is_intra && test->how == TMAP_SELECT_YES;
		made.is_inter = calls->is_inter && test->how == TMAP_SELECT_NO;
	}
	if (test->subject == TMAP_SELECT_HIERARCHY && test->how == TMAP_SELECT_YES)
		made.is_parent = true;
	if (test->subject != TMAP_SELECT_RANKS)
		return made;
	if (level->below[TMAP_SELECT_RANKS] > made.least)
		made.least = level->below[TMAP_SELECT_RANKS];
	if (test->how == TMAP_SELECT_POWER)
		made.is_power = true;
	if ((test->how == TMAP_SELECT_UP_TO || test->how == TMAP_SELECT_BELOW) &&
	    tmap_selection_end(node, calls->is_late) - 1 < made.most)
		made.most = tmap_selection_end(node, calls->is_late) - 1;
	return made;
}

/* And the level without them. @p is_one: all but comm_hierarchy=parent are the same. */
static void level_pass(struct level *level, const struct tmap_selection_node *node,
		       const struct calls *calls, bool is_one)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	enum tmap_selection_subject subject = test->subject;
	int64_t end = tmap_selection_end(node, calls->is_late);

	switch (test->how) {
	case TMAP_SELECT_ALWAYS:
	case TMAP_SELECT_NAME:
		level->is_over = true;
		break;
	case TMAP_SELECT_BELOW:
	case TMAP_SELECT_UP_TO:
		if (end > level->below[subject])
			level->below[subject] = end;
		if (subject == TMAP_SELECT_RANKS && end > calls->most)
			level->is_over = true;
		break;
	case TMAP_SELECT_YES:
		level->yes[subject] = true;
		break;
	case TMAP_SELECT_NO:
		level->no[subject] = true;
		break;
	default:
		break;
	}
	if (subject == TMAP_SELECT_HIERARCHY) {
		level->hierarchies++;
		level->is_over |= level->hierarchies == 4 ||
			(is_one && level->yes[subject] && level->no[subject]);
	} else if (subject == TMAP_SELECT_COMM_TYPE) {
		level->is_over |= (level->yes[subject] || !calls->is_intra) &&
			(level->no[subject] || !calls->is_inter);
	} else {
		level->is_over |= level->yes[subject] && level->no[subject];
	}
}

/* Has an earlier test of the level taken all that this one would? */
static bool is_taken(const struct level *level, const struct tmap_selection_node *node,
		     bool is_late)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	int64_t end = tmap_selection_end(node, is_late);

	return level->is_over ||
		((test->how == TMAP_SELECT_BELOW || test->how == TMAP_SELECT_UP_TO) &&
		 end <= level->below[test->subject]);
}

static int lint_level(const struct lint *it, int parent, const struct calls *come,
		      struct tmap_error *err)
{
	struct calls calls = *come;
	const struct tmap_selection_node *node = it->selection->node;
	struct level level = { 0 };

	for (int at = node[parent].child; at; at = node[at].next) {
		enum tmap_selection_subject subject = tmap_selection_tests[node[at].test].subject;
		bool is_leaf = subject == TMAP_SELECT_ALGORITHM;
		struct calls passed;

		calls.is_late |= tmap_selection_is_of_call(subject);
		passed = calls_pass(&calls, &level, &node[at]);
		if (lint_test(it, &node[at], &calls, is_taken(&level, &node[at], calls.is_late),
			      err) < 0 ||
		    (is_leaf ? lint_algorithm(it, &node[at], &passed, err) :
			       lint_level(it, at, &passed, err)) < 0)
			return -1;
		level_pass(&level, &node[at], &calls, it->releases.first >= 43);
	}
	if (level.is_over)
		return 0;
	return add_fatal_take(
		it, TMAP_MISTAKE_END, node[parent].line,
		tmap_format(err, "%s",
			    node[parent].child ?
				    "calls that pass none of the tests below have no "
				    "algorithm: the program ends" :
				    "there is nothing below: these calls have no algorithm, "
				    "and the program ends"),
		node[parent].child ? "end with a test that all pass: comm_size=any" :
				     "name an algorithm",
		err);
}

/* MPICH has no other rules for what a file does not have. */
static int lint_collective(const struct lint *it, int row, struct tmap_error *err)
{
	const struct tmap_selection_node *node = it->selection->node;
	const struct tmap_mpich_collective *collective = tmap_mpich_collective_at(row);
	const struct calls calls = { .collective = row,
				     .is_intra = true,
				     .is_inter = collective->inter != NULL,
				     .least = 1,
				     .most = INT_MAX };

	for (int at = it->selection->count ? node[0].child : 0; at; at = node[at].next)
		if (node[at].value == row)
			return lint_level(it, at, &calls, err);
	return add_fatal_take(
		it, TMAP_MISTAKE_END, 1,
		tmap_format(err, "the file has no collective=%s: a program that calls it ends",
			    collective->word.name),
		"begin with a file of topomap tune, which has all collectives", err);
}

int tmap_selection_lint(struct tmap_rule_findings *findings, const struct tmap_selection *selection,
			int library, const struct tmap_tune_places *places, int64_t most,
			struct tmap_error *err)
{
	struct tmap_rule_findings made = { 0 };
	const struct lint it = { &made, selection, library, tmap_library_releases(library) };
	struct tmap_rule_file rules = { 0 };
	int status = 0;

	for (int row = 0; tmap_mpich_collective_at(row) && status == 0; row++)
		status = lint_collective(&it, row, err);
	if (status == 0 && places)
		status = tmap_selection_rules(&rules, selection, library, places, most, err);
	if (status == 0 && places)
		status = tmap_rule_lint_slower(&made, &rules, library, places, most, err);
	tmap_rule_file_fini(&rules);
	if (status < 0) {
		tmap_rule_findings_fini(&made);
		return -1;
	}
	tmap_rule_findings_sort(&made);
	*findings = made;
	return 0;
}
