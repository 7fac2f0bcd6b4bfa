/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/library.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum family { OPENMPI, MPICH, UCC };

struct row {
	struct tmap_keyword word;
	const char *version; /* the beginning of its version string; NULL: it has none */
	enum family family;
	int release;
	bool from_sources; /* what is known of it was read, and not compared with its messages */
	struct tmap_library_choice (*choose)(const struct tmap_library_call *call);
};

struct tmap_library_choice tmap_library_choice_of(const char *algorithm, const char *how,
						  int number)
{
	struct tmap_library_choice choice = { .how = how, .number = number };

	snprintf(choice.algorithm, sizeof choice.algorithm, "%s", algorithm ? algorithm : "");
	return choice;
}

/* By the score strings of tl/ucp: from so many bytes on another algorithm. Its exchanges are of a
 * radix that it finds by the ranks, its rings go by host and socket, and hosts by a hash, so none
 * is a row of the catalogue. */
struct tmap_library_choice tmap_ucc_choose(const struct tmap_library_call *call)
{
	static const struct {
		enum tmap_collective collective;
		int64_t from;
		const char *how;
	} rules[] = {
		{ TMAP_ALLGATHER, 4096, "a ring, or neighbor exchange, by hosts and sockets" },
		{ TMAP_ALLGATHER, 0, "k-nomial up to 4 KiB in all" },
		{ TMAP_ALLREDUCE, 4096, "k-nomial scatter-reduce and allgather from 4 KiB on" },
		{ TMAP_ALLREDUCE, 0, "k-nomial up to 4 KiB" },
		{ TMAP_BCAST, 32768, "k-nomial scatter and allgather from 32 KiB on" },
		{ TMAP_BCAST, 0, "k-nomial of radix 4 up to 32 KiB" },
		{ TMAP_REDUCE, 32768, "k-nomial scatter-reduce and gather from 32 KiB on" },
		{ TMAP_REDUCE, 0, "k-nomial of radix 4 up to 32 KiB" },
		{ TMAP_REDUCE_SCATTER, 0, "a ring by hosts and sockets" },
		{ TMAP_ALLTOALL, 0, "Bruck if short, else pairwise" },
		{ TMAP_GATHER, 0, "k-nomial of radix 4" },
		{ TMAP_SCATTER, 0, "k-nomial of radix 4" },
		{ TMAP_BARRIER, 0, "k-nomial of radix 8" },
	};

	int64_t bytes = call->bytes;

	if (call->collective == TMAP_ALLGATHER && /* by all blocks together */
	    __builtin_mul_overflow(bytes, call->size, &bytes))
		bytes = INT64_MAX;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].collective == call->collective && bytes >= rules[i].from)
			return tmap_library_choice_of(NULL, rules[i].how, 0);
	return tmap_library_choice_of(NULL, "it has none of its own", 0);
}

/* coll/basic and MPICH's "nb": all sends and receives at once. */
static struct tmap_library_choice neighbors_choose(bool is_ucc)
{
	if (is_ucc)
		return tmap_library_choice_of(NULL, "it has no neighborhood collectives", 0);
	return tmap_library_choice_of("linear", "all neighbors at once", 0);
}

static const struct row rows[] = {
	{ { "openmpi4", "Open MPI 4.1" }, "Open MPI v4.1.", OPENMPI, 4, false, tmap_openmpi4_choose },
	{ { "openmpi5", "Open MPI 5.0" }, "Open MPI v5.0.", OPENMPI, 5, false, tmap_openmpi5_choose },
	{ { "mpich", "MPICH 4" }, "MPICH 4.", MPICH, 4, false, tmap_mpich_choose },
	{ { "ucc", "UCC" }, NULL, UCC, 1, true, tmap_ucc_choose },
	{ { "openmpi6", "Open MPI 6.0" }, "Open MPI v6.0.", OPENMPI, 6, true, tmap_openmpi6_choose },
	{ { "mpich5", "MPICH 5" }, "MPICH 5.", MPICH, 5, true, tmap_mpich_choose },
	{ { "mpich41", "MPICH 4.1 to 4.3" }, "MPICH 4.", MPICH, 4, false, tmap_mpich_choose },
	{ { NULL, NULL }, NULL, OPENMPI, 0, false, NULL },
};

/* Of MPICH: the releases whose selection files a library's are. */
static const struct {
	const char *library;
	struct tmap_library_releases releases;
} selections[] = {
	{ "mpich", { 40, 40 } },
	{ "mpich41", { 41, 43 } },
	{ "mpich5", { 50, 50 } },
};

