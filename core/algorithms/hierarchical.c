#include "core/algorithms/hierarchical.h"

#include "core/algorithms/phase.h"
#include "core/group/alike.h"
#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>

enum { LEVELS, ELECT, INNER, UPWARDS, DOWNWARDS }; /* parameters */

enum where { UP, TOP, DOWN };

/* One collective in the outermost group, or in the groups of all levels below it. */
struct step {
	enum where where;
	enum tm_collective collective;
	int param;           /* that says which algorithm; LEVELS: there is no such step */
};

/* The collectives that rows have, and their steps in order. */
static const struct step steps[TM_COLLECTIVE_COUNT][3] = {
	[TM_BCAST] = { { TOP, TM_BCAST, INNER }, { DOWN, TM_BCAST, INNER } },
	[TM_SCATTER] = { { TOP, TM_SCATTER, INNER }, { DOWN, TM_SCATTER, INNER } },
	[TM_REDUCE] = { { UP, TM_REDUCE, INNER }, { TOP, TM_REDUCE, INNER } },
	[TM_GATHER] = { { UP, TM_GATHER, INNER }, { TOP, TM_GATHER, INNER } },
	[TM_ALLGATHER] = { { UP, TM_GATHER, UPWARDS }, { TOP, TM_ALLGATHER, INNER },
			   { DOWN, TM_BCAST, DOWNWARDS } },
	[TM_ALLREDUCE] = { { UP, TM_REDUCE, UPWARDS }, { TOP, TM_ALLREDUCE, INNER },
			   { DOWN, TM_BCAST, DOWNWARDS } },
	[TM_REDUCE_SCATTER] = { { UP, TM_REDUCE, UPWARDS }, { TOP, TM_REDUCE_SCATTER, INNER },
				{ DOWN, TM_SCATTER, DOWNWARDS } },
	[TM_REDUCE_SCATTER_BLOCK] = { { UP, TM_REDUCE, UPWARDS },
				      { TOP, TM_REDUCE_SCATTER, INNER },
				      { DOWN, TM_SCATTER, DOWNWARDS } },
	[TM_ALLTOALL] = { { UP, TM_GATHER, UPWARDS }, { TOP, TM_ALLTOALL, INNER },
			  { DOWN, TM_SCATTER, DOWNWARDS } },
	[TM_BARRIER] = { { UP, TM_REDUCE, UPWARDS }, { TOP, TM_BARRIER, INNER },
			 { DOWN, TM_BCAST, DOWNWARDS } },
};

/* The groups of one level at work, or the outermost. */
struct work {
	const struct tm_call *call;
	struct tm_hierarchy h;
	int first, end;      /* communicators */
	int *start, *root;   /* of their groups, as teams; room for all of them */
	int64_t *block, *count; /* [seats]: what a seat speaks for, in h.member; NULL: only itself */
};

static const struct step *steps_of(const struct tm_call *call)
{
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);

	return steps[algorithm->gathers ? TM_GATHER : algorithm->collective];
}

/* The first words after "all" are tiers of the network, the leaves last; these may have headings
 * of their own. */
static const char *level_name(const struct tm_machine *machine, int64_t word)
{
	int64_t tier = TM_HIERARCHICAL_TIERS - word;

	return tier >= 0 && tier < machine->tier_count ? machine->tier[tier].name :
							 tm_hierarchical_levels[word];
}

/* "node,numa"; *names is NULL for all levels. */
static int name_levels(char **names, const struct tm_call *call, struct tm_error *err)
{
	int64_t value = call->choice.value[LEVELS];
	struct tm_str text = TM_STR_INIT;

	*names = NULL;
	if (value == 0)
		return 0;
	for (int i = 0; tm_param_word(value, i) != TM_NONE; i++)
		if (tm_param_word(value, i) == 0) {
			tm_str_fini(&text);
			return tm_fail(err, TM_INPUT, "all levels are all: the word stands alone");
		} else {
			tm_str_addf(&text, "%s%s", i ? "," : "",
				    level_name(call->metric->placement->machine,
					       tm_param_word(value, i)));
		}
	*names = tm_str_take(&text, err);
	return *names ? 0 : -1;
}

