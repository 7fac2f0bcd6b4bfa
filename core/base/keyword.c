/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/keyword.h"

#include "core/base/nearest.h"
#include "core/base/string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct tmap_keyword *tmap_keywords_at(const struct tmap_keywords *words, size_t index)
{
	const struct tmap_keyword *word;

	if (words->at)
		return words->at(index);
	word = (const void *)((const char *)words->rows + index * words->stride);
	return word->name ? word : NULL;
}

/* The string at the offset @p column of a row. */
static const char *keywords_column(const struct tmap_keywords *words, size_t index, size_t column)
{
	const char *row = (const void *)tmap_keywords_at(words, index);

	return *(const char *const *)(const void *)(row + column);
}

const char *tmap_keywords_summary(const struct tmap_keywords *words, size_t index)
{
	return keywords_column(words, index,
			       words->column ? words->column :
					       offsetof(struct tmap_keyword, summary));
}

const char *tmap_keywords_option(const struct tmap_keywords *words, size_t index)
{
	return words->option ? keywords_column(words, index, words->option) : NULL;
}

bool tmap_keywords_among(uint64_t among, size_t index)
{
	return among == TMAP_KEYWORDS_ALL || (index < 64 && (among & TMAP_KEYWORDS_BIT(index)));
}

bool tmap_keywords_has(const struct tmap_keywords *words, uint64_t among, size_t index)
{
	return tmap_keywords_among(among, index) &&
		(!words->column || tmap_keywords_summary(words, index));
}

char *tmap_keywords_list_among(const struct tmap_keywords *words, uint64_t among,
			       const char *separator, struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;
	const struct tmap_keyword *word;

	for (size_t i = 0; (word = tmap_keywords_at(words, i)); i++) {
		if (!tmap_keywords_has(words, among, i))
			continue;
		if (list.length)
			tmap_str_add(&list, separator);
		tmap_str_add(&list, word->name);
	}
	return tmap_str_take(&list, err);
}

char *tmap_keywords_list(const struct tmap_keywords *words, const char *separator,
			 struct tmap_error *err)
{
	return tmap_keywords_list_among(words, TMAP_KEYWORDS_ALL, separator, err);
}

int tmap_keywords_find_among(const struct tmap_keywords *words, uint64_t among, const char *name,
			     struct tmap_error *err)
{
	const struct tmap_keyword *word;
	struct tmap_nearest nearest;
	char *list;

	tmap_nearest_init(&nearest, name, strlen(name));
	for (int i = 0; (word = tmap_keywords_at(words, (size_t)i)); i++) {
		if (!tmap_keywords_has(words, among, (size_t)i))
			continue;
		if (strcmp(word->name, name) == 0)
			return i;
		tmap_nearest_add(&nearest, word->name);
	}
	list = tmap_keywords_list_among(words, among, ", ", err);
	if (!list)
		return TMAP_NONE;
	if (nearest.best)
		tmap_fail(err, TMAP_INPUT, "unknown %s '%s' (did you mean '%s'?); one of: %s",
			  words->what, name, nearest.best, list);
	else
		tmap_fail(err, TMAP_INPUT, "unknown %s '%s' (one of: %s)", words->what, name, list);
	free(list);
	return TMAP_NONE;
}

int tmap_keywords_find(const struct tmap_keywords *words, const char *name, struct tmap_error *err)
{
	return tmap_keywords_find_among(words, TMAP_KEYWORDS_ALL, name, err);
}

int tmap_keywords_parse_set(const struct tmap_keywords *words, const char *list, unsigned *set,
			    struct tmap_error *err)
{
	unsigned made = 0;
	char word[64];

	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");
		int row;

		snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
		row = tmap_keywords_find(words, word, err);
		if (row == TMAP_NONE) {
			err->kind = TMAP_USAGE;
			return -1;
		}
		made |= 1u << row;
		at += length;
		if (!*at)
			break;
	}
	*set = made;
	return 0;
}
