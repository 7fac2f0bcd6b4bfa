/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/ucc_algorithms.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* MPI's reduce_scatter is UCC's reduce_scatterv, and reduce_scatter_block its reduce_scatter. */
static const struct tmap_ucc_collective rows[] = {
	{ { "allgather", NULL }, 0, "knomial ring neighbor bruck sparbit linear batched" },
	{ { "allgatherv", NULL }, 1, "ring knomial" },
	{ { "allreduce", NULL }, 2, "knomial sra_knomial sliding_window dbt ring" },
	{ { "alltoall", NULL }, 3, "pairwise bruck onesided" },
	{ { "alltoallv", NULL }, 4, "pairwise hybrid onesided" },
	{ { "barrier", NULL }, 6, NULL },
	{ { "bcast", NULL }, 7, "knomial sag_knomial dbt" },
	{ { "fanin", NULL }, TMAP_NONE, NULL },
	{ { "fanout", NULL }, TMAP_NONE, NULL },
	{ { "gather", NULL }, 9, NULL },
	{ { "gatherv", NULL }, 10, NULL },
	{ { "reduce", NULL }, 11, "knomial dbt srg" },
	{ { "reduce_scatter", NULL }, 13, "ring knomial" },
	{ { "reduce_scatterv", NULL }, 12, "ring" },
	{ { "scatter", NULL }, 15, NULL },
	{ { "scatterv", NULL }, 16, NULL },
	{ { NULL, NULL }, TMAP_NONE, NULL },
};

const struct tmap_ucc_collective *tmap_ucc_collective_at(int i)
{
	return (size_t)i < sizeof rows / sizeof *rows - 1 ? &rows[i] : NULL;
}

const struct tmap_ucc_collective *tmap_ucc_collective_find(const char *name, size_t length)
{
	for (int i = 0; rows[i].word.name; i++)
		if (strlen(rows[i].word.name) == length &&
		    strncasecmp(rows[i].word.name, name, length) == 0)
			return &rows[i];
	return NULL;
}

const struct tmap_ucc_collective *tmap_ucc_collective_of(int64_t number)
{
	for (int i = 0; rows[i].word.name; i++)
		if (rows[i].number != TMAP_NONE && rows[i].number == number)
			return &rows[i];
	return NULL;
}

const char *tmap_ucc_algorithm_name(const struct tmap_ucc_collective *row, int64_t algorithm,
				    int *length)
{
	const char *at = row->algorithms;

	for (int64_t i = 1; at && *at && i < algorithm; i++) {
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	if (!at || !*at || algorithm < 1)
		return NULL;
	*length = (int)strcspn(at, " ");
	return at;
}

int tmap_ucc_algorithm_find(const struct tmap_ucc_collective *row, const char *name, size_t length)
{
	bool is_number = length && strspn(name, "0123456789") >= length;
	int its;

	for (int i = 1;; i++) {
		const char *known = tmap_ucc_algorithm_name(row, i, &its);

		if (!known)
			return 0;
		if (is_number ? length < 4 && atoi(name) == i - 1 :
				(size_t)its == length && strncasecmp(known, name, length) == 0)
			return i;
	}
}
