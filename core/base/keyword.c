#include "core/base/keyword.h"

#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

const struct tm_word *tm_words_at(const struct tm_words *words, size_t index)
{
	const struct tm_word *word =
		(const void *)((const char *)words->rows + index * words->stride);

	return word->name ? word : NULL;
}

bool tm_words_among(uint64_t among, size_t index)
{
	return among == TM_WORDS_ALL || (index < 64 && (among & TM_WORDS_BIT(index)));
}

char *tm_words_list_among(const struct tm_words *words, uint64_t among, const char *separator,
			  struct tm_error *err)
{
	struct tm_str list = TM_STR_INIT;
	const struct tm_word *word;

	for (size_t i = 0; (word = tm_words_at(words, i)); i++) {
		if (!tm_words_among(among, i))
			continue;
		if (list.length)
			tm_str_add(&list, separator);
		tm_str_add(&list, word->name);
	}
	return tm_str_take(&list, err);
}

char *tm_words_list(const struct tm_words *words, const char *separator, struct tm_error *err)
{
	return tm_words_list_among(words, TM_WORDS_ALL, separator, err);
}

int tm_words_find_among(const struct tm_words *words, uint64_t among, const char *name,
			struct tm_error *err)
{
	const struct tm_word *word;
	char *list;

	for (int i = 0; (word = tm_words_at(words, (size_t)i)); i++)
		if (tm_words_among(among, (size_t)i) && strcmp(word->name, name) == 0)
			return i;
	list = tm_words_list_among(words, among, ", ", err);
	if (!list)
		return TM_NONE;
	tm_fail(err, TM_INPUT, "unknown %s '%s' (one of: %s)", words->what, name, list);
	free(list);
	return TM_NONE;
}

int tm_words_find(const struct tm_words *words, const char *name, struct tm_error *err)
{
	return tm_words_find_among(words, TM_WORDS_ALL, name, err);
}
