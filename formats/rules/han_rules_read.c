/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/han_rules.h"

#include "formats/rules/rule_origin.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The library's room for a word; all that is known are shorter. */
enum { WORD_ROOM = 32, SHOWN = 40 };

#define NO_RULES "so coll/han takes none of the rules"

struct cursor {
	const char *at;
	int line;      /* of at */
	int word_line; /* of the last word */
	char word[WORD_ROOM];
};

/* To the next word, or the end. */
static void cursor_skip(struct cursor *it)
{
	for (; *it->at; it->at++) {
		if (*it->at == '#')
			it->at += strcspn(it->at, "\n");
		if (!isspace((unsigned char)*it->at))
			return;
		it->line += *it->at == '\n';
	}
}

static size_t word_length(const struct cursor *it)
{
	return strcspn(it->at, " \t\r\n\f\v");
}

bool tmap_han_rules_are(const char *text)
{
	struct cursor it = { .at = text, .line = 1 };

	for (cursor_skip(&it); *it.at; cursor_skip(&it)) {
		size_t length = word_length(&it);

		for (size_t i = 0; i < TMAP_HAN_COMPONENTS; i++) {
			const char *name = tmap_keywords_at(&tmap_han_components, i)->name;

			if (strlen(name) == length && strncmp(it.at, name, length) == 0)
				return true;
		}
		it.at += length;
	}
	return false;
}

static int refuse(const struct cursor *it, const char *what, struct tmap_error *err)
{
	size_t length = word_length(it);

	return tmap_fail_at(err, TMAP_INPUT, it->line, 0, "'%.*s' is no %s, " NO_RULES,
			    length > SHOWN ? SHOWN : (int)length, it->at, what);
}

/* The next one, which the library needs for @p what. */
static int cursor_word(struct cursor *it, const char *what, struct tmap_error *err)
{
	size_t length;

	cursor_skip(it);
	if (!*it->at)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    "the file ends where a %s is expected, " NO_RULES, what);
	length = word_length(it);
	if (length >= WORD_ROOM)
		return refuse(it, what, err);
	memcpy(it->word, it->at, length);
	it->word[length] = '\0';
	it->word_line = it->line;
	return 0;
}

/* A number from @p least on. */
static int cursor_number(struct cursor *it, int64_t *number, int64_t least, const char *what,
			 struct tmap_error *err)
{
	int64_t found;
	char *end;

	if (cursor_word(it, what, err) < 0)
		return -1;
	if (!isdigit((unsigned char)it->word[0]) ||
	    (it->word[0] == '0' && isalnum((unsigned char)it->word[1])))
		return refuse(it, what, err);
	errno = 0;
	found = strtoll(it->word, &end, 10);
	if (*end && *end != '#' && *end != ']')
		return refuse(it, what, err);
	if (errno || found < least)
		return refuse(it, what, err);
	*number = found;
	it->at += end - it->word;
	return 0;
}

/* Its row of a table, by name or, if @p numbers, by number. */
static int cursor_row(struct cursor *it, int64_t *row, const struct tmap_keywords *words,
		      bool numbers, const char *what, struct tmap_error *err)
{
	struct tmap_error ignored;
	char *end;

	if (cursor_word(it, what, err) < 0)
		return -1;
	*row = tmap_keywords_find(words, it->word, &ignored);
	if (*row == TMAP_NONE && numbers && isdigit((unsigned char)it->word[0])) {
		long number = strtol(it->word, &end, 10);

		if (!*end && number < TMAP_RULE_COLLECTIVES)
			*row = number;
	}
	if (*row == TMAP_NONE)
		return refuse(it, what, err);
	it->at += strlen(it->word);
	return 0;
}

/* What may be behind a component: an algorithm of coll/han, and segments in brackets. */
static int rule_parse_rest(struct tmap_rule *rule, int64_t number, struct cursor *it,
			   struct tmap_error *err)
{
	int64_t segment;

