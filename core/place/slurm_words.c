#include "core/place/slurm.h"

#include "core/base/units.h"

#include <string.h>
#include <strings.h>

static const struct row {
	struct tm_word word;
} bind_rows[] = {
	[TM_SLURM_AUTO] = { { "auto", "sockets, cores or threads, if there are as many as CPUs "
				      "are taken" } },
	[TM_SLURM_NONE] = { { "none", "no binding" } },
	[TM_SLURM_THREADS] = { { "threads", "hardware threads" } },
	[TM_SLURM_CORES] = { { "cores", "cores" } },
	[TM_SLURM_SOCKETS] = { { "sockets", "packages" } },
	[TM_SLURM_LDOMS] = { { "ldoms", "NUMA nodes" } },
	{ { NULL, NULL } },
};

const struct tm_words tm_slurm_bind_words = TM_WORDS("binding", bind_rows);

/* Is it this word, of @p length letters, in any case? */
static bool is_word(const char *at, size_t length, const char *word)
{
	return strlen(word) == length && strncasecmp(at, word, length) == 0;
}

/* The word of a further level; "*" leaves what is set. */
static int parse_level(enum tm_slurm_level *level, const char *at, size_t length,
		       struct tm_error *err)
{
	static const char *const words[] = {
		[TM_SLURM_BLOCK] = "block", [TM_SLURM_CYCLIC] = "cyclic",
		[TM_SLURM_FCYCLIC] = "fcyclic",
	};

	if (is_word(at, length, "*"))
		return 0;
	for (int i = 0; i < 3; i++)
		if (is_word(at, length, words[i])) {
			*level = (enum tm_slurm_level)i;
			return 0;
		}
	return tm_fail(err, TM_INPUT, "unknown distribution '%.*s' (one of: block, cyclic, fcyclic, "
		       "*)", (int)(length < 40 ? length : 40), at);
}

static int parse_first(struct tm_slurm_request *rq, const char *at, size_t length,
		       struct tm_error *err)
{
	int64_t size;

	rq->cyclic = is_word(at, length, "cyclic");
	rq->plane = 0;
	if (rq->cyclic || is_word(at, length, "block") || is_word(at, length, "*"))
		return 0;
	if (length < 6 || strncasecmp(at, "plane=", 6) != 0)
		return tm_fail(err, TM_INPUT, "unknown distribution '%.*s' (one of: block, cyclic, "
			       "plane=SIZE, *)", (int)(length < 40 ? length : 40), at);
	if (at[length])
		return tm_fail(err, TM_INPUT, "plane=SIZE is followed by nothing");
	if (tm_units_parse_int(at + 6, 1, 65535, &size, err) < 0)
		return tm_wrap(err, "plane");
	rq->plane = (int)size;
	return 0;
}

/* ",Pack" and ",NoPack" */
static int parse_pack(struct tm_slurm_request *rq, const char *at, struct tm_error *err)
{
	rq->pack = strcasecmp(at, "pack") == 0;
	if (!rq->pack && strcasecmp(at, "nopack") != 0)
		return tm_fail(err, TM_INPUT, "unknown modifier '%.40s' (one of: Pack, NoPack)", at);
	if (rq->pack && rq->cyclic)
		return tm_fail(err, TM_INPUT, "Pack goes with block only");
	return 0;
}

int tm_slurm_parse_distribution(struct tm_slurm_request *rq, const char *text,
				struct tm_error *err)
{
	enum tm_slurm_level third;
	const char *at = text;
	size_t length = strcspn(at, ":,");

	if (parse_first(rq, at, length, err) < 0)
		return -1;
	rq->sockets = TM_SLURM_CYCLIC;
	rq->pack = false;
	for (int level = 2; at[length] == ':'; level++) {
		at += length + 1;
		length = strcspn(at, ":,");
		if (level > 3)
			return tm_fail(err, TM_INPUT, "a distribution has at most three levels");
		if (parse_level(level == 2 ? &rq->sockets : &third, at, length, err) < 0)
			return -1;
	}
	return at[length] == ',' ? parse_pack(rq, at + length + 1, err) : 0;
}
