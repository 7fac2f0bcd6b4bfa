/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spec.h - NAME[,key=value]...: a row of a table, and the numbers that it takes.
 *
 *     knomial,radix=8        ->  row "knomial", value { 8 }
 *     knomial                ->  row "knomial", value { 4 }, the library's own default
 *
 * Help, messages and documents read the same rows. Rows of trees, rings, algorithms and
 * mappers begin with a struct tmap_spec_row.
 */
#ifndef TMAP_CORE_BASE_SPEC_H
#define TMAP_CORE_BASE_SPEC_H

#include "core/base/keyword.h"

#include <stdbool.h>
#include <stdint.h>

enum { TMAP_PARAM_MAX = 6, TMAP_PARAM_WORDS_MAX = 8 };

/** One number that a row takes. */
struct tmap_param {
	const char *key; /**< NULL ends the list */
	const char *summary;
	int64_t preset, least, most;
	bool is_size;             /**< bytes: "64KiB" is understood */
	const char *const *words; /**< NULL, or the words for the values 0, 1, ..., NULL at the
				       end: as text the parameter is one of these */
	bool is_list; /**< or up to TMAP_PARAM_WORDS_MAX of at most 63 words: "node+numa" */
	const char *preset_word; /**< instead of preset: that word; NULL: preset */
	const char *(*word_at)(
		int64_t i); /**< instead of words: those of a table that others keep */
};

/** Is its value one of a set of words, or a list of them? */
bool tmap_param_has_words(const struct tmap_param *param);

/** Word @p i of those that it may be, from 0; NULL past the last one. */
const char *tmap_param_word_text(const struct tmap_param *param, int64_t i);

/** The value that the parameter has unless it is given. O(words). */
int64_t tmap_param_preset(const struct tmap_param *param);

/** Word @p i of the value of a parameter that is a list, or TMAP_NONE behind the last one. A list
 *  of one word has the value of that word. */
int64_t tmap_param_word(int64_t value, int i);

/** How each MPI library is made to use an algorithm, or NULL where it cannot; for
 *  tmap_spec_fill(). Open MPI: options of mpirun; MPICH, UCC: variables of the environment. */
struct tmap_knobs {
	const char *openmpi, *mpich, *ucc;
};

struct tmap_spec_row {
	struct tmap_keyword word;
	const struct tmap_param *params; /**< at most TMAP_PARAM_MAX; NULL: none */
	struct tmap_knobs knobs;
};

struct tmap_spec {
	const struct tmap_spec_row *row; /**< borrowed from the table */
	int64_t value[TMAP_PARAM_MAX];   /**< one a parameter, in their order */
};

/** The row of @p words (whose rows begin with a struct tmap_spec_row) and the values that
 *  @p text says. Refuses an unknown name or key, a key twice, a value out of its range. */
int tmap_spec_parse(struct tmap_spec *choice, const struct tmap_keywords *words, const char *text,
		    struct tmap_error *err);

/** Row @p index with its preset values. */
struct tmap_spec tmap_spec_preset(const struct tmap_keywords *words, int index);

/** "knomial,radix=8": the name with the values that are not preset, the caller's to free. */
char *tmap_spec_print(const struct tmap_spec *choice, struct tmap_error *err);

/** *filled = @p text with each "{key}" replaced by the value of that parameter, the caller's to
 *  free. "{key=value}" stands for nothing, and makes the text one for that value only: *filled
 *  is NULL for another one, as it is for no text. Of several texts, with "|" between them, the
 *  first that is for all its values. */
int tmap_spec_fill(char **filled, const struct tmap_spec *choice, const char *text,
		   struct tmap_error *err);

/** Its values become preset ones, but for those that text @p i of them is for; false: there are
 *  not so many. */
bool tmap_spec_fit(struct tmap_spec *choice, const char *text, int i);

#endif