static void work_fini(struct work *work)
{
	tm_hierarchy_fini(&work->h);
	free(work->start);
	free(work->root);
}

int tm_hierarchical_communicators(struct tm_hierarchy *h, const struct tm_call *call,
				  struct tm_error *err)
{
	char *names;
	int status = name_levels(&names, call, err);

	if (status == 0)
		status = tm_hierarchy_init(h, call->metric->placement, names, call->root,
					   (enum tm_elect)call->choice.value[ELECT], err);
	free(names);
	return status;
}

static int work_init(struct work *work, const struct tm_call *call, struct tm_error *err)
{
	struct work made = { .call = call };

	if (tm_hierarchical_communicators(&made.h, call, err) < 0)
		return -1;
	made.start = tm_alloc_raw((size_t)made.h.comm_count + 1, sizeof *made.start, err);
	made.root = tm_alloc_raw((size_t)made.h.comm_count, sizeof *made.root, err);
	if (!made.start || !made.root) {
		work_fini(&made);
		return -1;
	}
	*work = made;
	return 0;
}

/* The groups of level @p depth - 1, and of the whole job for depth 0, as teams. */
static struct tm_teams teams_at(struct work *work, int depth)
{
	const struct tm_hierarchy *h = &work->h;
	const int *group;

	work->first = depth ? h->level[depth - 1].first : 0;
	work->end = depth ? h->level[depth - 1].end : 1;
	group = h->group + h->group_first[work->first];
	for (int c = work->first; c <= work->end; c++)
		work->start[c - work->first] =
			(int)(h->group_first[c] - h->group_first[work->first]);
	for (int t = 0; t < work->end - work->first; t++) {
		int seat = work->start[t];

		while (group[seat] != h->conduit[work->first + t])
			seat++;
		work->root[t] = seat - work->start[t];
	}
	return (struct tm_teams){ work->end - work->first, work->start, group, work->root };
}

