/*
 * mapper.h - which rank should take whose place: one row each.
 *
 *     place_of[r] = q     rank r takes the place that rank q has now
 *
 * A mapper only hands out the places that there are: place_of is a permutation.
 */
#ifndef TM_MAPPER_H
#define TM_MAPPER_H

#include "core/machine/placement.h"
#include "core/word.h"

struct tm_mapper {
	struct tm_word word;
	bool moves;          /**< false: every rank stays where it is */
	/** Fill place_of[p->size]. */
	int (*map)(int *place_of, const struct tm_placement *p, struct tm_error *err);
};

/** The mappers by name; the default one first. */
extern const struct tm_words tm_mappers;

/** Row @p index of the table. */
const struct tm_mapper *tm_mapper_at(int index);

/** What row @p index of the table makes of a placement: [p->size], the caller's to free. */
int *tm_mapper_run(int index, const struct tm_placement *p, struct tm_error *err);

/** The order in which one walks the machine depth first: switches from the top tier down,
 *  nodes, and inside a node its objects in preorder. Each set of the process distance (of
 *  every scale, where all nodes are of one kind) is then one interval of ranks, so the path
 *  and the ring of the ranks cross every border as seldom as any order can, at all distances
 *  at once. Ranks on one object keep their order.
 *  O(N log N + p log p), 8 bytes a rank. */
int tm_map_walk(int *place_of, const struct tm_placement *p, struct tm_error *err);

#endif
