#include "core/place/hydra_words.h"

#include "core/base/units.h"

#include <string.h>

static const struct row {
	struct tm_word word;
	enum tm_type type;
} rows[] = {
	[TM_HYDRA_NONE] = { { "none", "no binding" }, TM_NODE },
	[TM_HYDRA_RR] = { { "rr", "PUs in the order of the operating system's indexes" }, TM_PU },
	{ { "core", "cores" }, TM_CORE },
	{ { "hwthread", "hardware threads" }, TM_PU },
	{ { "socket", "packages" }, TM_PACKAGE },
	{ { "package", "the same" }, TM_PACKAGE },
	{ { "numa", "NUMA nodes" }, TM_NUMA },
	{ { "l1cache", "L1 caches" }, TM_L1 },
	{ { "l2cache", "L2 caches" }, TM_L2 },
	{ { "l3cache", "L3 caches" }, TM_L3 },
	{ { "l4cache", "L4 caches" }, TM_L4 },
	{ { "l5cache", "L5 caches" }, TM_L5 },
	{ { "machine", "the whole node" }, TM_NODE },
	{ { NULL, NULL }, TM_NODE },
};

const struct tm_words tm_hydra_words = TM_WORDS("object", rows);

enum tm_type tm_hydra_type(int word)
{
	return rows[word].type;
}

int tm_hydra_parse(struct tm_hydra_objects *objects, const char *text, uint64_t among,
		   struct tm_error *err)
{
	size_t length = strcspn(text, ":");
	char word[32];
	int64_t count = 1;
	int row;

	if (length >= sizeof word)
		return tm_fail(err, TM_INPUT, "unknown object '%.40s'", text);
	memcpy(word, text, length);
	word[length] = '\0';
	row = tm_words_find_among(&tm_hydra_words, among, word, err);
	if (row == TM_NONE)
		return -1;
	if (text[length] && (row == TM_HYDRA_NONE || row == TM_HYDRA_RR))
		return tm_fail(err, TM_INPUT, "'%s' takes no number", word);
	if (text[length] && tm_units_parse_int(text + length + 1, 1, 65536, &count, err) < 0)
		return -1;
	*objects = (struct tm_hydra_objects){ .word = row, .count = (int)count };
	return 0;
}
