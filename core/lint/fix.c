/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/fix.h"

#include "core/base/string.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { NUMBERS = 6 };

static const char *const names[TMAP_FIXES] = {
	[TMAP_FIX_BIND] = "bind",
	[TMAP_FIX_APART] = "apart",
	[TMAP_FIX_CORES] = "cores",
	[TMAP_FIX_PACKAGES] = "packages",
	[TMAP_FIX_NUMAS] = "numas",
	[TMAP_FIX_PACKAGE] = "package",
	[TMAP_FIX_NUMA] = "numa",
	[TMAP_FIX_SPREAD] = "spread",
	[TMAP_FIX_SPREAD_THREADS] = "spread-threads",
	[TMAP_FIX_CACHES] = "caches",
	[TMAP_FIX_FEWER] = "fewer",
	[TMAP_FIX_MEMORY] = "memory",
	[TMAP_FIX_TURNS] = "turns",
	[TMAP_FIX_GPUS] = "gpus",
	[TMAP_FIX_NEAR] = "near",
	[TMAP_FIX_EVEN] = "even",
	[TMAP_FIX_EVEN_NUMAS] = "even-numas",
	[TMAP_FIX_EVEN_PACKAGES] = "even-packages",
	[TMAP_FIX_EVEN_CACHES] = "even-caches",
	[TMAP_FIX_EVEN_SPREAD] = "even-spread",
	[TMAP_FIX_EVEN_TURNS] = "even-turns",
	[TMAP_FIX_EVEN_CACHE_TURNS] = "even-cache-turns",
	[TMAP_FIX_BLOCK] = "block",
	[TMAP_FIX_PACKED] = "packed",
	[TMAP_FIX_CYCLIC] = "cyclic",
	[TMAP_FIX_THREADS] = "threads",
	[TMAP_FIX_WIDE_THREADS] = "wide-threads",
	[TMAP_FIX_PACKAGE_THREADS] = "package-threads",
	[TMAP_FIX_NUMA_THREADS] = "numa-threads",
	[TMAP_FIX_EACH_PACKAGE] = "each-package",
	[TMAP_FIX_EACH_NUMA] = "each-numa",
	[TMAP_FIX_EACH_CACHE] = "each-cache",
	[TMAP_FIX_PUS] = "pus",
	[TMAP_FIX_SETS] = "sets",
	[TMAP_FIX_SHARE] = "share",
	[TMAP_FIX_SHARE_SPREAD] = "share-spread",
};

/* A part of a text. */
struct span {
	const char *text;
	size_t length;
};

/* Up to the sign, behind which *at is left. */
static struct span span_until(const char **at, char sign)
{
	struct span span = { *at, 0 };
	const char *end = strchr(*at, sign);

	assert(end); /* texts are ours */
	span.length = (size_t)(end - *at);
	*at = end + 1;
	return span;
}

static void span_add(struct tmap_str *str, struct span span)
{
	tmap_str_addf(str, "%.*s", (int)span.length, span.text);
}

static enum tmap_fix fix_find(struct span name)
{
	for (int fix = 0; fix < TMAP_FIXES; fix++)
		if (strncmp(names[fix], name.text, name.length) == 0 && !names[fix][name.length])
			return (enum tmap_fix)fix;
	assert(false && "a name of the table");
	return TMAP_FIX_BIND;
}

/* "even 24 4": the name and its numbers, which stay text. */
static enum tmap_fix fix_parse(struct span named, struct span number[NUMBERS])
{
	struct span name = { named.text, 0 };
	size_t at;

	while (name.length < named.length && named.text[name.length] != ' ')
		name.length++;
	at = name.length;
	for (int i = 0; i < NUMBERS; i++) {
		at += at < named.length;
		number[i] = (struct span){ named.text + at, 0 };
		while (at < named.length && named.text[at] != ' ') {
			number[i].length++;
			at++;
		}
	}
	return fix_find(name);
}

/* Behind a part in brackets that says what 1 means anyway. */
static const char *skip_one(const char *words, const struct span number[NUMBERS])
{
	bool is_one = number[0].length == 1 && number[0].text[0] == '1';

	return *words == '[' && is_one ? strchr(words, ']') : words;
}

/* Do the words need a number that there is not, or an order of cores that the nodes have not? */
static bool lacks_what_it_needs(const char *words, const struct span number[NUMBERS], bool in_order)
{
	for (; *words; words++) {
		int which;

		words = skip_one(words, number);
		if (*words == '#' && !in_order)
			return true;
		which = words[0] == '$' ? words[1] - '1' : NUMBERS;
		if (which >= 0 && which < NUMBERS &&
		    (!number[which].length || *number[which].text == '-'))
			return true;
	}
	return false;
}

