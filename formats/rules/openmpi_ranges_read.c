/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/openmpi_ranges.h"

#include "core/base/mem.h"
#include "core/tune/rule_collectives.h"
#include "formats/base/input.h"
#include "formats/rules/json_cursor.h"
#include "formats/rules/openmpi_names.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/rule_origin.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
	struct tmap_json_cursor at;
	struct tmap_rule_file *file;
	struct tmap_error *err;
};

/* What the members of an object are read into. */
union target {
	struct tmap_rule_file *file;
	struct {
		struct tmap_rule_size *size;
		int64_t collective;
		bool has_rules;
	} size;
	struct {
		struct tmap_rule *rule;
		int64_t collective;
		bool has_algorithm;
	} rule;
};

struct member {
	const char *name;
	int (*read)(struct reader *it, const char *name, union target *to); /* NULL: passed over */
};

static int refuse(struct reader *it, int line, const char *text, const char *name)
{
	return tmap_fail_at(it->err, TMAP_INPUT, line, 0,
			    "%s: %s, so Open MPI ignores the file without a word", name, text);
}

/* The members of an object that the library reads; others are passed over, and kept as odd ones. */
static int object_read(struct reader *it, const struct member *members, const char *what,
		       union target *to)
{
	unsigned seen = 0;

	if (tmap_json_cursor_expect(&it->at, '{', what, it->err) < 0)
		return -1;
	if (tmap_json_cursor_passes(&it->at, '}'))
		return 0;
	do {
		char *name = tmap_json_cursor_string(&it->at, "before a name", it->err);
		int line = it->at.line, row = 0, status = name ? 0 : -1;

		while (name && members[row].name && strcmp(members[row].name, name) != 0)
			row++;
		if (name && seen >> row & 1 && members[row].name)
			status = tmap_fail_at(it->err, TMAP_INPUT, line, 0,
					      "\"%s\" stands here a second time", name);
		if (status == 0)
			status = tmap_json_cursor_expect(&it->at, ':', "behind a name", it->err);
		if (status == 0 && !members[row].name)
			status = tmap_rule_file_add_oddity(it->file, TMAP_ODD_MEMBER, line, name,
							   it->err);
		seen |= 1U << row;
		if (status == 0 && members[row].name && members[row].read)
			status = members[row].read(it, name, to);
		else if (status == 0)
			status = tmap_json_cursor_pass_value(&it->at, it->err);
		free(name);
		if (status < 0)
			return -1;
	} while (tmap_json_cursor_passes(&it->at, ','));
	return tmap_json_cursor_expect(&it->at, '}', "at the end of an object", it->err);
}

/* A number from 0 to @p most, or, where @p endless, INT64_MAX for the word that says so. */
static int number_read(struct reader *it, int64_t *value, const char *name, int64_t most,
		       bool endless)
{
	if (endless && tmap_json_cursor_peek(&it->at) == '"') {
		int line = it->at.line, status = 0;
		char *word = tmap_json_cursor_string(&it->at, "for a number", it->err);

		if (!word)
			return -1;
		*value = INT64_MAX;
		if (strncmp(word, "inf", 3) != 0 && strncmp(word, "Inf", 3) != 0 &&
		    strncmp(word, "INF", 3) != 0)
			status = refuse(it, line, "neither a whole number nor \"inf\"", name);
		free(word);
		return status;
	}
	if (tmap_json_cursor_integer(&it->at, value, name, it->err) < 0)
		return -1;
	if (*value >= 0 && *value <= most)
		return 0;
	return tmap_fail_at(it->err, TMAP_INPUT, it->at.line, 0,
			    "%s: %" PRId64 " is not from 0 to %" PRId64
			    ", and Open MPI would take another number for it",
			    name, *value, most);
}

static int msg_size_min_read(struct reader *it, const char *name, union target *to)
{
	return number_read(it, &to->rule.rule->bytes, name, INT64_MAX, true);
}

static int msg_size_max_read(struct reader *it, const char *name, union target *to)
{
	return number_read(it, &to->rule.rule->most, name, INT64_MAX, true);
}

static int faninout_read(struct reader *it, const char *name, union target *to)
{
	return number_read(it, &to->rule.rule->fan, name, INT_MAX, false);
}

static int seg_size_read(struct reader *it, const char *name, union target *to)
{
	return number_read(it, &to->rule.rule->segment, name, INT64_MAX, false);
}

static int reqs_read(struct reader *it, const char *name, union target *to)
{
	struct tmap_rule *rule = to->rule.rule;

	if (number_read(it, &rule->requests, name, INT_MAX, false) < 0)
		return -1;
	if (rule->requests == 0)
		rule->requests = TMAP_NONE;
	return 0;
}

