/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/hierarchical.h"

#include "core/algorithms/phase.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/group/hierarchy.h"

#include <stdlib.h>

enum { LEVELS, ELECT, INNER, UPWARDS, DOWNWARDS }; /* parameters */

enum where { UP, TOP, DOWN };

/* One collective in the outermost group, or in the groups of all levels below it. */
struct step {
	enum where where;
	enum tmap_collective collective;
	int param; /* of the algorithm; LEVELS: there is no such step */
};

/* The collectives that rows have, and their steps in order. */
static const struct step steps[TMAP_COLLECTIVE_COUNT][3] = {
	[TMAP_BCAST] = { { TOP, TMAP_BCAST, INNER }, { DOWN, TMAP_BCAST, INNER } },
	[TMAP_SCATTER] = { { TOP, TMAP_SCATTER, INNER }, { DOWN, TMAP_SCATTER, INNER } },
	[TMAP_REDUCE] = { { UP, TMAP_REDUCE, INNER }, { TOP, TMAP_REDUCE, INNER } },
	[TMAP_GATHER] = { { UP, TMAP_GATHER, INNER }, { TOP, TMAP_GATHER, INNER } },
	[TMAP_ALLGATHER] = { { UP, TMAP_GATHER, UPWARDS },
			     { TOP, TMAP_ALLGATHER, INNER },
			     { DOWN, TMAP_BCAST, DOWNWARDS } },
	[TMAP_ALLREDUCE] = { { UP, TMAP_REDUCE, UPWARDS },
			     { TOP, TMAP_ALLREDUCE, INNER },
			     { DOWN, TMAP_BCAST, DOWNWARDS } },
	[TMAP_REDUCE_SCATTER] = { { UP, TMAP_REDUCE, UPWARDS },
				  { TOP, TMAP_REDUCE_SCATTER, INNER },
				  { DOWN, TMAP_SCATTER, DOWNWARDS } },
	[TMAP_REDUCE_SCATTER_BLOCK] = { { UP, TMAP_REDUCE, UPWARDS },
					{ TOP, TMAP_REDUCE_SCATTER, INNER },
					{ DOWN, TMAP_SCATTER, DOWNWARDS } },
	[TMAP_ALLTOALL] = { { UP, TMAP_GATHER, UPWARDS },
			    { TOP, TMAP_ALLTOALL, INNER },
			    { DOWN, TMAP_SCATTER, DOWNWARDS } },
	[TMAP_BARRIER] = { { UP, TMAP_REDUCE, UPWARDS },
			   { TOP, TMAP_BARRIER, INNER },
			   { DOWN, TMAP_BCAST, DOWNWARDS } },
};

/* The groups of one level at work, or the outermost. */
struct hierarchical_work {
	const struct tmap_call *call;
	struct tmap_hierarchy h;
	int first, end;         /* communicators */
	int *start, *root;      /* of their groups, as teams; room for all of them */
	int64_t *block, *count; /* [members]: the ranks that a member leads, in h.member; NULL: only
				   itself */
};

static const struct step *call_steps(const struct tmap_call *call)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	return steps[algorithm->gathers ? TMAP_GATHER : algorithm->collective];
}

/* The first words after "all" are tiers of the network, the leaves last; these may have headings
 * of their own. */
static const char *level_name(const struct tmap_machine *machine, int64_t word)
{
	int64_t tier = TMAP_HIERARCHICAL_TIERS - word;

	return tier >= 0 && tier < machine->tier_count ? machine->tier[tier].name :
							 tmap_hierarchical_level(word);
}

/* "node,numa"; *names is NULL for all levels. */
static int levels_name(char **names, const struct tmap_call *call, struct tmap_error *err)
{
	int64_t value = call->choice.value[LEVELS];
	struct tmap_str text = TMAP_STR_INIT;

	*names = NULL;
	if (value == 0)
		return 0;
	for (int i = 0; tmap_param_word(value, i) != TMAP_NONE; i++)
		if (tmap_param_word(value, i) == 0) {
			tmap_str_fini(&text);
			return tmap_fail(err, TMAP_INPUT,
					 "'all' cannot be combined with other levels");
		} else {
			tmap_str_addf(&text, "%s%s", i ? "," : "",
				      level_name(call->metric->placement->machine,
						 tmap_param_word(value, i)));
		}
	*names = tmap_str_take(&text, err);
	return *names ? 0 : -1;
}

