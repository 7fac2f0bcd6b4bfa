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
	RANGES = 64,   /* in a list, at most */
	ENTRIES = 1024 /* each of a collective, of bytes and of ranks */
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
	uint64_t collectives; /* rows of UCC's; 0: it does not say */
	bool has_memory, has_host;
	bool has_score;
	int bytes_count, ranks_count; /* 0: it does not say */
	struct range bytes[RANGES], ranks[RANGES];
	struct piece algorithm; /* at = NULL: it does not say */
};

/* One of them, of a collective that MPI has: bytes from the first to the one behind the last. */
struct entry {
	int64_t number;
	struct range ranks, bytes;
	int64_t algorithm;
	struct piece text;
};

struct entries {
	int count;
	size_t capacity;
	struct entry *entry;
};

/* The next part of *rest that ends with @p sign. */
static struct piece piece_cut(struct piece *rest, char sign)
{
	const char *end = memchr(rest->at, sign, rest->length);
	struct piece made = { rest->at, end ? (size_t)(end - rest->at) : rest->length };

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
	int count = 0;

	while (list.length && count < RANGES) {
		struct piece end = piece_cut(&list, ','), from = piece_cut(&end, '-');

		if (!number_parse(&token->bytes[count].from, &from, true) ||
		    !end_parse(&token->bytes[count].to, &end, true))
			return false;
		count++;
	}
	if (!count || list.length)
		return false;
	token->bytes_count = count;
	return true;
}

/* "[2,4-8,16-inf]". */
static bool ranks_parse(struct token *token, struct piece list)
{
	int count = 0;

	if (list.length < 3 || list.at[0] != '[' || list.at[list.length - 1] != ']')
		return false;
	list.at++;
	list.length -= 2;
	while (list.length && count < RANGES) {
		struct piece end = piece_cut(&list, ',');
		bool is_range = memchr(end.at, '-', end.length) != NULL;
		struct piece from = piece_cut(&end, '-');
		struct range *it = &token->ranks[count++];

		if (!number_parse(&it->from, &from, false))
			return false;
		it->to = it->from;
		if (is_range && (!end_parse(&it->to, &end, false) || it->to < it->from))
			return false;
	}
	if (!count || list.length)
		return false;
	token->ranks_count = count;
	return true;
}

static bool collectives_parse(struct token *token, struct piece list)
{
	uint64_t made = 0;

	while (list.length) {
		struct piece name = piece_cut(&list, ',');
		const struct tmap_ucc_collective *row =
			tmap_ucc_collective_find(name.at, name.length);

		if (!row)
			return false;
		made |= UINT64_C(1) << (row - tmap_ucc_collective_at(0));
	}
	token->collectives = made;
	return made != 0;
}

static bool memory_parse(struct token *token, struct piece list)
{
	static const char *const names[] = { "host", "cuda", "cuda_managed", "rocm",
					     "rocm_managed" };
	bool has_host = false, has_any = false;

	while (list.length) {
		struct piece name = piece_cut(&list, ',');
		size_t i = 0;

		while (i < sizeof names / sizeof *names && !piece_is(&name, names[i]))
			i++;
		if (i == sizeof names / sizeof *names)
			return false;
		has_any = true;
		has_host |= i == 0;
	}
	token->has_memory = has_any;
	token->has_host = has_host;
	return has_any;
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
	if (!token->collectives && collectives_parse(token, part))
		return true;
	if (!token->has_memory && memory_parse(token, part))
		return true;
	if (!token->has_score && score_parse(token, &part))
		return true;
	if (!token->bytes_count && bytes_parse(token, part))
		return true;
	if (!token->ranks_count && ranks_parse(token, part))
		return true;
	if (token->algorithm.at || part.length < 2 || *part.at != '@')
		return false;
	token->algorithm = (struct piece){ part.at + 1, part.length - 1 };
	return true;
}

static int shown(const struct piece *piece)
{
	return piece->length > 60 ? 60 : (int)piece->length;
}

static bool overlaps(const struct range *a, const struct range *b, bool is_closed)
{
	return is_closed ? a->from <= b->to && b->from <= a->to :
			   a->from < b->to && b->from < a->to;
}

static int entries_add(struct entries *entries, const struct entry *entry, int line,
		       struct tmap_error *err)
{
	if (entry->bytes.from >= entry->bytes.to)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "'%.*s' has no bytes: the second number is the one behind the "
				    "last, and UCC goes on without any of these rules",
				    shown(&entry->text), entry->text.at);
	for (int i = 0; i < entries->count; i++) {
		const struct entry *it = &entries->entry[i];

		if (it->number == entry->number && overlaps(&it->ranks, &entry->ranks, true) &&
		    overlaps(&it->bytes, &entry->bytes, false))
			return tmap_fail_at(err, TMAP_INPUT, line, 0,
					    "'%.*s' and '%.*s' overlap, so UCC goes on without any "
					    "of these rules",
					    shown(&it->text), it->text.at, shown(&entry->text),
					    entry->text.at);
	}
	if (entries->count == ENTRIES)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "there are more than %d collectives, ranges of bytes and of "
				    "ranks together, the most that are read here",
				    ENTRIES);
	if (tmap_grow(&entries->entry, &entries->capacity, (size_t)entries->count + 1,
		      sizeof *entries->entry, err) < 0)
		return -1;
	entries->entry[entries->count++] = *entry;
	return 0;
}

