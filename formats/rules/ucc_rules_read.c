/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/ucc_rules.h"

#include "core/base/mem.h"
#include "core/library/ucc_algorithms.h"
#include "formats/base/input.h"
#include "formats/rules/rule_origin.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VARIABLE "UCC_TL_UCP_TUNE"

enum {
	RANGES = 64,    /* in a list, at most */
	ENTRIES = 1024, /* each of a collective, of bytes and of ranks */
	HOST = 1 << 0,  /* kinds of memory, a bit each */
	EVERY_MEMORY = (1 << 5) - 1
};

/* A part of the text. */
struct piece {
	const char *at;
	size_t length;
};

struct range {
	int64_t from, to;
};

/* What a rule says, for each of its collectives and of its ranges of bytes and ranks. */
struct token {
	struct piece text;
	struct piece collectives; /* a list; at = NULL: it does not say */
	unsigned memory;          /* kinds, a bit each; 0: it does not say */
	bool has_score, has_bytes, has_ranks;
	int bytes_count, ranks_count;
	struct range bytes[RANGES], ranks[RANGES];
	struct piece algorithm; /* at = NULL: it does not say */
};

struct tokens {
	int count;
	size_t capacity;
	struct token *token;
	int entries; /* of all of them together, at most */
};

/* What holds for bytes from the first to the one behind the last, in communicators of some ranks. */
struct entry {
	const struct tmap_ucc_collective *row;
	unsigned memory; /* kinds for which UCC takes it */
	struct range bytes;
	int64_t algorithm;
	struct piece text;
};

struct entries {
	int count;
	struct entry entry[ENTRIES];
};

/* The next part of *rest that is not empty and ends with @p sign, as strtok_r() has it; at the end an empty
 * one. */
static struct piece piece_cut(struct piece *rest, char sign)
{
	const char *end;
	struct piece made;

	for (; rest->length && *rest->at == sign; rest->length--)
		rest->at++;
	end = memchr(rest->at, sign, rest->length);
	made = (struct piece){ rest->at, end ? (size_t)(end - rest->at) : rest->length };
	rest->at += made.length + (end != NULL);
	rest->length -= made.length + (end != NULL);
	return made;
}

static bool piece_is(const struct piece *piece, const char *word)
{
	return strlen(word) == piece->length && strncasecmp(word, piece->at, piece->length) == 0;
}

/* Digits, and a unit of 1024 where it may have one. */
static bool number_parse(int64_t *number, const struct piece *piece, bool has_unit)
{
	static const char units[] = "kmgt";
	size_t at = 0;
	int64_t made = 0;

	while (at < piece->length && isdigit((unsigned char)piece->at[at]))
		if (__builtin_mul_overflow(made, 10, &made) ||
		    __builtin_add_overflow(made, piece->at[at++] - '0', &made))
			return false;
	if (!at)
		return false;
	if (has_unit && at < piece->length) {
		const char *unit = strchr(units, tolower((unsigned char)piece->at[at]));

		if (unit && *unit) {
			int64_t times = INT64_C(1) << (10 * (unit - units + 1));

			if (__builtin_mul_overflow(made, times, &made))
				return false;
			at++;
		}
		at += at < piece->length && tolower((unsigned char)piece->at[at]) == 'b';
	}
	*number = made;
	return at == piece->length;
}

static bool end_parse(int64_t *number, const struct piece *piece, bool has_unit)
{
	if (!piece_is(piece, "inf"))
		return number_parse(number, piece, has_unit);
	*number = INT64_MAX;
	return true;
}

/* "0-4k,8k-inf". */
static bool bytes_parse(struct token *token, struct piece list)
{
	struct piece range;

	token->bytes_count = 0;
	while ((range = piece_cut(&list, ',')).length) {
		struct piece from = piece_cut(&range, '-'), to = piece_cut(&range, '-');
		struct range *it = &token->bytes[token->bytes_count];

		if (token->bytes_count++ == RANGES || !end_parse(&it->from, &from, true) ||
		    !end_parse(&it->to, &to, true) || piece_cut(&range, '-').length)
			return false;
	}
	token->has_bytes = true;
	return true;
}