/* Where a rank stands among the members of its communicator, which rise. */
static int64_t place_of(const struct tm_hierarchy *h, int comm, int rank)
{
	int64_t low = h->member_first[comm], high = h->member_first[comm + 1] - 1;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (h->member[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool any_is_split(const struct work *work)
{
	for (int c = work->first; c < work->end; c++)
		if (work->h.split[c] != TM_NONE)
			return true;
	return false;
}

/* For whom each seat of the teams speaks. */
static int find_blocks(struct work *work, const struct tm_teams *teams, struct tm_error *err)
{
	const struct tm_hierarchy *h = &work->h;
	size_t seats = (size_t)teams->start[teams->count];

	work->block = work->count = NULL;
	if (!any_is_split(work))
		return 0;
	work->block = tm_alloc_raw(seats, sizeof *work->block, err);
	work->count = tm_alloc_raw(seats, sizeof *work->count, err);
	for (int t = 0; work->block && work->count && t < teams->count; t++)
		for (int seat = teams->start[t]; seat < teams->start[t + 1]; seat++) {
			int comm = work->first + t, rank = teams->member[seat];
			int below = tm_hierarchy_below(h, comm, rank);

			work->block[seat] = below == TM_NONE ? place_of(h, comm, rank) :
							       h->member_first[below];
			work->count[seat] = below == TM_NONE ? 1 :
					    h->member_first[below + 1] - h->member_first[below];
		}
	return work->block && work->count ? 0 : -1;
}

/* What a seat speaks for. */
static struct tm_lists lists_of(const struct work *work)
{
	if (!work->block)
		return (struct tm_lists){ .kind = TM_LIST_OWN };
	return (struct tm_lists){ TM_LIST_PART, work->h.member, work->block, work->count };
}

static struct tm_choice inner_of(const struct work *work, const struct step *step, int depth)
{
	int64_t value = work->call->choice.value[step->param];
	int word = step->param == INNER ? depth : depth - 1;

	while (word > 0 && tm_param_word(value, word) == TM_NONE)
		word--;
	return tm_phase_choice(step->collective, tm_param_word(value, word));
}

static int check_level(struct work *work, const struct step *step, int depth,
		       struct tm_error *err)
{
	struct tm_phase phase = { .choice = inner_of(work, step, depth),
				  .teams = teams_at(work, depth) };

	return tm_phase_check(&phase, err);
}

/* Blocks of an alltoall are what all ranks have for those below, or these for all. */
static int tell_level(struct work *work, const struct step *step, int depth, struct tm_emit *emit)
{
	const struct tm_lists all = { .kind = TM_LIST_ALL };
	struct tm_phase phase = { .choice = inner_of(work, step, depth),
				  .teams = teams_at(work, depth) };
	int status = find_blocks(work, &phase.teams, emit->err);

	phase.block = phase.receivers = lists_of(work);
	if (tm_call_algorithm(work->call)->collective == TM_ALLTOALL) {
		if (step->collective == TM_GATHER)
			phase.receivers = all;
		else if (step->collective == TM_SCATTER)
			phase.block = all;
	}
	if (status == 0)
		status = tm_phase_emit(emit, &phase);
	free(work->block);
	free(work->count);
	return status;
}

/* All levels of a step, checked, or told where @p emit is not NULL. */
static int walk(struct work *work, const struct step *step, struct tm_emit *emit,
		struct tm_error *err)
{
	int levels = work->h.level_count, count = step->where == TOP ? 1 : levels;
	int status = 0;

	for (int i = 0; i < count && status == 0; i++) {
		int depth = step->where == UP ? levels - i : step->where == DOWN ? 1 + i : 0;

		status = emit ? tell_level(work, step, depth, emit) :
				check_level(work, step, depth, err);
	}
	return status;
}

static int walk_all(struct work *work, struct tm_emit *emit, struct tm_error *err)
{
	const struct step *step = steps_of(work->call);

	for (int i = 0; i < 3 && step[i].param != LEVELS; i++)
		if (walk(work, &step[i], emit, err) < 0)
			return -1;
	return 0;
}

static int check_hierarchy(struct work *work, struct tm_error *err)
{
	if (work->call->size > 1 && work->h.level_count == 0)
		return tm_fail(err, TM_INPUT, "the ranks fall apart at no level");
	return walk_all(work, NULL, err);
}

int tm_hierarchical_check(const struct tm_call *call, struct tm_error *err)
{
	const char *name = call->choice.row->word.name;
	struct work work;
	int status;

	if (!call->metric || !call->metric->placement)
		return tm_fail(err, TM_INPUT, "%s splits the ranks by the machine: it needs a "
			       "placement", name);
	status = work_init(&work, call, err);
	if (status == 0) {
		status = check_hierarchy(&work, err);
		work_fini(&work);
	}
	return status < 0 ? tm_wrap(err, "%s", name) : 0;
}

static bool takes_it_whole(const struct tm_call *call, const struct step *step)
{
	int64_t word, value = call->choice.value[step->param];
	struct tm_call inner = { .size = call->size, .bytes = call->bytes };

	for (int i = 0; (word = tm_param_word(value, i)) != TM_NONE; i++) {
		inner.choice = tm_phase_choice(step->collective, word);
		if (tm_unit_count(&inner) > 1)
			return false;
	}
	return true;
}

int64_t tm_hierarchical_pieces(const struct tm_call *call)
{
	const struct step *step = steps_of(call);

	for (int i = 0; i < 3 && step[i].param != LEVELS; i++)
		if (!takes_it_whole(call, &step[i]))
			return tm_piece_a_byte(call);
	return 1;
}

int tm_hierarchical(struct tm_emit *emit)
{
	struct work work;
	int status = work_init(&work, emit->call, emit->err);

	if (status < 0)
		return -1;
	status = walk_all(&work, emit, emit->err);
	work_fini(&work);
	return status;
}
