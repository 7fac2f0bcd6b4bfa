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
	[TMAP_FIX_EVEN_SPREAD] = "even-spread",
	[TMAP_FIX_EVEN_TURNS] = "even-turns",
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

/* Do the words need a number that there is not? */
static bool lacks_number(const char *words, const struct span number[NUMBERS])
{
	for (; *words; words++) {
		int which;

		words = skip_one(words, number);
		which = words[0] == '$' ? words[1] - '1' : NUMBERS;
		if (which >= 0 && which < NUMBERS && number[which].length &&
		    *number[which].text == '-')
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
		if (*words == '[' || *words == ']')
			continue;
		which = words[0] == '$' ? words[1] - '1' : NUMBERS;
		if (words[0] == '$' && (words[1] == 'm' || words[1] == 'u')) {
			bool is_own = words[1] == 'u' && !has_cores && of->pu;

			tmap_str_add(str, is_own ? of->pu : unit);
		} else if (which >= 0 && which < NUMBERS) {
			span_add(str, number[which]);
		} else {
			tmap_str_addc(str, *words);
			continue;
		}
		words++;
	}
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

char *tmap_fix_print(const char *text, const struct tmap_fix_words *const *launchers,
		     const struct tmap_fix_nodes *nodes, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	while (*text) {
		struct span before, after, number[NUMBERS];
		bool is_first = true;
		enum tmap_fix fix;

		if (*text != '{') {
			tmap_str_addc(&str, *text++);
			continue;
		}
		text++;
		before = span_until(&text, '|');
		fix = fix_parse(span_until(&text, '|'), number);
		after = span_until(&text, '}');
		for (const struct tmap_fix_words *const *it = launchers; *it; it++) {
			if (!(*it)->word[fix] || is_repeated(launchers, it, fix) ||
			    lacks_number((*it)->word[fix], number) ||
			    ((*it)->counts_pus && !nodes->equal_cores))
				continue;
			if (is_first)
				span_add(&str, before);
			else
				tmap_str_add(&str, ", ");
			is_first = false;
			words_add(&str, *it, fix, nodes->has_cores, number);
			tmap_str_addf(&str, " (%s)", (*it)->launcher);
		}
		if (!is_first)
			span_add(&str, after);
	}
	return tmap_str_take(&str, err);
}