static void hierarchical_work_fini(struct hierarchical_work *work)
{
	tmap_hierarchy_fini(&work->h);
	free(work->start);
	free(work->root);
}

int tmap_hierarchical_communicators(struct tmap_hierarchy *h, const struct tmap_call *call,
				    struct tmap_error *err)
{
	char *names;
	int status = levels_name(&names, call, err);

	if (status == 0)
		status = tmap_hierarchy_init_several(h, call->metric->placement, names, call->root,
						     (enum tmap_elect)call->choice.value[ELECT],
						     err);
	free(names);
	return status;
}

static int hierarchical_work_init(struct hierarchical_work *work, const struct tmap_call *call,
				  struct tmap_error *err)
{
	struct hierarchical_work made = { .call = call };

	if (tmap_hierarchical_communicators(&made.h, call, err) < 0)
		return -1;
	made.start = tmap_alloc_raw((size_t)made.h.comm_count + 1, sizeof *made.start, err);
	made.root = tmap_alloc_raw((size_t)made.h.comm_count, sizeof *made.root, err);
	if (!made.start || !made.root) {
		hierarchical_work_fini(&made);
		return -1;
	}
	*work = made;
	return 0;
}

/* The groups of level @p depth - 1, and of the whole job for depth 0, as teams. */
static struct tmap_comms level_comms(struct hierarchical_work *work, int depth)
{
	const struct tmap_hierarchy *h = &work->h;
	const int *group;

	work->first = depth ? h->level[depth - 1].first : 0;
	work->end = depth ? h->level[depth - 1].end : 1;
	group = h->group + h->group_first[work->first];
	for (int c = work->first; c <= work->end; c++)
		work->start[c - work->first] = h->group_first[c] - h->group_first[work->first];
	for (int t = 0; t < work->end - work->first; t++) {
		int member = work->start[t];

		while (group[member] != h->conduit[work->first + t])
			member++;
		work->root[t] = member - work->start[t];
	}
	return (struct tmap_comms){ work->end - work->first, work->start, group, work->root };
}

