#include "core/place/hydra_words.h"

#include "core/base/units.h"

#include <string.h>

static const struct row {
	struct tmap_keyword word;
	enum tmap_type type;
} rows[] = {
	[TMAP_HYDRA_NONE] = { { "none", "no binding" }, TMAP_NODE },
	[TMAP_HYDRA_RR] = { { "rr", "PUs in the order of the operating system's indexes" },
			    TMAP_PU },
	{ { "core", "cores" }, TMAP_CORE },
	{ { "hwthread", "hardware threads" }, TMAP_PU },
	{ { "socket", "packages" }, TMAP_PACKAGE },
	{ { "package", "the same" }, TMAP_PACKAGE },
	{ { "numa", "NUMA nodes" }, TMAP_NUMA },
	{ { "l1cache", "L1 caches" }, TMAP_L1 },
	{ { "l2cache", "L2 caches" }, TMAP_L2 },
	{ { "l3cache", "L3 caches" }, TMAP_L3 },
	{ { "l4cache", "L4 caches" }, TMAP_L4 },
	{ { "l5cache", "L5 caches" }, TMAP_L5 },
	{ { "machine", "the whole node" }, TMAP_NODE },
	{ { NULL, NULL }, TMAP_NODE },
};

const struct tmap_keywords tmap_hydra_words = TMAP_KEYWORDS("object", rows);

enum tmap_type tmap_hydra_type(int word)
{
	return rows[word].type;
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
