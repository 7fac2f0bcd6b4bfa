/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/openmpi_rules.h"

#include "core/tune/rule_collectives.h"
#include "formats/rules/rule_origin.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "rule-file-version-"

struct cursor {
	const char *at;
	int line;        /* of at */
	int number_line; /* of the last number */
};

/* To the next number, or the end. */
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

static int refuse_word(const struct cursor *it, size_t length, struct tmap_error *err)
{
	int shown = length > 40 ? 40 : (int)length;

	if (strncmp(it->at, VERSION, strlen(VERSION)) == 0)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    "'" VERSION "N' is for the first line alone, before all else");
	return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
			    "'%.*s' is no number from 0 on; Open MPI would pass over the "
			    "characters that are none, and comments begin with #",
			    shown, it->at);
}

/* A number from 0 on, which the library needs for @p what. */
static int cursor_number(struct cursor *it, int64_t *number, const char *what,
			 struct tmap_error *err)
{
	size_t length;
	char *end;

	cursor_skip(it);
	length = strcspn(it->at, " \t\r\n\f\v#");
	if (!*it->at)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    "the file ends where %s is expected, so Open MPI ignores it "
				    "without a word",
				    what);
	if (!isdigit((unsigned char)*it->at))
		return refuse_word(it, length, err);
	if (*it->at == '0' && length > 1 && isalnum((unsigned char)it->at[1]))
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    "'%.*s' begins with 0: Open MPI reads an octal or hexadecimal "
				    "number",
				    length > 40 ? 40 : (int)length, it->at);
	errno = 0;
	*number = strtoll(it->at, &end, 10);
	if (end != it->at + length)
		return refuse_word(it, length, err);
	if (errno)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0, "%.*s is too large",
				    length > 40 ? 40 : (int)length, it->at);
	it->at = end;
	it->number_line = it->line;
	return 0;
}

/* Is there a number before the end of the line? */
static bool cursor_has_more(const struct cursor *it)
{
	const char *at = it->at + strspn(it->at, " \t\r\f\v");

	return isdigit((unsigned char)*at) != 0;
}

static int size_parse(struct tmap_rule_size *size, int64_t count, bool has_requests,
		      struct cursor *it, struct tmap_error *err)
{
	for (int64_t i = 0; i < count; i++) {
		struct tmap_rule rule = { .requests = TMAP_NONE };

		if (cursor_number(it, &rule.bytes, "a size of messages", err) < 0)
			return -1;
		rule.line = it->number_line;
		if (cursor_number(it, &rule.algorithm, "an algorithm", err) < 0 ||
		    cursor_number(it, &rule.fan, "a number of children", err) < 0 ||
		    cursor_number(it, &rule.segment, "a segment", err) < 0 ||
		    (has_requests && cursor_has_more(it) &&
		     cursor_number(it, &rule.requests, "a number of requests", err) < 0))
			return -1;
		rule.end = it->number_line;
		if (tmap_rule_size_add(size, &rule, err) < 0)
			return -1;
	}
	return 0;
}

static int collective_parse(struct tmap_rule_collective *collective, int64_t count,
			    bool has_requests, struct cursor *it, struct tmap_error *err)
{
	for (int64_t i = 0; i < count; i++) {
		struct tmap_rule_size *size;
		int64_t ranks, rules;
		int line;

		if (cursor_number(it, &ranks, "a size of communicators", err) < 0)
			return -1;
		line = it->number_line;
		if (cursor_number(it, &rules, "the number of rules", err) < 0 ||
		    !(size = tmap_rule_collective_add(collective, ranks, err)))
			return -1;
		size->line = line;
		size->count_line = it->number_line;
		if (size_parse(size, rules, has_requests, it, err) < 0)
			return -1;
	}
	return 0;
}

static int file_parse(struct tmap_rule_file *file, struct cursor *it, struct tmap_error *err)
{
	int64_t count, number, sizes;

	if (cursor_number(it, &count, "the number of collectives", err) < 0)
		return -1;
	file->count_line = it->number_line;
	for (int64_t i = 0; i < count; i++) {
		struct tmap_rule_collective *collective;
		int line;

		if (cursor_number(it, &number, "a collective", err) < 0)
			return -1;
		line = it->number_line;
		if (!tmap_rule_collective_row(number))
			return tmap_fail_at(err, TMAP_INPUT, line, 0,
					    "there is no collective %" PRId64
					    " (they are 0 to 16), so Open MPI ignores the file "
					    "without a word",
					    number);
		if (cursor_number(it, &sizes, "the number of sizes of communicators", err) < 0 ||
		    !(collective = tmap_rule_file_add(file, number, err)))
			return -1;
		collective->line = line;
		collective->count_line = it->number_line;
		if (collective_parse(collective, sizes, file->version > 1, it, err) < 0)
			return -1;
	}
	cursor_skip(it);
	if (*it->at)
		file->rest_line = it->line;
	return 0;
}

/* The library looks for it at the very beginning. */
static int version_parse(struct tmap_rule_file *file, struct cursor *it, struct tmap_error *err)
{
	file->version = 1;
	if (strncmp(it->at, VERSION, strlen(VERSION)) != 0)
		return 0;
	it->at += strlen(VERSION);
	if (!isdigit((unsigned char)*it->at))
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    "a number is expected behind '" VERSION "'");
	if (cursor_number(it, &file->version, "a version", err) < 0)
		return -1;
	file->version_line = it->number_line;
	if (file->version != 1 && file->version != 2)
		return tmap_fail_at(err, TMAP_INPUT, it->number_line, 0,
				    "version %" PRId64 " is not known: there are 1 and 2",
				    file->version);
	return 0;
}

/* The first rule whose numbers are not in one line, as everybody writes them; NULL: there is none. */
static const struct tmap_rule *find_spread(const struct tmap_rule_file *file, int *count_line)
{
	for (int c = 0; c < file->count; c++)
		for (int s = 0; s < file->collective[c].count; s++) {
			const struct tmap_rule_size *size = &file->collective[c].size[s];

			*count_line = size->count_line;
			for (int i = 0; i < size->count; i++)
				if (size->rule[i].line != size->rule[i].end)
					return &size->rule[i];
		}
	return NULL;
}

/* What cannot be read may have begun to go wrong long before. */
static int explain(const struct tmap_rule_file *file, struct tmap_error *err)
{
	int count_line, line = err->line;
	const struct tmap_rule *rule = find_spread(file, &count_line);

	if (!rule || err->kind != TMAP_INPUT)
		return -1;
	return tmap_fail_at(err, TMAP_INPUT, rule->line, 0,
			    "a rule begins here and ends in line %d, so there are fewer rules than "
			    "line %d announces; all behind is misread, in line %d beyond "
			    "recognition, and Open MPI ignores the file without a word",
			    rule->end, count_line, line);
}

int tmap_openmpi_rules_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err)
{
	struct tmap_rule_file made = { 0 };
	struct cursor it = { .at = text, .line = 1 };

	if (text[strspn(text, " \t\r\n")] == '{')
		return tmap_fail(
			err, TMAP_INPUT,
			"it is a JSON document: Open MPI reads rules in that form from 6.0 "
			"on, before that numbers");
	if (version_parse(&made, &it, err) < 0 || file_parse(&made, &it, err) < 0) {
		explain(&made, err);
		tmap_rule_file_fini(&made);
		return -1;
	}
	tmap_rule_origin_parse(&made.origin, text);
	*file = made;
	return 0;
}