/* The place of a rank among the members of its communicator, which rise. */
static int64_t comm_member_at(const struct tmap_hierarchy *h, int comm, int rank)
{
	int64_t low = tmap_comm_listed(h, comm), high = low + tmap_comm_size(h, comm) - 1;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (h->member[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Are others split from it? */
static bool comm_is_split(const struct tmap_hierarchy *h, int comm)
{
	int l = h->split[comm];

	return l != TMAP_NONE && h->level[l].first < h->level[l].end;
}

/* The ranks that each member of the teams leads; only the lists that say so are there meanwhile. */
static int comms_find_blocks(struct hierarchical_work *work, const struct step *step, int depth,
			     const struct tmap_comms *teams, struct tmap_error *err)
{
	const struct tmap_hierarchy *h = &work->h;
	size_t members = (size_t)teams->start[teams->count];
	int end = TMAP_NONE; /* of the levels at which they are split */

	work->block = work->count = NULL;
	for (int c = work->first; c < work->end; c++)
		if (comm_is_split(h, c) && h->split[c] >= end)
			end = h->split[c] + 1;
	if (end == TMAP_NONE || !tmap_phase_has_blocks(step->collective))
		return 0;
	if (tmap_hierarchy_list(&work->h, depth - 1, end, err) < 0)
		return -1;
	work->block = tmap_alloc_raw(members, sizeof *work->block, err);
	work->count = tmap_alloc_raw(members, sizeof *work->count, err);
	for (int t = 0; work->block && work->count && t < teams->count; t++)
		for (int member = teams->start[t]; member < teams->start[t + 1]; member++) {
			int comm = work->first + t, rank = teams->member[member];
			int below = tmap_hierarchy_below(h, comm, rank);

			work->block[member] = below == TMAP_NONE ? comm_member_at(h, comm, rank) :
								   tmap_comm_listed(h, below);
			work->count[member] = below == TMAP_NONE ? 1 : tmap_comm_size(h, below);
		}
	return work->block && work->count ? 0 : -1;
}

static struct tmap_lists comms_lists(const struct hierarchical_work *work)
{
	if (!work->block)
		return (struct tmap_lists){ .kind = TMAP_LIST_OWN };
	return (struct tmap_lists){ TMAP_LIST_PART, work->h.member, work->block, work->count, 0 };
}

static struct tmap_spec step_inner(const struct hierarchical_work *work, const struct step *step,
				   int depth)
{
	int64_t value = work->call->choice.value[step->param];
	int word = step->param == INNER ? depth : depth - 1;

	while (word > 0 && tmap_param_word(value, word) == TMAP_NONE)
		word--;
	return tmap_phase_spec(step->collective, tmap_param_word(value, word));
}

static int level_check(struct hierarchical_work *work, const struct step *step, int depth,
		       struct tmap_error *err)
{
	struct tmap_phase phase = { .choice = step_inner(work, step, depth),
				    .teams = level_comms(work, depth) };

	return tmap_phase_check(&phase, err);
}

/* Blocks of an alltoall are what all ranks have for those below, or these for all. */
static int level_emit(struct hierarchical_work *work, const struct step *step, int depth,
		      struct tmap_emit *emit)
{
	const struct tmap_lists all = { .kind = TMAP_LIST_ALL };
	struct tmap_phase phase = { .choice = step_inner(work, step, depth),
				    .teams = level_comms(work, depth) };
	int status = comms_find_blocks(work, step, depth, &phase.teams, emit->err);

	phase.block = phase.receivers = comms_lists(work);
	if (tmap_call_algorithm(work->call)->collective == TMAP_ALLTOALL) {
		if (step->collective == TMAP_GATHER)
			phase.receivers = all;
		else if (step->collective == TMAP_SCATTER)
			phase.block = all;
	}
	if (status == 0)
		status = tmap_phase_emit(emit, &phase);
	free(work->block);
	free(work->count);
	tmap_hierarchy_unlist(&work->h);
	return status;
}

/* All levels of a step, checked, or emitted where @p emit is not NULL. */
static int step_run(struct hierarchical_work *work, const struct step *step, struct tmap_emit *emit,
		    struct tmap_error *err)
{
	int levels = work->h.level_count, count = step->where == TOP ? 1 : levels;
	int status = 0;

	for (int i = 0; i < count && status == 0; i++) {
		int depth = step->where == UP ? levels - i : step->where == DOWN ? 1 + i : 0;

		status = emit ? level_emit(work, step, depth, emit) :
				level_check(work, step, depth, err);
	}
	return status;
}

static int hierarchical_steps_run(struct hierarchical_work *work, struct tmap_emit *emit,
				  struct tmap_error *err)
{
	const struct step *step = call_steps(work->call);

	for (int i = 0; i < 3 && step[i].param != LEVELS; i++)
		if (step_run(work, &step[i], emit, err) < 0)
			return -1;
	return 0;
}

int tmap_hierarchical_check(const struct tmap_call *call, struct tmap_error *err)
{
	const char *name = call->choice.row->word.name;
	struct hierarchical_work work;
	int status;

	if (!call->metric || !call->metric->placement)
		return tmap_fail(err, TMAP_INPUT,
				 "%s splits the ranks by the machine: it needs a "
				 "placement",
				 name);
	status = hierarchical_work_init(&work, call, err);
	if (status == 0) {
		if (call->size > 1 && work.h.level_count == 0)
			status = tmap_fail(err, TMAP_INPUT, "the ranks fall apart at no level");
		else
			status = hierarchical_steps_run(&work, NULL, err);
		hierarchical_work_fini(&work);
	}
	return status < 0 ? tmap_wrap(err, "%s", name) : 0;
}

static bool step_takes_whole(const struct tmap_call *call, const struct step *step)
{
	int64_t word, value = call->choice.value[step->param];
	struct tmap_call inner = { .size = call->size, .bytes = call->bytes };

	for (int i = 0; (word = tmap_param_word(value, i)) != TMAP_NONE; i++) {
		inner.choice = tmap_phase_spec(step->collective, word);
		if (tmap_unit_count(&inner) > 1)
			return false;
	}
	return true;
}

int64_t tmap_hierarchical_pieces(const struct tmap_call *call)
{
	const struct step *step = call_steps(call);

	for (int i = 0; i < 3 && step[i].param != LEVELS; i++)
		if (!step_takes_whole(call, &step[i]))
			return tmap_piece_a_byte(call);
	return 1;
}

int tmap_hierarchical(struct tmap_emit *emit)
{
	struct hierarchical_work work;
	int status = hierarchical_work_init(&work, emit->call, emit->err);

	if (status < 0)
		return -1;
	tmap_hierarchy_unlist(&work.h); /* it was needed to find who leads */
	status = hierarchical_steps_run(&work, emit, emit->err);
	hierarchical_work_fini(&work);
	return status;
}
