/*
 * word.h - a choice by name.
 *
 * The owner of a set of choices (formats, scales, policies, launchers ...) keeps one
 * table whose rows begin with a struct tm_word; help, man pages, completions,
 * parsing and error messages all read that table.
 */
#ifndef TM_WORD_H
#define TM_WORD_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_word {
	const char *name;    /**< as the user types it; NULL ends a table */
	const char *summary; /**< one line for help; never NULL in a row */
};

/** A table of rows of @p stride bytes, each of which begins with a struct tm_word. */
struct tm_words {
	const char *what;    /**< what a row is: "format", "scale" */
	const void *rows;
	size_t stride;
};

#define TM_WORDS(what_, table_) { (what_), (table_), sizeof (table_)[0] }

/** Row @p index; NULL past the end. O(1), no bounds check beyond the terminating row. */
const struct tm_word *tm_words_at(const struct tm_words *words, size_t index);

/** Index of the row called @p name, or TM_NONE with *err set:
 *  "unknown format 'jsn' (one of: text, json, dot)". */
int tm_words_find(const struct tm_words *words, const char *name, struct tm_error *err);

/** "text, json, dot", the caller's to free; NULL with *err set. */
char *tm_words_list(const struct tm_words *words, const char *separator, struct tm_error *err);

/** A choice among some rows of a table: bit i of the mask stands for row i. */
#define TM_WORDS_ALL UINT64_MAX
#define TM_WORDS_BIT(index) (UINT64_C(1) << (index))

/** True if row @p index is in the mask; rows from 64 on are in TM_WORDS_ALL only. */
bool tm_words_among(uint64_t among, size_t index);

/** tm_words_find() and tm_words_list() that know only the rows in @p among. */
int tm_words_find_among(const struct tm_words *words, uint64_t among, const char *name,
			struct tm_error *err);
char *tm_words_list_among(const struct tm_words *words, uint64_t among, const char *separator,
			  struct tm_error *err);

#endif
