/*
 * hydra_words.h - what Hydra's -bind-to and -map-by say.
 */
#ifndef TM_POLICIES_HYDRA_WORDS_H
#define TM_POLICIES_HYDRA_WORDS_H

#include "core/machine/topology.h"
#include "core/base/keyword.h"

/** The first rows of tm_hydra_words: no binding, and PUs by their index. */
enum { TM_HYDRA_NONE, TM_HYDRA_RR };

/** The words of -bind-to and, from the third on, of -map-by. */
extern const struct tm_words tm_hydra_words;
#define TM_HYDRA_BIND_WORDS TM_WORDS_ALL
#define TM_HYDRA_MAP_WORDS \
	(TM_WORDS_ALL & ~(TM_WORDS_BIT(TM_HYDRA_NONE) | TM_WORDS_BIT(TM_HYDRA_RR)))

/** A number of objects, "core:2". */
struct tm_hydra_objects {
	int word;            /**< row of tm_hydra_words */
	int count;
};

/** Read "WORD[:COUNT]"; among says which words. */
int tm_hydra_parse(struct tm_hydra_objects *objects, const char *text, uint64_t among,
		   struct tm_error *err);

/** The type of objects that a word means; TM_NODE for "machine". */
enum tm_type tm_hydra_type(int word);

#endif