/* "[2,4-8,16-inf]"; with a comma behind the last one, UCC finds an empty number before "]". */
static bool ranks_parse(struct token *token, struct piece list)
{
	struct piece range;

	token->ranks_count = 0;
	if (list.length < 3 || list.at[0] != '[' || list.at[list.length - 1] != ']' ||
	    list.at[list.length - 2] == ',')
		return false;
	list.at++;
	list.length -= 2;
	while ((range = piece_cut(&list, ',')).length) {
		struct piece from = piece_cut(&range, '-'), to = piece_cut(&range, '-');
		struct range *it = &token->ranks[token->ranks_count];

		if (token->ranks_count++ == RANGES || !number_parse(&it->from, &from, false))
			return false;
		it->to = it->from;
		if (to.length &&
		    (!end_parse(&it->to, &to, false) || it->to < it->from ||
		     piece_cut(&range, '-').length))
			return false;
	}
	token->has_ranks = true;
	return true;
}

static bool collectives_parse(struct token *token, struct piece list)
{
	struct piece rest = list, name;

	while ((name = piece_cut(&rest, ',')).length)
		if (!tmap_ucc_collective_find(name.at, name.length))
			return false;
	token->collectives = list;
	return true;
}

static bool memory_parse(struct token *token, struct piece list)
{
	static const char *const names[] = { "host", "cuda", "cuda_managed", "rocm",
					     "rocm_managed" };
	unsigned made = 0;
	struct piece name;

	while ((name = piece_cut(&list, ',')).length) {
		size_t i = 0;

		while (i < sizeof names / sizeof *names && !piece_is(&name, names[i]))
			i++;
		if (i == sizeof names / sizeof *names)
			return false;
		made |= 1U << i;
	}
	token->memory = made;
	return true;
}

static bool score_parse(struct token *token, const struct piece *piece)
{
	int64_t ignored;

	token->has_score = end_parse(&ignored, piece, false);
	return token->has_score;
}

/* What a part is: the first that it can be, of those that are not there yet. */
static bool part_parse(struct token *token, struct piece part)
{
	if (!token->collectives.at && collectives_parse(token, part))
		return true;
	if (!token->memory && memory_parse(token, part))
		return true;
	if (!token->has_score && score_parse(token, &part))
		return true;
	if (!token->has_bytes && bytes_parse(token, part))
		return true;
	if (!token->has_ranks && ranks_parse(token, part))
		return true;
	if (token->algorithm.at || *part.at != '@')
		return false;
	token->algorithm = (struct piece){ part.at + 1, part.length - 1 };
	return true;
}

static int shown(const struct piece *piece)
{
	return piece->length > 60 ? 60 : (int)piece->length;
}

/* Its next collective; NULL: there is none. Without a list they are all, and *next counts them. */
static const struct tmap_ucc_collective *token_next(const struct token *token, struct piece *list,
						    int *next)
{
	struct piece name;

	if (!token->collectives.at)
		return tmap_ucc_collective_at((*next)++);
	name = piece_cut(list, ',');
	return name.length ? tmap_ucc_collective_find(name.at, name.length) : NULL;
}

static bool token_is_for(const struct token *token, int64_t ranks)
{
	for (int i = 0; i < token->ranks_count; i++)
		if (token->ranks[i].from <= ranks && ranks <= token->ranks[i].to)
			return true;
	return !token->has_ranks;
}

static int tokens_add(struct tokens *tokens, const struct piece *text, int line,
		      struct tmap_error *err)
{
	struct token token = { .text = *text };
	struct piece rest = *text, part, list;
	int next = 0;

