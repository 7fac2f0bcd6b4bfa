/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_options.h - the options that verbs of topomap-bench have in common.
 */
#ifndef TMAP_MPI_RUN_BENCH_BENCH_OPTIONS_H
#define TMAP_MPI_RUN_BENCH_BENCH_OPTIONS_H

#include "core/measure/repetition.h"
#include "core/measure/times.h"
#include "core/schedule/call.h"
#include "formats/base/format.h"
#include "options/opt.h"

#include <limits.h>

struct tmap_bench_args {
	const char *placement, *seconds, *precision, *output;
	int64_t repetitions, off_cache;
	int format, sync;
	bool check, raw, progress, by_rounds;
};

/* Without a grid of ranks there are no neighborhood collectives. */
#define TMAP_BENCH_COLLECTIVES ((TMAP_KEYWORDS_BIT(TMAP_BARRIER) << 1) - 1)

/* Rows of an option table: the args struct has a struct tmap_bench_args as member "common". */
#define TMAP_BENCH_COLLECTIVE(args, member) \
	TMAP_OPT_NAMES_AMONG(args, member, 'c', "collective", "COLLECTIVE[,COLLECTIVE]", \
			     &tmap_collectives, TMAP_BENCH_COLLECTIVES, "collective operation")
#define TMAP_BENCH_PLACEMENT(args) \
	TMAP_OPT_FILE(args, common.placement, 0, "placement", "FILE", NULL, \
		      "the ranks' places are those of this document, and not probed")
#define TMAP_BENCH_REPETITIONS(args, help_) \
	TMAP_OPT_INT64(args, common.repetitions, 'i', "repetitions", "N", NULL, 1, INT_MAX, help_)
#define TMAP_BENCH_SECONDS(args, help_) \
	TMAP_OPT_STRING(args, common.seconds, 't', "seconds", "SECONDS", NULL, help_)
#define TMAP_BENCH_PRECISION(args, help_) \
	TMAP_OPT_STRING( \
		args, common.precision, 0, "precision", "PERCENT", NULL, \
		"end it when the confidence interval of the median is no longer than this " \
		"part of the median" help_)
#define TMAP_BENCH_CHECK(args) \
	TMAP_OPT_FLAG(args, common.check, 0, "check", \
		      "look at the result of every repetition, not only of the first call")
#define TMAP_BENCH_SEED(args, member) \
	TMAP_OPT_INT64(args, member, 0, "seed", "N", NULL, 0, INT64_MAX, \
		       "the order of the experiments; without it another one in each launch")
#define TMAP_BENCH_SYNC(args) \
	TMAP_OPT_CHOICE(args, common.sync, 0, "sync", "SYNC", "barrier", &tmap_syncs, \
			TMAP_KEYWORDS_ALL, "what the ranks begin a repetition by")
#define TMAP_BENCH_OFF_CACHE(args) \
	TMAP_OPT_SIZE(args, common.off_cache, 0, "off-cache", "SIZE", NULL, \
		      "before each repetition each rank writes so many bytes of other memory, so " \
		      "that its data is in no cache: twice the size of its last one, or more")
#define TMAP_BENCH_BY_ROUNDS(args) \
	TMAP_OPT_FLAG(args, common.by_rounds, 0, "by-rounds", \
		      "end each round of topomap's algorithms at a rank before its next one " \
		      "begins, as predicted times mean it; without it a message leaves when " \
		      "what it carries is there")
#define TMAP_BENCH_RAW(args) \
	TMAP_OPT_FLAG(args, common.raw, 0, "raw", \
		      "keep the time of every repetition in the JSON document")
#define TMAP_BENCH_PROGRESS(args) \
	TMAP_OPT_FLAG(args, common.progress, 0, "progress", \
		      "say on standard error what is measured next, and how long it may take")
#define TMAP_BENCH_FORMAT(args) \
	TMAP_OPT_FORMAT(args, common.format, "text", \
			TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(CSV))
#define TMAP_BENCH_OUTPUT(args) TMAP_OPT_OUTPUT_AS(args, common.output, ".json or .csv")

/** Of which collectives and sizes. */
struct tmap_bench_what {
	int collective_count;
	enum tmap_collective collective[TMAP_COLLECTIVE_COUNT]; /**< each once */
	int size_count;
	int64_t *bytes; /**< [size_count], rising */
};

/** These rows of tmap_collectives, and what the words say of sizes, which are there unless all is a barrier. @p
 *  otherwise: sizes where none are; NULL: they may not be missing. TMAP_USAGE. */
int tmap_bench_what_init(struct tmap_bench_what *what, uint64_t collectives, const char *sizes,
			 const char *otherwise, struct tmap_error *err);

/** Refuse (TMAP_INPUT) sizes that MPI cannot count on @p ranks ranks: what is measured before such a
 *  size would be lost. */
int tmap_bench_sizes_check(enum tmap_collective collective, const int64_t *bytes, int count,
			   int ranks, struct tmap_error *err);
int tmap_bench_what_check(const struct tmap_bench_what *what, int ranks, struct tmap_error *err);
/** Refuse a root that is no rank (as tmap_root_check()), or (TMAP_USAGE) where no collective has one. */
int tmap_bench_root_check(const struct tmap_bench_what *what, int root, int size,
			  struct tmap_error *err);
void tmap_bench_what_fini(struct tmap_bench_what *what);

/** How many sizes a collective is measured at, and number @p i of them: a barrier at one, 0. */
int tmap_bench_what_sizes(const struct tmap_bench_what *what, enum tmap_collective collective);
int64_t tmap_bench_what_bytes(const struct tmap_bench_what *what, enum tmap_collective collective,
			      int i);

/** How often the options say, over what @p rule has where they say nothing of how it ends; a number
 *  alone is exactly that number. Refuses (TMAP_USAGE) what is no positive number, and options that
 *  say nothing together. */
int tmap_bench_rule(struct tmap_repetition_rule *rule, const struct tmap_bench_args *args,
		    struct tmap_error *err);

#endif
