#include "core/score/locality.h"

#include "core/mem.h"
#include "core/schedule/neighborhood.h"

#include <stdlib.h>

struct count {
	const struct tm_call *call;
	const struct tm_placement *placement;
	const struct tm_levels *levels;
	struct tm_locality *locality;
	bool nested;         /* whoever crosses a level crosses those below it */
	int *members;        /* ranks in each object of a level, for one level at a time */
};

static int add(int64_t *sum, int64_t more, struct tm_error *err)
{
	if (__builtin_add_overflow(*sum, more, sum))
		return tm_fail(err, TM_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

/* sum += a x b */
static int add_product(int64_t *sum, int64_t a, int64_t b, struct tm_error *err)
{
	int64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return tm_fail(err, TM_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return add(sum, product, err);
}

static int number_of(const struct count *count, int level, int rank)
{
	return tm_levels_of_rank(count->levels, level, count->placement, rank);
}

static void see_round(struct tm_locality *locality, int64_t end)
{
	if (end > locality->rounds)
		locality->rounds = end;
}

static bool crosses(const struct count *count, int level, const struct tm_message *message)
{
	return number_of(count, level, message->from) != number_of(count, level, message->to);
}

/* Counted at the outermost level that it crosses, and sum_up() adds the levels below; or, where
 * levels are not nested, at each. */
static int take_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct count *count = context;
	struct tm_locality *locality = count->locality;

	see_round(locality, message->round + message->span);
	for (int l = 0; l < count->levels->count; l++) {
		if (!crosses(count, l, message))
			continue;
		locality->level[l].messages += message->times;
		if (add(&locality->level[l].bytes, message->bytes, err) < 0)
			return -1;
		if (count->nested)
			break;
	}
	locality->messages += message->times;
	return add(&locality->bytes, message->bytes, err);
}

/* How many ranks each object of a level holds. */
static void count_members(struct count *count, int level)
{
	for (int i = 0; i < count->levels->level[level].number_count; i++)
		count->members[i] = 0;
	for (int r = 0; r < count->placement->size; r++)
		count->members[number_of(count, level, r)]++;
}

/* Pairs of ranks in different objects, each counted both ways. */
static int64_t count_apart(const struct count *count, int level)
{
	int64_t p = count->placement->size, apart = 0;

	for (int i = 0; i < count->levels->level[level].number_count; i++)
		apart += count->members[i] * (p - count->members[i]);
	return apart;
}

/* Of these, the ones whose receiver is below a limit. */
static int64_t count_apart_below(const struct count *count, int level, int64_t limit)
{
	int64_t p = count->placement->size, apart = 0;

	for (int r = 0; r < limit; r++)
		apart += p - count->members[number_of(count, level, r)];
	return apart;
}

static int add_pairs(int64_t *messages, int64_t *bytes, int64_t all, int64_t larger,
		     const struct tm_all_pairs *pairs, struct tm_error *err)
{
	*messages += pairs->bytes ? all : larger;
	return add_product(bytes, pairs->bytes, all, err) < 0 ? -1 : add(bytes, larger, err);
}

static int take_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct count *count = context;
	struct tm_locality *locality = count->locality;
	int64_t p = count->placement->size, apart = 0, larger = 0;

	see_round(locality, pairs->round + pairs->rounds);
	for (int l = 0; l < count->levels->count; l++) {
		int64_t above = count->nested ? apart : 0;
		int64_t larger_above = count->nested ? larger : 0;

		count_members(count, l);
		apart = count_apart(count, l);
		larger = count_apart_below(count, l, pairs->larger);
		if (add_pairs(&locality->level[l].messages, &locality->level[l].bytes,
			      apart - above, larger - larger_above, pairs, err) < 0)
			return -1;
	}
	return add_pairs(&locality->messages, &locality->bytes, p * (p - 1),
			 pairs->larger * (p - 1), pairs, err);
}

/* What the least that must cross a level depends on. */
struct border {
	int64_t p, objects;  /* objects that hold ranks */
	int64_t apart;       /* pairs in different objects, both ways */
	int64_t outside;     /* sum over the objects of the ranks outside them */
	int64_t beyond_root; /* ranks outside the root's object */
	int64_t runs;        /* of consecutive ranks in one object */
};

static struct border look_at_border(const struct count *count, int level)
{
	struct border border = { .p = count->placement->size, .runs = 1 };
	int before = number_of(count, level, 0);

	for (int i = 0; i < count->levels->level[level].number_count; i++)
		border.objects += count->members[i] > 0;
	border.apart = count_apart(count, level);
	border.outside = (border.objects - 1) * border.p;
	border.beyond_root =
		border.p - count->members[number_of(count, level, count->call->root)];
	for (int r = 1; r < count->placement->size; r++) {
		int number = number_of(count, level, r);

		border.runs += number != before;
		before = number;
	}
	return border;
}

/* How many times the size of the call must cross; for a barrier, messages. */
static int64_t least_crossing(enum tm_collective collective, const struct border *border)
{
	switch (collective) {
	case TM_ALLGATHER:
		return border->outside;
	case TM_ALLTOALL:
		return border->apart;
	case TM_GATHER: case TM_SCATTER:
		return border->beyond_root;
	case TM_BCAST: case TM_REDUCE: case TM_REDUCE_SCATTER:
		return border->objects - 1;
	case TM_ALLREDUCE: case TM_BARRIER:
		return 2 * (border->objects - 1);
	case TM_REDUCE_SCATTER_BLOCK:
		return (border->objects - 1) * border->p;
	case TM_SCAN: case TM_EXSCAN:
		return border->runs - 1;
	case TM_NEIGHBOR_ALLGATHER: case TM_NEIGHBOR_ALLTOALL: case TM_COLLECTIVE_COUNT:
		break;
	}
	return 0;
}

static int compare_ints(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Objects other than its own that hold neighbours of a rank; list has room for all of these. */
static int64_t count_objects(const struct count *count, int level, int rank, int *list)
{
	const struct tm_neighborhood *neighborhood = count->call->neighborhood;
	int own = number_of(count, level, rank), kept = 0;
	int64_t objects = 0;

	tm_neighborhood_list(neighborhood, rank, list);
	for (int k = 0; k < neighborhood->degree; k++)
		if (list[k] != TM_NONE && number_of(count, level, list[k]) != own)
			list[kept++] = number_of(count, level, list[k]);
	qsort(list, (size_t)kept, sizeof *list, compare_ints);
	for (int k = 0; k < kept; k++)
		objects += k == 0 || list[k] != list[k - 1];
	return objects;
}

/* Every block enters every other object once in which a neighbour of its rank sits; what a
 * rank has for each neighbour cannot but travel. */
static int find_least_of_neighbours(struct count *count, int level, struct tm_error *err)
{
	struct tm_crossing *crossing = &count->locality->level[level];
	int64_t objects = 0;
	int *list;

	if (tm_call_algorithm(count->call)->collective == TM_NEIGHBOR_ALLTOALL) {
		crossing->least = crossing->bytes;
		return 0;
	}
	if (count->call->neighborhood->stencil == TM_STENCIL_FULL) {
		count_members(count, level);
		objects = look_at_border(count, level).outside;
		return add_product(&crossing->least, objects, count->call->bytes, err);
	}
	list = tm_alloc_raw((size_t)count->call->neighborhood->degree, sizeof *list, err);
	if (!list)
		return -1;
	for (int r = 0; r < count->placement->size; r++)
		objects += count_objects(count, level, r, list);
	free(list);
	return add_product(&crossing->least, objects, count->call->bytes, err);
}

static int find_least(struct count *count, int level, struct tm_error *err)
{
	enum tm_collective collective = tm_call_algorithm(count->call)->collective;
	struct border border;

	if (tm_collective_rows[collective].has_neighbors)
		return find_least_of_neighbours(count, level, err);
	count_members(count, level);
	border = look_at_border(count, level);
	return add_product(&count->locality->level[level].least, least_crossing(collective, &border),
			   collective == TM_BARRIER ? 1 : count->call->bytes, err);
}

static int sum_up(const struct count *count, struct tm_error *err)
{
	struct tm_locality *locality = count->locality;

	for (int l = 1; l < locality->level_count && count->nested; l++) {
		locality->level[l].messages += locality->level[l - 1].messages;
		if (add(&locality->level[l].bytes, locality->level[l - 1].bytes, err) < 0)
			return -1;
	}
	return 0;
}

/* Does every object of a level have its ranks in one object of the level above? */
static bool is_inside(const struct count *count, int level)
{
	int *outer = count->members;

	for (int i = 0; i < count->levels->level[level].number_count; i++)
		outer[i] = TM_NONE;
	for (int r = 0; r < count->placement->size; r++) {
		int inner = number_of(count, level, r), above = number_of(count, level - 1, r);

		if (outer[inner] != TM_NONE && outer[inner] != above)
			return false;
		outer[inner] = above;
	}
	return true;
}

/* Not so where one kind of node has packages in NUMA nodes, and another the reverse. */
static bool find_nesting(const struct count *count)
{
	for (int l = 1; l < count->levels->count; l++)
		if (!is_inside(count, l))
			return false;
	return true;
}

static int most_numbers(const struct tm_levels *levels)
{
	int most = 0;

	for (int l = 0; l < levels->count; l++)
		if (levels->level[l].number_count > most)
			most = levels->level[l].number_count;
	return most;
}

static int fill(struct count *count, struct tm_error *err)
{
	struct tm_sink sink = { .folded = true, .message = take_message,
				.all_pairs = take_all_pairs, .context = count };

	count->nested = find_nesting(count);
	if (tm_schedule(count->call, &sink, err) < 0 || sum_up(count, err) < 0)
		return -1;
	for (int l = 0; l < count->levels->count; l++)
		if (find_least(count, l, err) < 0)
			return -1;
	return 0;
}

int tm_locality_init(struct tm_locality *locality, const struct tm_call *call,
		     const struct tm_placement *placement, const struct tm_levels *levels,
		     struct tm_error *err)
{
	struct tm_locality made = { .level_count = levels->count };
	struct count count = { call, placement, levels, &made, false, NULL };
	int status = -1;

	made.level = tm_alloc((size_t)levels->count, sizeof *made.level, err);
	count.members = tm_alloc((size_t)most_numbers(levels), sizeof *count.members, err);
	if (made.level && count.members)
		status = fill(&count, err);
	free(count.members);
	if (status < 0)
		tm_locality_fini(&made);
	else
		*locality = made;
	return status;
}

void tm_locality_fini(struct tm_locality *locality)
{
	free(locality->level);
	*locality = (struct tm_locality){ 0 };
}

double tm_locality_at(const struct tm_locality *locality, const struct tm_call *call, int level)
{
	const struct tm_crossing *crossing = &locality->level[level];
	int64_t moved = tm_call_algorithm(call)->collective == TM_BARRIER ? crossing->messages :
			crossing->bytes;

	return moved ? (double)crossing->least / (double)moved : 1;
}