	while ((part = piece_cut(&rest, ':')).length)
		if (!part_parse(&token, part))
			return tmap_fail_at(
				err, TMAP_INPUT, line, 0,
				"'%.*s' in '%.*s' is no collective, bytes (0-4k), "
				"memory, ranks ([2-8]), score or @algorithm, so UCC goes "
				"on without any of these rules",
				shown(&part), part.at, shown(text), text->at);
	if (!token.has_score && !token.algorithm.at)
		return 0; /* nothing is said */
	list = token.collectives;
	while (token_next(&token, &list, &next) && tokens->entries <= ENTRIES)
		tokens->entries += (token.has_bytes ? token.bytes_count : 1) *
			(token.has_ranks ? token.ranks_count : 1);
	if (tokens->entries > ENTRIES)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "there are more than %d collectives, ranges of bytes and of "
				    "ranks together, the most that are read here",
				    ENTRIES);
	if (tmap_grow(&tokens->token, &tokens->capacity, (size_t)tokens->count + 1,
		      sizeof *tokens->token, err) < 0)
		return -1;
	tokens->token[tokens->count++] = token;
	return 0;
}

/* Why UCC does not take a rule: what it says for the last kind of memory, of the last bytes of the last
 * collective, which is all that it looks at. */
struct refusal {
	bool is_empty;        /* there are no bytes */
	struct piece overlap; /* the other one; at = NULL: there is none */
};

/* For each kind of memory where it overlaps none. */
static struct refusal entries_add(struct entries *entries, struct entry entry)
{
	struct refusal made = { .is_empty = entry.bytes.from >= entry.bytes.to };
	unsigned last = EVERY_MEMORY / 2 + 1, taken = 0;

	while (!(last & entry.memory))
		last /= 2;
	if (made.is_empty)
		return made;
	for (int i = 0; i < entries->count; i++) {
		const struct entry *it = &entries->entry[i];

		if (it->row != entry.row || it->bytes.from >= entry.bytes.to ||
		    entry.bytes.from >= it->bytes.to)
			continue;
		taken |= it->memory;
		if (it->memory & last)
			made.overlap = it->text;
	}
	entry.memory &= ~taken;
	if (entry.memory)
		entries->entry[entries->count++] = entry;
	return made;
}

/* Add what a rule says to those before. */
static int token_apply(struct entries *entries, const struct token *token, int line,
		       struct tmap_error *err)
{
	static const struct range all = { 0, INT64_MAX };
	const struct tmap_ucc_collective *row;
	const struct piece *text = &token->text;
	struct piece list = token->collectives;
	struct refusal refusal = { .is_empty = false };
	int next = 0;

	while ((row = token_next(token, &list, &next))) {
		struct entry entry = { .row = row, .text = *text };

		refusal = (struct refusal){ .is_empty = false };
		entry.memory = token->memory ? token->memory : EVERY_MEMORY;
		if (token->algorithm.at)
			entry.algorithm = tmap_ucc_algorithm_find(row, token->algorithm.at,
								  token->algorithm.length);
		if (token->algorithm.at && !entry.algorithm)
			return tmap_fail_at(
				err, TMAP_INPUT, line, 0,
				"'%.*s': %s has no algorithm '%.*s'%s%s, so UCC goes on without "
				"any of these rules",
				shown(text), text->at, row->word.name, shown(&token->algorithm),
				token->algorithm.at, row->algorithms ? "; it has " : "",
				row->algorithms ? row->algorithms : "");
		for (int b = 0; b < (token->has_bytes ? token->bytes_count : 1); b++) {
			entry.bytes = token->has_bytes ? token->bytes[b] : all;
			refusal = entries_add(entries, entry);
		}
	}
	if (refusal.is_empty)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "'%.*s' has no bytes: the second number is the one behind the "
				    "last, and UCC goes on without any of these rules",
				    shown(text), text->at);
	if (refusal.overlap.at)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "'%.*s' and '%.*s' overlap, so UCC goes on without any "
				    "of these rules",
				    shown(&refusal.overlap), refusal.overlap.at, shown(text),
				    text->at);
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->bytes.from > y->bytes.from) - (x->bytes.from < y->bytes.from);
}