enum { LISTED = 4 };

const struct tmap_keywords tmap_libraries = TMAP_KEYWORDS("library", rows);

bool tmap_library_is_of(int index, const char *version)
{
	const char *begin = rows[index].version;

	return begin && strncmp(version, begin, strlen(begin)) == 0;
}

int tmap_library_of(const char *version)
{
	for (int i = 0; rows[i].word.name; i++)
		if (tmap_library_is_of(i, version))
			return i;
	return TMAP_NONE;
}

struct tmap_library_releases tmap_library_releases(int index)
{
	for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
		if (strcmp(selections[i].library, rows[index].word.name) == 0)
			return selections[i].releases;
	return (struct tmap_library_releases){ 0, 0 };
}

int tmap_library_selects_for(const char *version)
{
	int major, minor, release;

	if (sscanf(version, "MPICH %d.%d", &major, &minor) != 2)
		return TMAP_NONE;
	release = major == 4 && minor < 10 ? 40 + minor : major == 5 ? 50 : TMAP_NONE;
	for (int i = 0; rows[i].word.name; i++) {
		struct tmap_library_releases it = tmap_library_releases(i);

		if (it.first && release >= it.first && release <= it.last)
			return i;
	}
	return TMAP_NONE;
}

struct tmap_library_pick tmap_library_pick(int wanted, const struct tmap_placement *placement)
{
	const char *version = placement->origin.mpi;
	int known = version ? tmap_library_of(version) : TMAP_NONE;

	if (wanted != TMAP_NONE)
		return (struct tmap_library_pick){ wanted, TMAP_LIBRARY_NAMED };
	if (known != TMAP_NONE)
		return (struct tmap_library_pick){ known, TMAP_LIBRARY_OF_JOB };
	return (struct tmap_library_pick){ 0, TMAP_LIBRARY_PRESET };
}

const char *tmap_library_pick_reason(const struct tmap_library_pick *pick)
{
	static const char *const reasons[][2] = {
		[TMAP_LIBRARY_NAMED] = { "named by --library",
					 "named by --library; its rules are from its sources, "
					 "not run" },
		[TMAP_LIBRARY_OF_RECORD] = { "the library of the record",
					     "the library of the record; its rules are from its "
					     "sources, not run" },
		[TMAP_LIBRARY_OF_JOB] = { "the library of the placement",
					  "the library of the placement; its rules are from its "
					  "sources, not run" },
		[TMAP_LIBRARY_PRESET] = { "the default, as the placement names no library that is "
					  "known",
					  NULL },
	};

	return reasons[pick->why][rows[pick->library].from_sources];
}

bool tmap_library_is_listed(int index, const struct tmap_library_pick *pick)
{
	return index < LISTED || index == pick->library;
}

struct tmap_library_levels tmap_library_levels(int index, const struct tmap_order *order)
{
	struct tmap_library_levels made = {
		.how = "its trees go by an order of its own, and cl/hier "
		       "is not taken by itself"
	};
	const char *part = "compositions of ch4";

	if (rows[index].family == OPENMPI)
		made.how = rows[index].release < 5 ?
			"coll/han has priority 0, and the other components have none" :
			"coll/han wants several nodes, and several ranks on one of them";
	else if (rows[index].family == MPICH)
		made.how = "its compositions want several ranks on a node";
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
		enum tmap_collective collective = (enum tmap_collective)c;

		if (rows[index].family == MPICH)
			made.takes[c] = tmap_mpich_composes(collective, order);
		else if (tmap_library_takes_han(index))
			made.takes[c] = tmap_has_han(collective, order);
		made.by_node = made.by_node || made.takes[c];
	}
	if (tmap_library_takes_han(index))
		part = "coll/han";
	if (made.by_node)
		made.how = part;
	return made;
}

/* What libraries hand over to another algorithm, also where they are set to it: vectors of fewer
 * elements than ranks, or than the largest power of two that is at most these. */
static const struct {
	enum tmap_collective collective;
	const char *algorithm;
	bool power;
	unsigned families;
} hand_overs[] = {
	{ TMAP_ALLREDUCE, "ring", false, 1 << OPENMPI },
	{ TMAP_ALLREDUCE, "segmented_ring", false, 1 << OPENMPI },
	{ TMAP_ALLREDUCE, "rabenseifner", true, 1 << OPENMPI | 1 << MPICH },
	{ TMAP_REDUCE, "rabenseifner", true, 1 << OPENMPI | 1 << MPICH },
	{ TMAP_BCAST, "scatter_allgather", false, 1 << OPENMPI },
	{ TMAP_BCAST, "scatter_ring", false, 1 << OPENMPI },
};

