/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keyword.h - a choice by name.
 *
 * The owner of a set of choices (formats, scales, policies, launchers ...) keeps one
 * table whose rows begin with a struct tmap_keyword; help, man pages, completions,
 * parsing and error messages all read that table.
 */
#ifndef TMAP_CORE_BASE_KEYWORD_H
#define TMAP_CORE_BASE_KEYWORD_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_keyword {
	const char *name;    /**< as the user types it; NULL ends a table */
	const char *summary; /**< one line for help; never NULL in a row */
};

/** A table of rows of @p stride bytes, each of which begins with a struct tmap_keyword. */
struct tmap_keywords {
	const char *what; /**< what a row is: "format", "scale" */
	const void *rows;
	size_t stride;
	/** Or row @p index of a table that is made of others, NULL past its end. */
	const struct tmap_keyword *(*at)(size_t index);
	size_t column; /**< of a row: the `const char *` that is its help here, and only rows that
			    have one count; 0: all count, with the keyword's own summary */
	size_t option; /**< of a row: the `const char *` that names an option of the same meaning,
			    NULL where there is none; 0: no row has one */
};

#define TMAP_KEYWORDS(what_, table_) \
	{ \
		.what = (what_), .rows = (table_), .stride = sizeof(table_)[0] \
	}
#define TMAP_KEYWORDS_BY(what_, at_) \
	{ \
		.what = (what_), .at = (at_) \
	}

/** Those rows, each a @p type_, whose member @p column_ is not NULL; it is their summary. */
#define TMAP_KEYWORDS_WITH(what_, table_, type_, column_) \
	{ \
		.what = (what_), .rows = (table_), .stride = sizeof(table_)[0], \
		.column = offsetof(type_, column_) \
	}

/** The same whose rows may have options of their own. */
#define TMAP_KEYWORDS_WITH_OPTIONS(what_, table_, type_, column_, option_) \
	{ \
		.what = (what_), .rows = (table_), .stride = sizeof(table_)[0], \
		.column = offsetof(type_, column_), .option = offsetof(type_, option_) \
	}

/** Row @p index; NULL past the end. O(1), no bounds check beyond the terminating row. */
const struct tmap_keyword *tmap_keywords_at(const struct tmap_keywords *words, size_t index);

/** The help of row @p index; NULL: it does not count. */
const char *tmap_keywords_summary(const struct tmap_keywords *words, size_t index);

/** The option of row @p index, or NULL. */
const char *tmap_keywords_option(const struct tmap_keywords *words, size_t index);

/** Index of the row called @p name, or TMAP_NONE with *err set:
 *  "unknown format 'jsn' (did you mean 'json'?); one of: text, json, dot". */
int tmap_keywords_find(const struct tmap_keywords *words, const char *name, struct tmap_error *err);

/** "text, json, dot", the caller's to free; NULL with *err set. */
char *tmap_keywords_list(const struct tmap_keywords *words, const char *separator,
			 struct tmap_error *err);

/** A choice among some rows of a table: bit i of the mask stands for row i. */
#define TMAP_KEYWORDS_ALL UINT64_MAX
#define TMAP_KEYWORDS_BIT(index) (UINT64_C(1) << (index))

/** True if row @p index is in the mask; rows from 64 on are in TMAP_KEYWORDS_ALL only. */
bool tmap_keywords_among(uint64_t among, size_t index);

/** True if it is, and the row counts. */
bool tmap_keywords_has(const struct tmap_keywords *words, uint64_t among, size_t index);

/** tmap_keywords_find() and tmap_keywords_list() that know only the rows in @p among. */
int tmap_keywords_find_among(const struct tmap_keywords *words, uint64_t among, const char *name,
			     struct tmap_error *err);
char *tmap_keywords_list_among(const struct tmap_keywords *words, uint64_t among,
			       const char *separator, struct tmap_error *err);

/** *set = bit i of each row i that a list ("fmaj,rand") names; of a table of at most 32 rows.
 *  Refuses what tmap_keywords_find() refuses (TMAP_USAGE). */
int tmap_keywords_parse_set(const struct tmap_keywords *words, const char *list, unsigned *set,
			    struct tmap_error *err);

#endif