/* What those of a collective say of the memory of hosts, by rising bytes. */
static int size_fill(struct tmap_rule_size *size, int64_t number, const struct entries *entries,
		     int line, struct tmap_error *err)
{
	struct tmap_rule rule = { .requests = TMAP_NONE, .line = line, .end = line };
	int64_t end = 0;

	for (int i = 0; i < entries->count; i++) {
		const struct entry *it = &entries->entry[i];

		if (it->row->number != number || !(it->memory & HOST))
			continue;
		rule.bytes = end;
		rule.algorithm = 0;
		if (it->bytes.from > end && tmap_rule_size_add(size, &rule, err) < 0)
			return -1;
		rule.bytes = it->bytes.from;
		rule.algorithm = it->algorithm;
		if (tmap_rule_size_add(size, &rule, err) < 0)
			return -1;
		end = it->bytes.to;
	}
	rule.bytes = end;
	rule.algorithm = 0;
	return end == INT64_MAX ? 0 : tmap_rule_size_add(size, &rule, err);
}

/* The least number of ranks above @p ranks from which on other rules count; INT64_MAX: there is none. */
static int64_t next_ranks(const struct tokens *tokens, int64_t ranks)
{
	int64_t next = INT64_MAX;

	for (int t = 0; t < tokens->count; t++)
		for (int i = 0; i < tokens->token[t].ranks_count; i++) {
			const struct range *it = &tokens->token[t].ranks[i];

			if (it->from > ranks && it->from < next)
				next = it->from;
			if (it->to < INT64_MAX && it->to + 1 > ranks && it->to + 1 < next)
				next = it->to + 1;
		}
	return next;
}

/* The last rules again, where they say what those before do. */
static void repetition_drop(struct tmap_rule_collective *collective)
{
	struct tmap_rule_size *last = &collective->size[collective->count - 1];

	if (collective->count < 2 || last[-1].count != last->count)
		return;
	for (int i = 0; i < last->count; i++)
		if (last[-1].rule[i].bytes != last->rule[i].bytes ||
		    last[-1].rule[i].algorithm != last->rule[i].algorithm)
			return;
	free(last->rule);
	collective->count--;
}

/* One of each that there are rules for, with memory of hosts. */
static int collectives_add(struct tmap_rule_file *file, const struct tokens *tokens, int line,
			   struct tmap_error *err)
{
	bool has[TMAP_RULE_COLLECTIVES] = { false };

	for (int t = 0; t < tokens->count; t++) {
		const struct token *token = &tokens->token[t];
		const struct tmap_ucc_collective *row;
		struct piece list = token->collectives;
		int next = 0;

		if (token->memory && !(token->memory & HOST))
			continue;
		while ((row = token_next(token, &list, &next)))
			if (row->number != TMAP_NONE)
				has[row->number] = true;
	}
	for (int number = 0; number < TMAP_RULE_COLLECTIVES; number++) {
		struct tmap_rule_collective *collective;

		if (!has[number])
			continue;
		collective = tmap_rule_file_add(file, number, err);
		if (!collective)
			return -1;
		collective->line = collective->count_line = line;
	}
	return 0;
}

/* UCC goes through all rules once for each team, and so for each number of ranks. */
static int file_fill(struct tmap_rule_file *file, const struct tokens *tokens,
		     struct entries *entries, int line, struct tmap_error *err)
{
	if (collectives_add(file, tokens, line, err) < 0)
		return -1;
	for (int64_t ranks = 0; ranks < INT64_MAX; ranks = next_ranks(tokens, ranks)) {
		entries->count = 0;
		for (int t = 0; t < tokens->count; t++)
			if (token_is_for(&tokens->token[t], ranks) &&
			    token_apply(entries, &tokens->token[t], line, err) < 0)
				return -1;
		if (entries->count)
			qsort(entries->entry, (size_t)entries->count, sizeof *entries->entry,
			      compare_entries);
		for (int c = 0; c < file->count; c++) {
			struct tmap_rule_collective *collective = &file->collective[c];
			struct tmap_rule_size *size =
				tmap_rule_collective_add(collective, ranks, err);

			if (!size || size_fill(size, collective->number, entries, line, err) < 0)
				return -1;
			size->line = size->count_line = line;
			repetition_drop(collective);
		}
	}
	return 0;
}