/* All that a rule says of one collective. */
static int collective_add(struct entries *entries, const struct token *token,
			  const struct tmap_ucc_collective *row, const struct piece *text, int line,
			  struct tmap_error *err)
{
	static const struct range all_bytes = { 0, INT64_MAX }, all_ranks = { 0, INT64_MAX };
	struct entry entry = { .number = row->number, .text = *text };

	if (token->algorithm.at)
		entry.algorithm =
			tmap_ucc_algorithm_find(row, token->algorithm.at, token->algorithm.length);
	if (token->algorithm.at && !entry.algorithm)
		return tmap_fail_at(
			err, TMAP_INPUT, line, 0,
			"'%.*s': %s has no algorithm '%.*s'%s%s, so UCC goes on without "
			"any of these rules",
			shown(text), text->at, row->word.name, shown(&token->algorithm),
			token->algorithm.at, row->algorithms ? "; it has " : "",
			row->algorithms ? row->algorithms : "");
	if (row->number == TMAP_NONE || (token->has_memory && !token->has_host))
		return 0;
	for (int b = 0; b < (token->bytes_count ? token->bytes_count : 1); b++)
		for (int r = 0; r < (token->ranks_count ? token->ranks_count : 1); r++) {
			entry.bytes = token->bytes_count ? token->bytes[b] : all_bytes;
			entry.ranks = token->ranks_count ? token->ranks[r] : all_ranks;
			if (entries_add(entries, &entry, line, err) < 0)
				return -1;
		}
	return 0;
}

static int token_add(struct entries *entries, const struct piece *text, int line,
		     struct tmap_error *err)
{
	struct token token = { .collectives = 0 };
	struct piece rest = *text;

	while (rest.length) {
		struct piece part = piece_cut(&rest, ':');

		if (!part_parse(&token, part))
			return tmap_fail_at(
				err, TMAP_INPUT, line, 0,
				"'%.*s' in '%.*s' is no collective, bytes (0-4k), "
				"memory, ranks ([2-8]), score or @algorithm, so UCC goes "
				"on without any of these rules",
				shown(&part), part.at, shown(text), text->at);
	}
	if (!token.has_score && !token.algorithm.at)
		return 0; /* nothing is said */
	for (int i = 0; tmap_ucc_collective_at(i); i++)
		if ((!token.collectives || token.collectives >> i & 1) &&
		    collective_add(entries, &token, tmap_ucc_collective_at(i), text, line, err) < 0)
			return -1;
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->number != y->number ?
		(x->number > y->number) - (x->number < y->number) :
		(x->bytes.from > y->bytes.from) - (x->bytes.from < y->bytes.from);
}

/* Rules for communicators of so many ranks, of entries whose bytes rise. */
static int size_fill(struct tmap_rule_size *size, const struct entry *entry, int count, int line,
		     struct tmap_error *err)
{
	struct tmap_rule rule = { .requests = TMAP_NONE, .line = line, .end = line };
	int64_t end = 0;

	for (int i = 0; i < count; i++) {
		if (size->ranks < entry[i].ranks.from || size->ranks > entry[i].ranks.to)
			continue;
		rule.bytes = end;
		rule.algorithm = 0;
		if (entry[i].bytes.from > end && tmap_rule_size_add(size, &rule, err) < 0)
			return -1;
		rule.bytes = entry[i].bytes.from;
		rule.algorithm = entry[i].algorithm;
		if (tmap_rule_size_add(size, &rule, err) < 0)
			return -1;
		end = entry[i].bytes.to;
	}
	rule.bytes = end;
	rule.algorithm = 0;
	return end == INT64_MAX ? 0 : tmap_rule_size_add(size, &rule, err);
}

/* The least number of ranks above @p ranks from which on other entries count; INT64_MAX: there is none. */
static int64_t next_ranks(const struct entry *entry, int count, int64_t ranks)
{
	int64_t next = INT64_MAX;

	for (int i = 0; i < count; i++) {
		const struct range *it = &entry[i].ranks;

		if (it->from > ranks && it->from < next)
			next = it->from;
		if (it->to < INT64_MAX && it->to + 1 > ranks && it->to + 1 < next)
			next = it->to + 1;
	}
	return next;
}

static int file_fill(struct tmap_rule_file *file, const struct entries *entries, int line,
		     struct tmap_error *err)
{
	for (int i = 0, count; i < entries->count; i += count) {
		const struct entry *entry = &entries->entry[i];
		struct tmap_rule_collective *collective =
			tmap_rule_file_add(file, entry->number, err);

		count = 1;
		while (i + count < entries->count && entry[count].number == entry->number)
			count++;
		if (!collective)
			return -1;
		collective->line = collective->count_line = line;
		for (int64_t ranks = 0; ranks < INT64_MAX;
		     ranks = next_ranks(entry, count, ranks)) {
			struct tmap_rule_size *size =
				tmap_rule_collective_add(collective, ranks, err);

			if (!size || size_fill(size, entry, count, line, err) < 0)
				return -1;
			size->line = size->count_line = line;
		}
	}
	return 0;
}

static int rules_parse(struct tmap_rule_file *file, struct piece rest, int line,
		       struct tmap_error *err)
{
	struct entries entries = { 0 };
	int status = 0;

	while (rest.length && status == 0) {
		struct piece text = piece_cut(&rest, '#');

		if (text.length)
			status = token_add(&entries, &text, line, err);
	}
	if (entries.count && status == 0)
		qsort(entries.entry, (size_t)entries.count, sizeof *entries.entry, compare_entries);
	if (status == 0)
		status = file_fill(file, &entries, line, err);
	free(entries.entry);
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