bool tmap_library_hands_over(int index, const struct tmap_call *call)
{
	enum tmap_collective collective = tmap_call_algorithm(call)->collective;
	int64_t element = call->element ? call->element :
					  tmap_library_element(collective, call->bytes);
	int64_t power = 1;

	while (2 * power <= call->size)
		power *= 2;
	for (size_t i = 0; i < sizeof hand_overs / sizeof *hand_overs; i++)
		if (hand_overs[i].collective == collective &&
		    hand_overs[i].families & 1U << rows[index].family &&
		    strcmp(hand_overs[i].algorithm, call->choice.row->word.name) == 0 &&
		    call->bytes / element < (hand_overs[i].power ? power : call->size))
			return true;
	return false;
}

const char *tmap_library_knob(int index, const struct tmap_knobs *knobs,
			      const struct tmap_spec *choice)
{
	const struct tmap_call call = { .choice = *choice };
	int openmpi_since = tmap_call_algorithm(&call)->openmpi_since;

	switch (rows[index].family) {
	case OPENMPI:
		return openmpi_since > rows[index].release ? NULL : knobs->openmpi;
	case MPICH:
		return knobs->mpich;
	default:
		return knobs->ucc;
	}
}

bool tmap_library_takes_han(int index)
{
	return rows[index].family == OPENMPI && rows[index].release >= 5;
}

bool tmap_library_selects(int index)
{
	return rows[index].family == MPICH;
}

bool tmap_library_rules_by_range(int index)
{
	return rows[index].family == OPENMPI && rows[index].release >= 6;
}

bool tmap_library_is_from_sources(int index)
{
	return rows[index].from_sources;
}

bool tmap_library_is_ucc(int index)
{
	return rows[index].family == UCC;
}

/* Collectives whose own option of coll/tuned stands in a knob, but for one of them. */
static void add_other_collectives(struct tmap_str *text, enum tmap_collective collective,
				  const char *knob)
{
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
		char option[80];

		snprintf(option, sizeof option, "coll_tuned_%s_algorithm ",
			 tmap_collective_rows[c].word.name);
		if (c != (int)collective && strstr(knob, option))
			tmap_str_addf(text, ", and for every call of %s",
				      tmap_collective_rows[c].word.name);
	}
}

char *tmap_library_scope(int index, enum tmap_collective collective, const char *knob,
			 struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_addf(&text, "for %s of every size and communicator",
		      tmap_collective_rows[collective].word.name);
	add_other_collectives(&text, collective, knob);
	if (rows[index].family == OPENMPI && rows[index].release < 5)
		return tmap_str_take(&text, err);
	if (strstr(knob, "coll_han_priority 0"))
		tmap_str_addf(&text, "; coll/han is set aside for all collectives");
	else if (strstr(knob, "coll_han_priority"))
		tmap_str_addf(&text, "; coll/han is preferred for all collectives");
	return tmap_str_take(&text, err);
}

int64_t tmap_library_element(enum tmap_collective collective, int64_t bytes)
{
	int64_t element = tmap_collective_rows[collective].reduces ? 8 : 1;

	while (bytes % element)
		element /= 2;
	return element;
}

int64_t tmap_library_cut(const struct tmap_library_choice *choice, int64_t element)
{
	return element && choice->cuts_bytes ? 1 : element;
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

struct tmap_library_choice tmap_library_rules_own(int index, const struct tmap_library_call *call)
{
	return rows[index].family == OPENMPI ? tmap_library_tuned_own(call) :
					       tmap_library_choose(index, call);
}

struct tmap_library_whole tmap_library_whole(enum tmap_collective collective,
					     const struct tmap_order *order)
{
	return (struct tmap_library_whole){ .openmpi = tmap_has_han(collective, order) ?
						    "--mca coll_han_priority 0" :
						    NULL,
					    .mpich = tmap_mpich_whole(collective, order) };
}

int tmap_library_algorithm_knobs(struct tmap_knobs *knobs, const struct tmap_spec *choice,
				 const struct tmap_library_whole *whole, struct tmap_error *err)
{
	const struct tmap_call call = { .choice = *choice };
	struct tmap_library_whole with = *whole;

	if (tmap_call_algorithm(&call)->knob_by_node)
		with.openmpi = NULL;
	return tmap_library_knobs(knobs, choice, &with, err);
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