	cursor_skip(it);
	if (*it->at == '@' && rule->algorithm == TMAP_HAN_ITSELF) {
		it->at++;
		if (cursor_word(it, "algorithm of coll/han", err) < 0)
			return -1;
		rule->fan = tmap_han_algorithm_find(number, it->word);
		if (rule->fan == TMAP_NONE)
			return refuse(it, "algorithm of coll/han for this collective", err);
		it->at += strlen(it->word);
		cursor_skip(it);
	}
	if (*it->at != '[')
		return 0;
	it->at++;
	for (cursor_skip(it); *it->at != ']'; cursor_skip(it))
		if (cursor_number(it, &segment, 0, "segment, or ']'", err) < 0)
			return -1;
	it->at++;
	return 0;
}

static int size_parse(struct tmap_rule_size *size, int64_t number, int64_t count, struct cursor *it,
		      struct tmap_error *err)
{
	for (int64_t i = 0; i < count; i++) {
		struct tmap_rule rule = { .requests = TMAP_NONE };

		if (cursor_number(it, &rule.bytes, 0, "number of bytes", err) < 0)
			return -1;
		rule.line = it->word_line;
		if (cursor_row(it, &rule.algorithm, &tmap_han_components, false,
			       "component (self, basic, libnbc, tuned, sm, adapt, han)", err) < 0 ||
		    rule_parse_rest(&rule, number, it, err) < 0)
			return -1;
		rule.end = it->word_line;
		if (tmap_rule_size_add(size, &rule, err) < 0)
			return -1;
	}
	return 0;
}

static int level_parse(struct tmap_rule_collective *level, int64_t count, struct cursor *it,
		       struct tmap_error *err)
{
	for (int64_t i = 0; i < count; i++) {
		struct tmap_rule_size *size;
		int64_t ranks, rules;
		int line;

		if (cursor_number(it, &ranks, 1, "number of ranks", err) < 0)
			return -1;
		line = it->word_line;
		if (cursor_number(it, &rules, 0, "number of rules", err) < 0 ||
		    !(size = tmap_rule_collective_add(level, ranks, err)))
			return -1;
		size->line = line;
		size->count_line = it->word_line;
		if (size_parse(size, level->number, rules, it, err) < 0)
			return -1;
	}
	return 0;
}

static int collective_parse(struct tmap_rule_file *file, struct cursor *it, struct tmap_error *err)
{
	int64_t number, levels, level, sizes;
	int line;

	if (cursor_row(it, &number, &tmap_rule_collectives, true, "collective", err) < 0)
		return -1;
	line = it->word_line;
	if (cursor_number(it, &levels, 0, "number of levels", err) < 0)
		return -1;
	tmap_han_rules_begin(file, number);
	for (int64_t i = 0; i < levels; i++) {
		struct tmap_rule_collective *list;
		struct tmap_rule_collective at = { .line = line };

		if (cursor_row(it, &level, &tmap_han_levels, true, "level (0, 1, 2)", err) < 0)
			return -1;
		if (level >= TMAP_HAN_LEVELS) {
			it->at -= strlen(it->word);
			return refuse(it, "level (0, 1, 2)", err);
		}
		at.level_line = it->word_line;
		at.level_is_word = !isdigit((unsigned char)it->word[0]);
		if (cursor_number(it, &sizes, 0, "number of sizes of communicators", err) < 0 ||
		    !(list = tmap_han_rules_add(file, number, (int)level, err)))
			return -1;
		list->line = at.line;
		list->level_line = at.level_line;
		list->level_is_word = at.level_is_word;
		list->count_line = it->word_line;
		if (level_parse(list, sizes, it, err) < 0)
			return -1;
	}
	return 0;
}

static int file_parse(struct tmap_rule_file *file, struct cursor *it, struct tmap_error *err)
{
	int64_t count;

	if (cursor_number(it, &count, 1, "number of collectives", err) < 0)
		return -1;
	file->count_line = it->word_line;
	for (int64_t i = 0; i < count; i++)
		if (collective_parse(file, it, err) < 0)
			return -1;
	cursor_skip(it);
	if (*it->at)
		file->rest_line = it->line;
	return 0;
}

int tmap_han_rules_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err)
{
	struct tmap_rule_file made = { .version = 1, .lookup = TMAP_LOOKUP_HAN };
	struct cursor it = { .at = text, .line = 1 };

	if (file_parse(&made, &it, err) < 0) {
		tmap_rule_file_fini(&made);
		return -1;
	}
	tmap_rule_origin_parse(&made.origin, text);
	*file = made;
	return 0;
}
