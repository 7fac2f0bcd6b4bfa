/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/library.h"

#include "core/base/mem.h"
#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	struct tmap_keyword word;
	const char *version; /* the beginning of its version string; NULL: it has none */
	struct tmap_library_choice (*choose)(const struct tmap_library_call *call);
};

struct tmap_library_choice tmap_library_choice_of(const char *algorithm, const char *how,
						  int number)
{
	struct tmap_library_choice choice = { .how = how, .number = number };

	snprintf(choice.algorithm, sizeof choice.algorithm, "%s", algorithm ? algorithm : "");
	return choice;
}

/* Its trees have radices of its own, its rings go by host and socket, hosts by a hash. */
struct tmap_library_choice tmap_ucc_choose(const struct tmap_library_call *call)
{
	(void)call;
	return tmap_library_choice_of(NULL, "k-nomial if small, else by ranks a node", 0);
}

/* coll/basic and MPICH's "nb": all sends and receives at once. */
static struct tmap_library_choice neighbors_choose(bool is_ucc)
{
	if (is_ucc)
		return tmap_library_choice_of(NULL, "it has no neighborhood collectives", 0);
	return tmap_library_choice_of("linear", "all neighbors at once", 0);
}

static const struct row rows[] = {
	{ { "openmpi4", "Open MPI 4.1" }, "Open MPI v4.1.", tmap_openmpi4_choose },
	{ { "openmpi5", "Open MPI 5.0" }, "Open MPI v5.0.", tmap_openmpi5_choose },
	{ { "mpich", "MPICH 4" }, "MPICH 4.", tmap_mpich_choose },
	{ { "ucc", "UCC" }, NULL, tmap_ucc_choose },
	{ { NULL, NULL }, NULL, NULL },
};

const struct tmap_keywords tmap_libraries = TMAP_KEYWORDS("library", rows);

int tmap_library_of(const char *version)
{
	for (int i = 0; rows[i].word.name; i++)
		if (rows[i].version &&
		    strncmp(version, rows[i].version, strlen(rows[i].version)) == 0)
			return i;
	return TMAP_NONE;
}

int64_t tmap_library_element(enum tmap_collective collective, int64_t bytes)
{
	int64_t element = tmap_collective_rows[collective].reduces ? 8 : 1;

	while (bytes % element)
		element /= 2;
	return element;
}

struct tmap_library_choice tmap_library_choose(int index, const struct tmap_library_call *call)
{
	struct tmap_library_call made = *call;

	if (!made.element)
		made.element = tmap_library_element(call->collective, call->bytes);
	if (call->size == 1)
		return tmap_library_choice_of(NULL, "one rank sends nothing", 0);
	if (tmap_collective_rows[call->collective].has_neighbors)
		return neighbors_choose(rows[index].choose == tmap_ucc_choose);
	return rows[index].choose(&made);
}

struct tmap_library_whole tmap_library_whole(enum tmap_collective collective,
					     const struct tmap_order *order)
{
	return (struct tmap_library_whole){ .openmpi = tmap_has_han(collective, order) ?
						    "--mca coll_han_priority 0" :
						    NULL,
					    .mpich = tmap_mpich_whole(collective, order) };
}

void tmap_library_knobs_fini(struct tmap_knobs *knobs)
{
	free((char *)knobs->openmpi);
	free((char *)knobs->mpich);
	free((char *)knobs->ucc);
	*knobs = (struct tmap_knobs){ 0 };
}

/* *knob = the knob and what goes with it; NULL where one has no knob. */
static int knob_fill(const char **knob, const struct tmap_spec *choice, const char *text,
		     const char *whole, struct tmap_error *err)
{
	char *alone, *both;

	if (tmap_spec_fill(&alone, choice, text, err) < 0)
		return -1;
	if (!alone || !whole) {
		*knob = alone;
		return 0;
	}
	both = tmap_format(err, "%s %s", alone, whole);
	free(alone);
	*knob = both;
	return both ? 0 : -1;
}

int tmap_library_knobs(struct tmap_knobs *knobs, const struct tmap_spec *choice,
		       const struct tmap_library_whole *whole, struct tmap_error *err)
{
	const struct tmap_knobs *texts = &choice->row->knobs;
	struct tmap_knobs made = { 0 };

	if (knob_fill(&made.openmpi, choice, texts->openmpi, whole->openmpi, err) < 0 ||
	    knob_fill(&made.mpich, choice, texts->mpich, whole->mpich, err) < 0 ||
	    knob_fill(&made.ucc, choice, texts->ucc, NULL, err) < 0) {
		tmap_library_knobs_fini(&made);
		return -1;
	}
	*knobs = made;
	return 0;
}
