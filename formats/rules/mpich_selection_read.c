/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/mpich_selection.h"

#include "core/base/mem.h"
#include "formats/base/input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No file has more levels than there are things to test, each twice. */
enum { DEPTH_MOST = 64 };

struct cursor {
	const char *at;
	int line;
};

static void cursor_skip(struct cursor *it)
{
	for (; isspace((unsigned char)*it->at); it->at++)
		it->line += *it->at == '\n';
}

/* Past a byte that must be there. */
static int cursor_expect(struct cursor *it, char wanted, const char *where, struct tmap_error *err)
{
	cursor_skip(it);
	if (*it->at == wanted) {
		it->at++;
		return 0;
	}
	return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
			    *it->at ? "'%c' is expected %s: the file is objects in objects, and "
				      "nothing else" :
				      "the file ends where '%c' is expected %s",
			    wanted, where);
}

static bool cursor_passes(struct cursor *it, char wanted)
{
	cursor_skip(it);
	if (*it->at != wanted)
		return false;
	it->at++;
	return true;
}

/* The name of a member, which has no escapes, the caller's to free. */
static char *cursor_name(struct cursor *it, struct tmap_error *err)
{
	int length;
	char *name;

	if (cursor_expect(it, '"', "before the name of a member", err) < 0)
		return NULL;
	length = (int)strcspn(it->at, "\"\\\n");
	if (it->at[length] != '"') {
		tmap_fail_at(err, TMAP_INPUT, it->line, 0,
			     "a name has no end in its line, or a backslash, which no test has");
		return NULL;
	}
	name = tmap_format(err, "%.*s", length, it->at);
	it->at += length + 1;
	return name;
}

/* What may stand below what: collectives first, then tests, an algorithm, and its parameters. */
static int check_level(const struct tmap_selection *selection, int parent,
		       const struct tmap_selection_node *node, const char *name, int line,
		       struct tmap_error *err)
{
	enum tmap_selection_subject subject = tmap_selection_tests[node->test].subject;
	bool is_below_algorithm = parent &&
		tmap_selection_tests[selection->node[parent].test].subject == TMAP_SELECT_ALGORITHM;

	if (!parent != (subject == TMAP_SELECT_COLLECTIVE))
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "'%.60s': the first level has collectives, and no other has",
				    name);
	if (is_below_algorithm != (subject == TMAP_SELECT_PARAMETER))
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "'%.60s': below an algorithm, and only there, are parameters",
				    name);
	if (parent &&
	    tmap_selection_tests[selection->node[parent].test].subject == TMAP_SELECT_PARAMETER)
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "'%.60s' stands below a parameter",
				    name);
	for (int at = selection->count ? selection->node[parent].child : 0; at;
	     at = selection->node[at].next)
		if (selection->node[at].test == node->test &&
		    selection->node[at].value == node->value &&
		    selection->node[at].collective == node->collective)
			return tmap_fail_at(err, TMAP_INPUT, line, 0,
					    "'%.60s' stands in line %d, too: MPICH keeps one of "
					    "them",
					    name, selection->node[at].line);
	return 0;
}

/* A member; its node, or -1. */
static int member_parse(struct tmap_selection *selection, int parent, struct cursor *it,
			struct tmap_error *err)
{
	struct tmap_selection_node node;
	char *name = cursor_name(it, err);
	int line = it->line, made = -1;

	if (!name)
		return -1;
	if (tmap_selection_parse(&node, name, err) < 0) {
		if (err->kind == TMAP_USAGE) /* a word of a table */
			err->kind = TMAP_INPUT;
		if (err->kind == TMAP_INPUT)
			err->line = line;
	} else if (check_level(selection, parent, &node, name, line, err) == 0) {
		node.line = line;
		made = tmap_selection_add(selection, parent, &node, err);
	}
	free(name);
	return made;
}

static int object_parse(struct tmap_selection *selection, int parent, int depth, struct cursor *it,
			struct tmap_error *err)
{
	if (cursor_expect(it, '{', "for an object", err) < 0)
		return -1;
	if (depth > DEPTH_MOST)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0, "more than %d objects in others",
				    (int)DEPTH_MOST);
	if (cursor_passes(it, '}'))
		return 0;
	do {
		int node = member_parse(selection, parent, it, err);

		if (node < 0 || cursor_expect(it, ':', "behind the name of a member", err) < 0 ||
		    object_parse(selection, node, depth + 1, it, err) < 0)
			return -1;
	} while (cursor_passes(it, ','));
	return cursor_expect(it, '}', "at the end of an object", err);
}

int tmap_mpich_selection_parse(struct tmap_selection *selection, const char *text,
			       struct tmap_error *err)
{
	struct tmap_selection made = { 0 };
	struct cursor it = { .at = text, .line = 1 };
	int status = object_parse(&made, 0, 0, &it, err);

	cursor_skip(&it);
	if (status == 0 && *it.at)
		status = tmap_fail_at(err, TMAP_INPUT, it.line, 0,
				      "something stands behind the end of the tree");
	if (status < 0)
		tmap_selection_fini(&made);
	else
		*selection = made;
	return status;
}

int tmap_mpich_selection_read(struct tmap_selection *selection, const char *path,
			      struct tmap_error *err)
{
	char *text = NULL;
	int status = tmap_input_read_text(path, TMAP_INPUT_MOST_RULES, &text, err);

	if (status == 0 && (status = tmap_mpich_selection_parse(selection, text, err)) < 0)
		tmap_at(err, tmap_input_name(path), 0);
	free(text);
	return status;
}
