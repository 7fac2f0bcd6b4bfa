/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/catalogue.h"

#include "core/algorithms/tables.h"
#include "core/base/nearest.h"
#include "core/tree/shapes.h"

#include <string.h>

enum { ROW_SIZE = sizeof(struct tmap_algorithm) };

const struct tmap_keywords *tmap_algorithms(enum tmap_collective collective)
{
	static const struct tmap_keywords tables[TMAP_COLLECTIVE_COUNT] = {
		[TMAP_ALLGATHER] = { .what = "allgather algorithm",
				     .rows = tmap_allgather_algorithms,
				     .stride = ROW_SIZE },
		[TMAP_BCAST] = { .what = "bcast algorithm",
				 .rows = tmap_bcast_algorithms,
				 .stride = ROW_SIZE },
		[TMAP_REDUCE] = { .what = "reduce algorithm",
				  .rows = tmap_reduce_algorithms,
				  .stride = ROW_SIZE },
		[TMAP_GATHER] = { .what = "gather algorithm",
				  .rows = tmap_gather_algorithms,
				  .stride = ROW_SIZE },
		[TMAP_SCATTER] = { .what = "scatter algorithm",
				   .rows = tmap_scatter_algorithms,
				   .stride = ROW_SIZE },
		[TMAP_ALLREDUCE] = { .what = "allreduce algorithm",
				     .rows = tmap_allreduce_algorithms,
				     .stride = ROW_SIZE },
		[TMAP_REDUCE_SCATTER] = { .what = "reduce_scatter algorithm",
					  .rows = tmap_reduce_scatter_algorithms,
					  .stride = ROW_SIZE },
		[TMAP_REDUCE_SCATTER_BLOCK] = { .what = "reduce_scatter_block",
						.rows = tmap_reduce_scatter_block_algorithms,
						.stride = ROW_SIZE },
		[TMAP_ALLTOALL] = { .what = "alltoall algorithm",
				    .rows = tmap_alltoall_algorithms,
				    .stride = ROW_SIZE },
		[TMAP_SCAN] = { .what = "scan algorithm",
				.rows = tmap_scan_algorithms,
				.stride = ROW_SIZE },
		[TMAP_EXSCAN] = { .what = "exscan algorithm",
				  .rows = tmap_exscan_algorithms,
				  .stride = ROW_SIZE },
		[TMAP_BARRIER] = { .what = "barrier algorithm",
				   .rows = tmap_barrier_algorithms,
				   .stride = ROW_SIZE },
		[TMAP_NEIGHBOR_ALLGATHER] = { .what = "neighbor_allgather algorithm",
					      .rows = tmap_neighbor_allgather_algorithms,
					      .stride = ROW_SIZE },
		[TMAP_NEIGHBOR_ALLTOALL] = { .what = "neighbor_alltoall algorithm",
					     .rows = tmap_neighbor_alltoall_algorithms,
					     .stride = ROW_SIZE },
	};

	return &tables[collective];
}

int tmap_algorithms_tried(enum tmap_collective collective)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	const struct tmap_algorithm *row;
	int count = 0;

	while ((row = (const void *)tmap_keywords_at(words, (size_t)count)) && !row->by_name)
		count++;
	return count;
}

static bool catalogue_is_named(const struct tmap_keywords *words, const char *name, size_t length)
{
	const struct tmap_keyword *word;

	for (size_t i = 0; (word = tmap_keywords_at(words, i)); i++)
		if (strlen(word->name) == length && strncmp(word->name, name, length) == 0)
			return true;
	return false;
}

/* The shapes that commands compare with the distance-aware ones. Most of the trees are broadcasts,
 * and one of the rings an allgather; the others are not in the catalogue. */
static const struct catalogue_shapes {
	const struct tmap_keywords *words;
	enum tmap_collective collective;
	const char *kind;
} catalogue_shapes[] = {
	{ .words = &tmap_tree_shapes, .collective = TMAP_BCAST, .kind = "tree" },
	{ .words = &tmap_ring_shapes, .collective = TMAP_ALLGATHER, .kind = "ring" },
};

/* The kind of shape of a name that is nothing else; NULL: it is no shape, or an algorithm, too. */
static const char *catalogue_find_shape(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof catalogue_shapes / sizeof *catalogue_shapes; i++) {
		const struct catalogue_shapes *it = &catalogue_shapes[i];

		if (catalogue_is_named(it->words, name, length) &&
		    !catalogue_is_named(tmap_algorithms(it->collective), name, length))
			return it->kind;
	}
	return NULL;
}

/* A name that no row has: two meanings, a shape, a slip of the fingers, or none of these. */
static int refuse_name(const struct tmap_keywords *words, const char *name, size_t length,
		       struct tmap_error *err)
{
	const struct tmap_keyword *word;
	struct tmap_nearest nearest;
	const char *shape = catalogue_find_shape(name, length);

	if (shape)
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s' is a %s that topomap %s compares with (--against), "
				 "and no %s",
				 (int)length, name, shape, shape, words->what);
	if (length == 8 && strncmp(name, "binomial", 8) == 0 &&
	    catalogue_is_named(words, "binomial_far", 12))
		return tmap_fail(
			err, TMAP_INPUT,
			"'binomial' names two trees: use binomial_near (Open "
			"MPI's broadcast, the nearest rank first) or binomial_far (MPICH's, "
			"the farthest first)%s",
			catalogue_is_named(words, "binomial_near", 13) ?
				"" :
				"; this collective has the second");
	tmap_nearest_init(&nearest, name, length);
	for (size_t i = 0; (word = tmap_keywords_at(words, i)); i++)
		tmap_nearest_add(&nearest, word->name);
	if (nearest.best)
		return tmap_fail(err, TMAP_INPUT, "unknown %s '%.*s'; did you mean '%s'?",
				 words->what, (int)length, name, nearest.best);
	return 0;
}

int tmap_call_parse(struct tmap_call *call, enum tmap_collective collective, const char *text,
		    struct tmap_error *err)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	size_t length = strcspn(text, ",");

	if (!catalogue_is_named(words, text, length) && refuse_name(words, text, length, err) < 0)
		return -1;
	return tmap_spec_parse(&call->choice, words, text, err);
}
