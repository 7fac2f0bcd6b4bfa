#include "core/place/hydra_words.h"

#include "core/base/units.h"

#include <string.h>

static const struct tmap_keyword no_object[] = {
	[TMAP_HYDRA_NONE] = { "none", "no binding" },
	[TMAP_HYDRA_RR] = { "rr", "PUs in the order of the operating system's indexes" },
};

static const struct tmap_keyword *word_at(size_t index)
{
	return index < TMAP_HYDRA_OBJECTS ?
		&no_object[index] :
		tmap_type_words_at(TMAP_HYDRA_WORDS, index - TMAP_HYDRA_OBJECTS, NULL);
}

const struct tmap_keywords tmap_hydra_words = TMAP_KEYWORDS_BY("object", word_at);

enum tmap_type tmap_hydra_type(int word)
{
	enum tmap_type type = word == TMAP_HYDRA_RR ? TMAP_PU : TMAP_NODE;

	if (word >= TMAP_HYDRA_OBJECTS)
		tmap_type_words_at(TMAP_HYDRA_WORDS, (size_t)(word - TMAP_HYDRA_OBJECTS), &type);
	return type;
}

int tmap_hydra_parse(struct tmap_hydra_objects *objects, const char *text, uint64_t among,
		     struct tmap_error *err)
{
	size_t length = strcspn(text, ":");
	char word[32];
	int64_t count = 1;
	int row;

	if (length >= sizeof word)
		return tmap_fail(err, TMAP_INPUT, "unknown object '%.40s'", text);
	memcpy(word, text, length);
	word[length] = '\0';
	row = tmap_keywords_find_among(&tmap_hydra_words, among, word, err);
	if (row == TMAP_NONE)
		return -1;
	if (text[length] && (row == TMAP_HYDRA_NONE || row == TMAP_HYDRA_RR))
		return tmap_fail(err, TMAP_INPUT, "'%s' takes no number", word);
	if (text[length] && tmap_units_parse_int(text + length + 1, 1, 65536, &count, err) < 0)
		return -1;
	*objects = (struct tmap_hydra_objects){ .word = row, .count = (int)count };
	return 0;
}