/* $1 is the first number, $m and $u what ranks are mapped by and bound to. */
static void words_add(struct tmap_str *str, const struct tmap_fix_words *of, enum tmap_fix fix,
		      bool has_cores, const struct span number[NUMBERS])
{
	const char *unit = has_cores ? "core" : "hwthread";

	for (const char *words = of->word[fix]; *words; words++) {
		int which;

		words = skip_one(words, number);
		if (*words == '[' || *words == ']' || *words == '#')
			continue;
		which = words[0] == '$' ? words[1] - '1' : NUMBERS;
		if (words[0] == '$' && (words[1] == 'm' || words[1] == 'u')) {
			bool is_own = words[1] == 'u' && !has_cores && of->pu;

			tmap_str_add(str, is_own ? of->pu : unit);
		} else if (words[0] == '$' && (words[1] == '[' || words[1] == ']')) {
			tmap_str_addc(str, words[1]);
		} else if (which >= 0 && which < NUMBERS) {
			span_add(str, number[which]);
		} else {
			tmap_str_addc(str, *words);
			continue;
		}
		words++;
	}
}

/* Has the launcher words for that, of these nodes? */
static bool is_worded(const struct tmap_fix_words *of, enum tmap_fix fix,
		      const struct span number[NUMBERS], const struct tmap_fix_nodes *nodes)
{
	return of->word[fix] && !lacks_what_it_needs(of->word[fix], number, nodes->in_order) &&
		(!of->counts_pus || nodes->equal_cores);
}

/* Does a launcher before this one say it with the same words? */
static bool is_repeated(const struct tmap_fix_words *const *launchers,
			const struct tmap_fix_words *const *it, enum tmap_fix fix)
{
	for (; launchers < it; launchers++)
		if ((*launchers)->word[fix] &&
		    strcmp((*launchers)->word[fix], (*it)->word[fix]) == 0)
			return true;
	return false;
}

#define TOPOMAP "topomap "

static bool command_is_next(const char *text)
{
	return strncmp(text, TOPOMAP, strlen(TOPOMAP)) == 0;
}

static void command_add(struct tmap_str *str, struct span command, const struct tmap_job_words *job)
{
	span_add(str, command);
	tmap_job_command_end(str, command.text + strlen(TOPOMAP), job);
}

/* What a text is made of. */
struct piece {
	enum { PIECE_SIGN, PIECE_COMMAND, PIECE_FIX } kind;
	struct span text; /* the sign, or the command */
	enum tmap_fix fix;
	struct span before, after, number[NUMBERS];
};

static bool piece_next(struct piece *piece, const char **text)
{
	if (!**text)
		return false;
	if (**text != '{' || (*text)[1] == '{') {
		piece->kind = PIECE_SIGN;
		piece->text = (struct span){ *text, 1 };
		*text += 1 + (**text == '{');
		return true;
	}
	++*text;
	if (command_is_next(*text)) {
		piece->kind = PIECE_COMMAND;
		piece->text = span_until(text, '}');
		return true;
	}
	piece->kind = PIECE_FIX;
	piece->before = span_until(text, '|');
	piece->fix = fix_parse(span_until(text, '|'), piece->number);
	piece->after = span_until(text, '}');
	return true;
}

bool tmap_fix_has_words(const char *text, const struct tmap_fix_words *of,
			const struct tmap_fix_nodes *nodes)
{
	struct piece piece;

	while (piece_next(&piece, &text))
		if (piece.kind == PIECE_FIX && is_worded(of, piece.fix, piece.number, nodes))
			return true;
	return false;
}

char *tmap_fix_print(const char *text, const struct tmap_fix_words *const *launchers,
		     const struct tmap_fix_nodes *nodes, const struct tmap_job_words *job,
		     struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	struct piece piece;

	while (piece_next(&piece, &text)) {
		bool is_first = true;

		if (piece.kind == PIECE_SIGN)
			span_add(&str, piece.text);
		if (piece.kind == PIECE_COMMAND)
			command_add(&str, piece.text, job);
		if (piece.kind != PIECE_FIX)
			continue;
		for (const struct tmap_fix_words *const *it = launchers; *it; it++) {
			if (!is_worded(*it, piece.fix, piece.number, nodes) ||
			    is_repeated(launchers, it, piece.fix))
				continue;
			if (is_first)
				span_add(&str, piece.before);
			else
				tmap_str_add(&str, ", ");
			is_first = false;
			words_add(&str, *it, piece.fix, nodes->has_cores, piece.number);
			tmap_str_addf(&str, " (%s)", (*it)->launcher);
		}
		if (!is_first)
			span_add(&str, piece.after);
	}
	return tmap_str_take(&str, err);
}

char *tmap_fix_escape(const char *text, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (; *text; text++)
		tmap_str_add(&str, *text == '{' ? "{{" : (const char[]){ *text, '\0' });
	if (!str.length)
		tmap_str_add(&str, "");
	return tmap_str_take(&str, err);
}
