/*
 * hydra_words.h - the words of Hydra's -bind-to and -map-by.
 */
#ifndef TMAP_CORE_PLACE_HYDRA_WORDS_H
#define TMAP_CORE_PLACE_HYDRA_WORDS_H

#include "core/base/keyword.h"
#include "core/machine/topology.h"

/** The first rows of tmap_hydra_words: no binding, and PUs by their index; then its words for
 *  objects (core/machine/types.h). */
enum { TMAP_HYDRA_NONE, TMAP_HYDRA_RR, TMAP_HYDRA_OBJECTS };

/** The words of -bind-to and, from the third on, of -map-by. */
extern const struct tmap_keywords tmap_hydra_words;
#define TMAP_HYDRA_BIND_WORDS TMAP_KEYWORDS_ALL
#define TMAP_HYDRA_MAP_WORDS \
	(TMAP_KEYWORDS_ALL & \
	 ~(TMAP_KEYWORDS_BIT(TMAP_HYDRA_NONE) | TMAP_KEYWORDS_BIT(TMAP_HYDRA_RR)))

/** A number of objects, "core:2". */
struct tmap_hydra_objects {
	int word; /**< row of tmap_hydra_words */
	int count;
};

/** Read "WORD[:COUNT]"; among: which words. */
int tmap_hydra_parse(struct tmap_hydra_objects *objects, const char *text, uint64_t among,
		     struct tmap_error *err);

/** The type of objects that a word means; TMAP_NODE for "machine". */
enum tmap_type tmap_hydra_type(int word);

#endif