/* A name or a number: of none of its algorithms the library passes over the rule. */
static int alg_read(struct reader *it, const char *name, union target *to)
{
	struct tmap_rule *rule = to->rule.rule;
	int64_t collective = to->rule.collective;
	int line, status = 0;
	char *word;

	to->rule.has_algorithm = true;
	if (tmap_json_cursor_peek(&it->at) != '"') {
		if (tmap_json_cursor_integer(&it->at, &rule->algorithm, name, it->err) < 0)
			return -1;
		rule->is_void = !tmap_openmpi_algorithm_name(collective, rule->algorithm);
		return 0;
	}
	word = tmap_json_cursor_string(&it->at, "for an algorithm", it->err);
	line = it->at.line;
	if (!word)
		return -1;
	if (!tmap_openmpi_algorithm_find(&rule->algorithm, collective, word)) {
		rule->algorithm = TMAP_NONE;
		rule->is_void = true;
		status = tmap_rule_file_add_oddity(it->file, TMAP_ODD_ALGORITHM, line, word,
						   it->err);
	}
	free(word);
	return status;
}

static int rule_read(struct reader *it, struct tmap_rule_size *size, int64_t collective)
{
	static const struct member members[] = { { "msg_size_min", msg_size_min_read },
						 { "msg_size_max", msg_size_max_read },
						 { "alg", alg_read },
						 { "faninout", faninout_read },
						 { "seg_size", seg_size_read },
						 { "reqs", reqs_read },
						 { "comment", NULL },
						 { NULL, NULL } };
	struct tmap_rule rule = { .most = INT64_MAX, .requests = TMAP_NONE };
	union target to = { .rule = { &rule, collective, false } };

	tmap_json_cursor_peek(&it->at);
	rule.line = it->at.line;
	if (object_read(it, members, "for a rule", &to) < 0)
		return -1;
	rule.end = it->at.line;
	if (!to.rule.has_algorithm &&
	    tmap_rule_file_add_oddity(it->file, TMAP_ODD_NAMELESS, rule.line, "alg", it->err) < 0)
		return -1;
	return tmap_rule_size_add(size, &rule, it->err);
}

static int rules_read(struct reader *it, const char *name, union target *to)
{
	(void)name;
	to->size.has_rules = true;
	if (tmap_json_cursor_expect(&it->at, '[', "for rules", it->err) < 0)
		return -1;
	if (tmap_json_cursor_passes(&it->at, ']'))
		return 0;
	do {
		if (rule_read(it, to->size.size, to->size.collective) < 0)
			return -1;
	} while (tmap_json_cursor_passes(&it->at, ','));
	return tmap_json_cursor_expect(&it->at, ']', "at the end of rules", it->err);
}

/* A range without an end is -1 to the library: @p then is as good. */
static int ranks_read(struct reader *it, int64_t *ranks, const char *name, int64_t then)
{
	if (number_read(it, ranks, name, INT_MAX, true) < 0)
		return -1;
	if (*ranks != INT64_MAX)
		return 0;
	*ranks = then;
	return tmap_rule_file_add_oddity(it->file, TMAP_ODD_ENDLESS, it->at.line, name, it->err);
}

static int comm_size_min_read(struct reader *it, const char *name, union target *to)
{
	return ranks_read(it, &to->size.size->ranks, name, 0);
}

static int comm_size_max_read(struct reader *it, const char *name, union target *to)
{
	return ranks_read(it, &to->size.size->most_ranks, name, 0);
}

static int distribution_read(struct reader *it, const char *name, union target *to)
{
	char *word = tmap_json_cursor_string(&it->at, "for a distribution", it->err);
	int row = 0, status = 0;

	(void)name;
	if (!word)
		return -1;
	while (row < TMAP_SPREADS &&
	       strcmp(tmap_keywords_at(&tmap_rule_spreads, (size_t)row)->name, word) != 0)
		row++;
	if (row < TMAP_SPREADS)
		to->size.size->spread = (enum tmap_rule_spread)row;
	else
		status = tmap_rule_file_add_oddity(it->file, TMAP_ODD_SPREAD, it->at.line, word,
						   it->err);
	free(word);
	return status;
}

static int size_read(struct reader *it, struct tmap_rule_collective *collective)
{
	static const struct member members[] = { { "comm_size_min", comm_size_min_read },
						 { "comm_size_max", comm_size_max_read },
						 { "comm_rank_distribution", distribution_read },
						 { "rules", rules_read },
						 { "comment", NULL },
						 { NULL, NULL } };
	struct tmap_rule_size *size = tmap_rule_collective_add(collective, 0, it->err);
	union target to = { .size = { size, collective->number, false } };

	if (!size)
		return -1;
	tmap_json_cursor_peek(&it->at);
	size->line = size->count_line = it->at.line;
	size->most_ranks = INT64_MAX;
	if (object_read(it, members, "for communicators", &to) < 0)
		return -1;
	return to.size.has_rules ? 0 : refuse(it, size->line, "communicators have none", "rules");
}

