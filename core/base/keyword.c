#include "core/base/keyword.h"

#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

const struct tmap_word *tmap_words_at(const struct tmap_words *words, size_t index)
{
	const struct tmap_word *word =
		(const void *)((const char *)words->rows + index * words->stride);

	return word->name ? word : NULL;
}

bool tmap_words_among(uint64_t among, size_t index)
{
	return among == TMAP_WORDS_ALL || (index < 64 && (among & TMAP_WORDS_BIT(index)));
}

char *tmap_words_list_among(const struct tmap_words *words, uint64_t among, const char *separator,
			    struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;
	const struct tmap_word *word;

	for (size_t i = 0; (word = tmap_words_at(words, i)); i++) {
		if (!tmap_words_among(among, i))
			continue;
		if (list.length)
			tmap_str_add(&list, separator);
		tmap_str_add(&list, word->name);
	}
	return tmap_str_take(&list, err);
}

char *tmap_words_list(const struct tmap_words *words, const char *separator, struct tmap_error *err)
{
	return tmap_words_list_among(words, TMAP_WORDS_ALL, separator, err);
}

int tmap_words_find_among(const struct tmap_words *words, uint64_t among, const char *name,
			  struct tmap_error *err)
{
	const struct tmap_word *word;
	char *list;

	for (int i = 0; (word = tmap_words_at(words, (size_t)i)); i++)
		if (tmap_words_among(among, (size_t)i) && strcmp(word->name, name) == 0)
			return i;
	list = tmap_words_list_among(words, among, ", ", err);
	if (!list)
		return TMAP_NONE;
	tmap_fail(err, TMAP_INPUT, "unknown %s '%s' (one of: %s)", words->what, name, list);
	free(list);
	return TMAP_NONE;
}

int tmap_words_find(const struct tmap_words *words, const char *name, struct tmap_error *err)
{
	return tmap_words_find_among(words, TMAP_WORDS_ALL, name, err);
}
