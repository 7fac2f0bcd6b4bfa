/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/rankfile_lex.h"

#include "core/base/mem.h"
#include "formats/launchers/common/hosts.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define WORD_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-,;:*@.+"

/* A part of the text: not terminated. */
struct piece {
	const char *text;
	size_t length;
	const char *from; /* the beginning of the entry that it is a part of */
};

struct cursor {
	const char *at;
	int line;
};

static bool is(const struct piece *piece, const char *word)
{
	return strlen(word) == piece->length && memcmp(piece->text, word, piece->length) == 0;
}

static int note_options(struct tmap_slot_rules *rules, const char *comment, size_t length,
			struct tmap_error *err)
{
	char *text = tmap_strndup(comment, length, err);

	if (!text)
		return -1;
	if (strstr(text, "hwloc_base_use_hwthreads_as_cpus 1") ||
	    strstr(text, "--use-hwthread-cpus"))
		rules->hwthreads = true;
	if (strstr(text, "rmaps_rank_file_physical 1"))
		rules->physical = true;
	free(text);
	return 0;
}

static int skip_line_comment(struct cursor *in, struct tmap_slot_rules *rules,
			     struct tmap_error *err)
{
	size_t length = strcspn(in->at, "\n");

	if (in->at[length] == '\0') {
		tmap_fail(err, TMAP_INPUT,
			  "the file ends in a comment: Open MPI needs a newline there");
		return tmap_unfinished(err);
	}
	if (note_options(rules, in->at, length, err) < 0)
		return -1;
	in->at += length + 1;
	in->line++;
	return 0;
}

static int skip_block_comment(struct cursor *in, struct tmap_error *err)
{
	const char *end = strstr(in->at + 2, "*/");

	if (!end) {
		tmap_fail(err, TMAP_INPUT, "the comment that begins here does not end");
		return tmap_unfinished(err);
	}
	for (; in->at < end; in->at++)
		in->line += *in->at == '\n';
	in->at += 2;
	return 0;
}

/* Takes the text up to a newline or a comment: both end an entry. */
static int take_piece(struct cursor *in, struct tmap_slot_rules *rules, struct piece *piece,
		      struct tmap_error *err)
{
	piece->text = piece->from = in->at;
	for (;; in->at++) {
		in->at += strcspn(in->at, "\n#/");
		if (*in->at != '/' || in->at[1] == '/' || in->at[1] == '*')
			break;
	}
	piece->length = (size_t)(in->at - piece->text);
	if (*in->at == '/' && in->at[1] == '*')
		return skip_block_comment(in, err);
	if (*in->at == '#' || *in->at == '/')
		return skip_line_comment(in, rules, err);
	in->line += *in->at == '\n';
	in->at += *in->at == '\n';
	return 0;
}

/* Takes the next word off the piece, or one character that belongs to no word; an empty
 * token at its end. */
static struct piece take_token(struct piece *rest)
{
	struct piece token;

	while (rest->length && strchr(" \t\f\v", *rest->text)) {
		rest->text++;
		rest->length--;
	}
	token = (struct piece){ .text = rest->text, .from = rest->from };
	while (token.length < rest->length && strchr(WORD_CHARS, token.text[token.length]))
		token.length++;
	token.length += token.length == 0 && rest->length > 0;
	rest->text += token.length;
	rest->length -= token.length;
	return token;
}

/* The column is that in the entry. */
static int refuse(const struct piece *token, const char *wanted, struct tmap_error *err)
{
	int column = (int)(token->text - token->from) + 1;

	if (token->length == 0)
		return tmap_fail_at(err, TMAP_INPUT, 0, column,
				    "the line ends where %s is expected", wanted);
	if (*token->text == '\r')
		return tmap_fail_at(err, TMAP_INPUT, 0, column,
				    "a carriage return: Open MPI refuses DOS line ends");
	if (*token->text == '"')
		return tmap_fail_at(err, TMAP_INPUT, 0, column,
				    "quoted strings have no place in a rankfile");
	if (!isprint((unsigned char)*token->text))
		return tmap_fail_at(err, TMAP_INPUT, 0, column, "byte 0x%02x where %s is expected",
				    (unsigned char)*token->text, wanted);
	return tmap_fail_at(err, TMAP_INPUT, 0, column, "'%.*s' where %s is expected",
			    (int)token->length, token->text, wanted);
}

/* The column of @p at in its line, from 1. */
static int column_of(const char *at, const char *text)
{
	int column = 1;

	for (; at > text && at[-1] != '\n'; at--)
		column++;
	return column;
}

static int expect(struct piece *rest, const char *word, struct tmap_error *err)
{
	struct piece token = take_token(rest);

	return is(&token, word) ? 0 : refuse(&token, word, err);
}

static int take_rank(struct piece *rest, int *rank, struct tmap_error *err)
{
	struct piece token = take_token(rest);
	long value = 0;

	for (size_t i = 0; i < token.length; i++) {
		if (!isdigit((unsigned char)token.text[i]))
			return refuse(&token, "a rank", err);
		value = 10 * value + (token.text[i] - '0');
		if (value > INT_MAX)
			return refuse(&token, "a rank below 2^31", err);
	}
	*rank = (int)value;
	return token.length ? 0 : refuse(&token, "a rank", err);
}

static bool is_host_char(char c)
{
	return c && strchr(WORD_CHARS, c) && !strchr(",;*@+", c);
}