/* The row of a name; one that its schema has is explained. */
static int collective_find(struct reader *it, const char *name, int line)
{
	static const struct {
		const char *schema, *name;
	} wrong[] = { { "reducescatter", "reduce_scatter" },
		      { "reducescatterblock", "reduce_scatter_block" } };

	for (int i = 0; i < TMAP_RULE_COLLECTIVES; i++)
		if (strcmp(tmap_rule_collective_row(i)->word.name, name) == 0)
			return i;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		if (strcmp(wrong[i].schema, name) == 0)
			return tmap_fail_at(it->err, TMAP_INPUT, line, 0,
					    "\"%s\" is the name in Open MPI's schema, and its "
					    "reader ignores the whole file by it without a word: "
					    "write \"%s\"",
					    name, wrong[i].name);
	if (strncmp(name, "neighbor_all", strlen("neighbor_all")) == 0)
		return tmap_fail_at(
			it->err, TMAP_INPUT, line, 0,
			"\"%.60s\": coll/tuned has no algorithms of it, and the program "
			"crashes where it reads a rule",
			name);
	return tmap_fail_at(
		it->err, TMAP_INPUT, line, 0,
		"\"%.60s\" is no collective, so Open MPI ignores the file without a word", name);
}

/* "allgather": [...]. */
static int collective_read(struct reader *it)
{
	char *name = tmap_json_cursor_string(&it->at, "before a collective", it->err);
	struct tmap_rule_collective *made;
	int line = it->at.line, number = name ? collective_find(it, name, line) : -1;

	free(name);
	if (number < 0 || tmap_json_cursor_expect(&it->at, ':', "behind a name", it->err) < 0 ||
	    !(made = tmap_rule_file_add(it->file, number, it->err)) ||
	    tmap_json_cursor_expect(&it->at, '[', "for the rules of a collective", it->err) < 0)
		return -1;
	made->line = made->count_line = line;
	if (tmap_json_cursor_passes(&it->at, ']'))
		return 0;
	do {
		if (size_read(it, made) < 0)
			return -1;
	} while (tmap_json_cursor_passes(&it->at, ','));
	return tmap_json_cursor_expect(&it->at, ']', "at the end of a collective", it->err);
}

static int collectives_read(struct reader *it, const char *name, union target *to)
{
	(void)name;
	to->file->count_line = it->at.line;
	if (tmap_json_cursor_expect(&it->at, '{', "for collectives", it->err) < 0)
		return -1;
	if (tmap_json_cursor_passes(&it->at, '}'))
		return 0;
	do {
		if (collective_read(it) < 0)
			return -1;
	} while (tmap_json_cursor_passes(&it->at, ','));
	return tmap_json_cursor_expect(&it->at, '}', "at the end of the collectives", it->err);
}

static int file_read(struct reader *it)
{
	static const struct member members[] = { { "collectives", collectives_read },
						 { "rule_file_version", NULL },
						 { "module", NULL },
						 { "$schema", NULL },
						 { "comment", NULL },
						 { NULL, NULL } };
	union target to = { .file = it->file };

	if (object_read(it, members, "for the file", &to) < 0)
		return -1;
	if (tmap_json_cursor_peek(&it->at))
		return tmap_fail_at(it->err, TMAP_INPUT, it->at.line, 0,
				    "something stands behind the end of the file's object");
	return it->file->count_line ? 0 : refuse(it, 1, "there are none", "collectives");
}

int tmap_openmpi_ranges_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err)
{
	struct tmap_rule_file made = { .version = 3, .lookup = TMAP_LOOKUP_RANGES };
	struct reader it = { { text, 1 }, &made, err };

	if (file_read(&it) < 0) {
		tmap_rule_file_fini(&made);
		return -1;
	}
	tmap_rule_origin_parse(&made.origin, text);
	*file = made;
	return 0;
}

int tmap_openmpi_ranges_read(struct tmap_rule_file *file, const char *path, struct tmap_error *err)
{
	char *text = NULL;
	int status = tmap_input_read_text(path, TMAP_INPUT_MOST_RULES, &text, err);

	if (status < 0)
		return -1;
	if (text[strspn(text, " \t\r\n")] == '{') {
		status = tmap_openmpi_ranges_parse(file, text, err);
	} else {
		status = tmap_openmpi_rules_parse(file, text, err);
		if (status == 0)
			tmap_rule_file_set_lookup(file, TMAP_LOOKUP_BELOW);
	}
	if (status < 0)
		tmap_at(err, tmap_input_name(path), 0);
	free(text);
	return status;
}
