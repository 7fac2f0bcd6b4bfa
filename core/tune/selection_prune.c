/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/selection_prune.h"

#include "core/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum answer { UNKNOWN, YES, NO };

/* What is known of the calls that come to a test. */
struct known {
	int64_t least[TMAP_SELECT_PARAMETER + 1], most[TMAP_SELECT_PARAMETER + 1];
	enum answer answer[TMAP_SELECT_PARAMETER + 1];
	bool is_late; /* they were asked something that is not of the communicator */
};

enum passing { NONE_PASSES, SOME_PASS, ALL_PASS };

static bool compares_number(const struct tmap_selection_test *test)
{
	return (test->how == TMAP_SELECT_BELOW || test->how == TMAP_SELECT_UP_TO) &&
		test->subject != TMAP_SELECT_PARAMETER;
}

/* A question with two answers, neither of which has another name. */
static bool asks_answer(const struct tmap_selection_test *test)
{
	return (test->how == TMAP_SELECT_YES || test->how == TMAP_SELECT_NO) &&
		test->subject != TMAP_SELECT_COMM_TYPE && test->subject != TMAP_SELECT_HIERARCHY &&
		test->subject != TMAP_SELECT_PARAMETER;
}

static enum passing known_pass(const struct known *known, const struct tmap_selection_node *node)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	int64_t least = known->least[test->subject], most = known->most[test->subject];
	enum answer answer = known->answer[test->subject];

	if (test->how == TMAP_SELECT_ALWAYS || test->subject == TMAP_SELECT_ALGORITHM)
		return ALL_PASS;
	if (compares_number(test)) {
		int64_t end = tmap_selection_end(node, known->is_late);

		return end <= least ? NONE_PASSES : end > most ? ALL_PASS : SOME_PASS;
	}
	if (asks_answer(test) && answer != UNKNOWN)
		return (answer == YES) == (test->how == TMAP_SELECT_YES) ? ALL_PASS : NONE_PASSES;
	if (test->subject == TMAP_SELECT_RANKS && test->how == TMAP_SELECT_POWER && least == most)
		return (least & (least - 1)) == 0 ? ALL_PASS : NONE_PASSES;
	return SOME_PASS;
}

/* Of those that pass a test, or of those that do not. */
static void known_narrow(struct known *known, const struct tmap_selection_node *node, bool passed)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	int64_t end = tmap_selection_end(node, known->is_late);
	int64_t *least = &known->least[test->subject], *most = &known->most[test->subject];

	if (asks_answer(test))
		known->answer[test->subject] = passed == (test->how == TMAP_SELECT_YES) ? YES : NO;
	else if (compares_number(test) && passed)
		*most = end - 1 < *most ? end - 1 : *most;
	else if (compares_number(test))
		*least = end > *least ? end : *least;
}

/* A test that is kept. Ranks are written so that tests of the call before them, which may be gone, do not
 * matter. */
static int add_test(struct tmap_selection *pruned, int parent,
		    const struct tmap_selection_node *node, enum passing passing, bool is_late,
		    struct tmap_error *err)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	char *text;
	int made;

	if (passing == ALL_PASS &&
	    (compares_number(test) || asks_answer(test) || test->how == TMAP_SELECT_POWER))
		return tmap_selection_add_text(pruned, parent, "comm_size=any", err);
	if (test->subject != TMAP_SELECT_RANKS || test->how != TMAP_SELECT_BELOW)
		return tmap_selection_add(pruned, parent, node, err);
	text = tmap_format(err, "comm_size<=%" PRId64, tmap_selection_end(node, is_late) - 1);
	made = text ? tmap_selection_add_text(pruned, parent, text, err) : -1;
	free(text);
	return made;
}

/* The tests below a node, to which calls come of which so much is known. */
static int prune_level(struct tmap_selection *pruned, int parent,
		       const struct tmap_selection *selection, int from, const struct known *come,
		       struct tmap_error *err)
{
	struct known known = *come;
	bool is_first = true;

	for (int at = selection->node[from].child; at; at = selection->node[at].next) {
		const struct tmap_selection_node *node = &selection->node[at];
		enum tmap_selection_subject subject = tmap_selection_tests[node->test].subject;
		bool is_test = subject < TMAP_SELECT_ALGORITHM;
		struct known passed;
		enum passing passing;
		int below = parent;

		known.is_late |= is_test && tmap_selection_is_of_call(subject);
		passing = known_pass(&known, node);
		if (passing == NONE_PASSES)
			continue;
		if (passing != ALL_PASS || !is_test || !is_first)
			below = add_test(pruned, parent, node, passing, known.is_late, err);
		passed = known;
		known_narrow(&passed, node, true);
		if (below < 0 || prune_level(pruned, below, selection, at, &passed, err) < 0)
			return -1;
		if (passing == ALL_PASS && is_test)
			return 0;
		known_narrow(&known, node, false);
		is_first = false;
	}
	return 0;
}

int tmap_selection_prune(struct tmap_selection *pruned, const struct tmap_selection *selection,
			 struct tmap_error *err)
{
	struct tmap_selection made = { 0 };
	struct known nothing = { .is_late = false };

	for (int i = 0; i <= TMAP_SELECT_PARAMETER; i++)
		nothing.most[i] = INT64_MAX;
	nothing.least[TMAP_SELECT_RANKS] = 1;
	if (selection->count && prune_level(&made, 0, selection, 0, &nothing, err) < 0) {
		tmap_selection_fini(&made);
		return -1;
	}
	*pruned = made;
	return 0;
}