static bool is_relative(const struct piece *host)
{
	if (host->length < 3 || memcmp(host->text, "+n", 2) != 0)
		return false;
	for (size_t i = 2; i < host->length; i++)
		if (!isdigit((unsigned char)host->text[i]))
			return false;
	return true;
}

/* "a:4": addresses have more colons, and mpirun finds no node of that name. */
static bool has_port(const char *name, size_t length)
{
	const char *colon = memchr(name, ':', length);

	return colon && !memchr(colon + 1, ':', length - (size_t)(colon + 1 - name));
}

bool tmap_rankfile_is_host(const char *name, size_t length)
{
	static const char *const words[] = { "rank",     "slot",      "slots",
					     "username", "user-name", "user_name" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && memcmp(words[i], name, length) == 0)
			return false;
	for (size_t i = 0; i < length; i++)
		if (!is_host_char(name[i]))
			return false;
	return length > 0 && *name != '.' && !has_port(name, length);
}

static int take_host(struct piece *rest, struct tmap_names *hosts, int *host,
		     struct tmap_error *err)
{
	struct piece token = take_token(rest), name = token;
	const char *at = memchr(token.text, '@', token.length);
	char *text;

	if (at && at > token.text) {
		name.text = at + 1;
		name.length = token.length - (size_t)(name.text - token.text);
	}
	if (tmap_host_name_check(name.text, name.length, err) < 0)
		return -1;
	if (!is_relative(&name) && !tmap_rankfile_is_host(name.text, name.length))
		return refuse(&token, "a host (NAME, USER@NAME or +nK)", err);
	text = tmap_strndup(name.text, name.length, err);
	if (!text)
		return -1;
	*host = tmap_names_intern(hosts, text, tmap_host_short_length(text), err);
	free(text);
	return *host == TMAP_NONE ? -1 : 0;
}

static int take_list(struct piece *rest, struct tmap_names *lists, int *list,
		     struct tmap_error *err)
{
	struct piece token = take_token(rest);

	for (size_t i = 0; i < token.length; i++)
		if (!strchr(WORD_CHARS, token.text[i]) || strchr(".+", token.text[i]))
			return refuse(&token, "a slot list", err);
	if (token.length == 0)
		return refuse(&token, "a slot list", err);
	*list = tmap_names_intern(lists, token.text, token.length, err);
	return *list == TMAP_NONE ? -1 : 0;
}

/* rank N = HOST slot = LIST, and nothing behind it. */
static int read_entry(struct tmap_rankfile_text *parsed, struct piece *piece,
		      struct tmap_entry *entry, struct tmap_error *err)
{
	struct piece token;

	if (expect(piece, "rank", err) < 0 || take_rank(piece, &entry->rank, err) < 0 ||
	    expect(piece, "=", err) < 0 ||
	    take_host(piece, &parsed->entries.hosts, &entry->host, err) < 0)
		return -1;
	token = take_token(piece);
	if (!is(&token, "slot") && !is(&token, "slots"))
		return refuse(&token, "slot", err);
	if (expect(piece, "=", err) < 0 ||
	    take_list(piece, &parsed->entries.words, &entry->words, err) < 0)
		return -1;
	token = take_token(piece);
	return token.length ? refuse(&token, "the end of the line", err) : 0;
}

static int add_entry(struct tmap_rankfile_text *parsed, struct piece *piece, int line,
		     struct tmap_error *err)
{
	struct tmap_entry entry = { .line = line };

	if (piece->length == strspn(piece->text, " \t\f\v"))
		return 0;
	if (read_entry(parsed, piece, &entry, err) < 0)
		return -1;
	return tmap_entries_add(&parsed->entries, &entry, err);
}

/* The first mistake is the last. */
static int stop(void *data, int line, const struct tmap_error *mistake, struct tmap_error *err)
{
	*(int *)data = line;
	*err = *mistake;
	return -1;
}

int tmap_rankfile_text_scan(struct tmap_rankfile_text *parsed, const char *text,
			    tmap_rankfile_report *report, void *data, struct tmap_error *err)
{
	struct tmap_rankfile_text made = { 0 };
	struct cursor in = { text, 1 };
	struct tmap_error mistake;
	int status = 0;

	while (*in.at && status == 0) {
		int start = in.line;
		bool torn;
		struct piece piece;

		torn = take_piece(&in, &made.rules, &piece, &mistake) < 0;
		if (!torn && add_entry(&made, &piece, start, &mistake) == 0)
			continue;
		if (mistake.column)
			mistake.column += column_of(piece.from, text) - 1;
		if (mistake.kind == TMAP_INPUT)
			status = report(data, torn ? in.line : start, &mistake, err);
		else
			status = stop(&start, start, &mistake, err);
		if (torn)
			break;
	}
	if (status < 0)
		tmap_rankfile_text_fini(&made);
	else
		*parsed = made;
	return status;
}

int tmap_rankfile_text_init(struct tmap_rankfile_text *parsed, const char *text, int *line,
			    struct tmap_error *err)
{
	return tmap_rankfile_text_scan(parsed, text, stop, line, err);
}

void tmap_rankfile_text_fini(struct tmap_rankfile_text *parsed)
{
	tmap_entries_fini(&parsed->entries);
	*parsed = (struct tmap_rankfile_text){ 0 };
}