static int rules_parse(struct tmap_rule_file *file, struct piece rest, int line,
		       struct tmap_error *err)
{
	struct entries *entries = tmap_alloc(1, sizeof *entries, err);
	struct tokens tokens = { 0 };
	struct piece text;
	int status = entries ? 0 : -1;

	while (status == 0 && (text = piece_cut(&rest, '#')).length)
		status = tokens_add(&tokens, &text, line, err);
	if (status == 0)
		status = file_fill(file, &tokens, entries, line, err);
	free(tokens.token);
	free(entries);
	return status;
}

/* Behind the name of the variable and "=", without blanks around; at = NULL: the line is of something else. */
static struct piece value_of(struct piece line)
{
	const struct piece other = { NULL, 0 };
	const char *end =
		memchr(line.at, ';', line.length); /* a comment, if a blank is before it */

	while (line.length && isspace((unsigned char)*line.at)) {
		line.at++;
		line.length--;
	}
	if (line.length < strlen(VARIABLE) || strncmp(line.at, VARIABLE, strlen(VARIABLE)) != 0)
		return other;
	if (end > line.at && isspace((unsigned char)end[-1]))
		line.length = (size_t)(end - line.at);
	line.at += strlen(VARIABLE);
	line.length -= strlen(VARIABLE);
	while (line.length && isspace((unsigned char)*line.at)) {
		line.at++;
		line.length--;
	}
	if (!line.length || (*line.at != '=' && *line.at != ':'))
		return other;
	do {
		line.at++;
		line.length--;
	} while (line.length && isspace((unsigned char)*line.at));
	while (line.length && isspace((unsigned char)line.at[line.length - 1]))
		line.length--;
	return line;
}

int tmap_ucc_rules_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err)
{
	struct tmap_rule_file made = { .version = 1 };
	struct piece rest = { text, strlen(text) };
	bool is_section = false;
	int found = 0;

	for (int line = 1; rest.length; line++) {
		struct piece its = piece_cut(&rest, '\n'), value = value_of(its);

		is_section |= its.length && *its.at == '[';
		if (!value.at || is_section)
			continue;
		if (its.length > TMAP_UCC_LINE)
			tmap_fail_at(err, TMAP_INPUT, line, 0,
				     "the line has %zu characters, and UCC reads no more than %d",
				     its.length, TMAP_UCC_LINE);
		else if (found)
			tmap_fail_at(err, TMAP_INPUT, line, 0,
				     VARIABLE " is there twice, first in line %d", found);
		if (its.length > TMAP_UCC_LINE || found ||
		    rules_parse(&made, value, line, err) < 0) {
			tmap_rule_file_fini(&made);
			return -1;
		}
		found = line;
	}
	if (!found && !strstr(text, "# " VARIABLE "=\n")) {
		tmap_rule_file_fini(&made);
		return tmap_fail(err, TMAP_INPUT,
				 "there is no line " VARIABLE "=... before the first section");
	}
	tmap_rule_origin_parse(&made.origin, text);
	*file = made;
	return 0;
}

int tmap_ucc_rules_read(struct tmap_rule_file *file, const char *path, struct tmap_error *err)
{
	char *text = NULL;
	int status = tmap_input_read_text(path, TMAP_INPUT_MOST_RULES, &text, err);

	if (status == 0 && (status = tmap_ucc_rules_parse(file, text, err)) < 0)
		tmap_at(err, tmap_input_name(path), 0);
	free(text);
	return status;
}
