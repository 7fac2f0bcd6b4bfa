/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/slurm.h"

#include "core/base/units.h"

#include <string.h>
#include <strings.h>

static const struct tmap_keyword no_object[] = {
	[TMAP_SLURM_AUTO] = { "auto",
			      "sockets, cores or threads, if there are as many as CPUs are taken" },
	[TMAP_SLURM_NONE] = { "none", "no binding" },
};

static const struct tmap_keyword *word_at(size_t index)
{
	return index < TMAP_SLURM_OBJECTS ?
		&no_object[index] :
		tmap_type_words_at(TMAP_SLURM_WORDS, index - TMAP_SLURM_OBJECTS, NULL);
}

const struct tmap_keywords tmap_slurm_bind_words = TMAP_KEYWORDS_BY("binding", word_at);

enum tmap_slurm_bind tmap_slurm_bind_at(int word)
{
	enum tmap_type type;

	if (word < TMAP_SLURM_OBJECTS)
		return (enum tmap_slurm_bind)word;
	tmap_type_words_at(TMAP_SLURM_WORDS, (size_t)(word - TMAP_SLURM_OBJECTS), &type);
	return (enum tmap_slurm_bind)(TMAP_SLURM_OBJECTS + (int)type);
}

/* Is it this word, of @p length letters, in any case? */
static bool is_word(const char *at, size_t length, const char *word)
{
	return strlen(word) == length && strncasecmp(at, word, length) == 0;
}

/* The word of a further level; "*" leaves what is set. */
static int parse_level(enum tmap_slurm_level *level, const char *at, size_t length,
		       struct tmap_error *err)
{
	static const char *const words[] = {
		[TMAP_SLURM_BLOCK] = "block",
		[TMAP_SLURM_CYCLIC] = "cyclic",
		[TMAP_SLURM_FCYCLIC] = "fcyclic",
	};

	if (is_word(at, length, "*"))
		return 0;
	for (int i = 0; i < 3; i++)
		if (is_word(at, length, words[i])) {
			*level = (enum tmap_slurm_level)i;
			return 0;
		}
	return tmap_fail(err, TMAP_INPUT,
			 "unknown distribution '%.*s' (one of: block, cyclic, fcyclic, "
			 "*)",
			 (int)(length < 40 ? length : 40), at);
}

static int parse_first(struct tmap_slurm_request *rq, const char *at, size_t length,
		       struct tmap_error *err)
{
	int64_t size;

	rq->cyclic = is_word(at, length, "cyclic");
	rq->plane = 0;
	if (rq->cyclic || is_word(at, length, "block") || is_word(at, length, "*"))
		return 0;
	if (length < 6 || strncasecmp(at, "plane=", 6) != 0)
		return tmap_fail(err, TMAP_INPUT,
				 "unknown distribution '%.*s' (one of: block, cyclic, "
				 "plane=SIZE, *)",
				 (int)(length < 40 ? length : 40), at);
	if (at[length])
		return tmap_fail(err, TMAP_INPUT, "plane=SIZE is followed by nothing");
	if (tmap_units_parse_int(at + 6, 1, 65535, &size, err) < 0)
		return tmap_wrap(err, "plane");
	rq->plane = (int)size;
	return 0;
}

/* ",Pack" and ",NoPack" */
static int parse_pack(struct tmap_slurm_request *rq, const char *at, struct tmap_error *err)
{
	rq->pack = strcasecmp(at, "pack") == 0;
	if (!rq->pack && strcasecmp(at, "nopack") != 0)
		return tmap_fail(err, TMAP_INPUT, "unknown modifier '%.40s' (one of: Pack, NoPack)",
				 at);
	if (rq->pack && rq->cyclic)
		return tmap_fail(err, TMAP_INPUT, "Pack goes with block only");
	return 0;
}

int tmap_slurm_parse_distribution(struct tmap_slurm_request *rq, const char *text,
				  struct tmap_error *err)
{
	enum tmap_slurm_level third;
	const char *at = text;
	size_t length = strcspn(at, ":,");

	if (parse_first(rq, at, length, err) < 0)
		return -1;
	rq->sockets = TMAP_SLURM_CYCLIC;
	rq->pack = false;
	for (int level = 2; at[length] == ':'; level++) {
		at += length + 1;
		length = strcspn(at, ":,");
		if (level > 3)
			return tmap_fail(err, TMAP_INPUT,
					 "a distribution has at most three levels");
		if (parse_level(level == 2 ? &rq->sockets : &third, at, length, err) < 0)
			return -1;
	}
	return at[length] == ',' ? parse_pack(rq, at + length + 1, err) : 0;
}
