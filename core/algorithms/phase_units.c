/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/phase_units.h"

#include "core/base/mem.h"
#include "core/base/wraps.h"

#include <stdlib.h>
#include <string.h>

static enum tmap_collective call_collective(const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->collective;
}

static int64_t list_count(const struct tmap_phase_units *units, const struct tmap_lists *lists,
			  int64_t member)
{
	if (lists->kind == TMAP_LIST_PART)
		return lists->count[tmap_lists_part(lists, member)];
	if (lists->kind == TMAP_LIST_OWN)
		return 1;
	return call_collective(units->call) == TMAP_ALLTOALL ? units->call->size :
							       tmap_unit_count(units->call);
}

/* Number @p i of a member's list. */
static int64_t list_at(const struct tmap_phase_units *units, const struct tmap_lists *lists,
		       int64_t member, int64_t i)
{
	int64_t at;

	if (lists->kind == TMAP_LIST_OWN)
		return units->phase->teams.member[member];
	if (lists->kind == TMAP_LIST_ALL)
		return i;
	at = lists->first[tmap_lists_part(lists, member)] + i;
	return lists->item ? lists->item[at] : at;
}

/* Are the numbers of a member's list consecutive? */
static bool list_is_stretch(const struct tmap_lists *lists)
{
	return lists->kind != TMAP_LIST_PART || !lists->item;
}

/* Of items first .. first + count - 1, which are pieces of one vector: so many fit. */
TMAP_WRAPS static int64_t items_bytes(const struct tmap_phase_units *units, int64_t first,
				      int64_t count)
{
	return (int64_t)(units->before[first + count] - units->before[first]);
}

static int64_t unit_list_bytes(const struct tmap_phase_units *units, int64_t member)
{
	const struct tmap_lists *lists = &units->phase->block;
	int64_t count = list_count(units, lists, member);

	if (!tmap_collective_rows[call_collective(units->call)].cuts_vector)
		return count * units->call->bytes;
	if (list_is_stretch(lists))
		return count ? tmap_run_bytes(units->call,
					      &(struct tmap_run){ list_at(units, lists, member, 0),
								  count, 1 }) :
			       0;
	return items_bytes(units, lists->first[tmap_lists_part(lists, member)], count);
}

/* How many parts there are. */
static int lists_parts(const struct tmap_lists *lists, const struct tmap_comms *teams)
{
	int members = teams->start[teams->count];

	return lists->period && lists->period < members ? lists->period : members;
}

/* How far the lists go. */
static int64_t lists_end(const struct tmap_phase_units *units, const struct tmap_lists *lists)
{
	int64_t end = 0;

	for (int member = 0; member < lists_parts(lists, &units->phase->teams); member++)
		if (lists->first[member] + lists->count[member] > end)
			end = lists->first[member] + lists->count[member];
	return end;
}

/* Members may list the same items, so what these weigh is added up once for all. */
TMAP_WRAPS static int items_sum_up(struct tmap_phase_units *units, struct tmap_error *err)
{
	const struct tmap_lists *lists = &units->phase->block;
	int64_t items;

	if (list_is_stretch(lists) ||
	    !tmap_collective_rows[call_collective(units->call)].cuts_vector)
		return 0;
	items = lists_end(units, lists);
	units->before = tmap_alloc_raw((size_t)items + 1, sizeof *units->before, err);
	if (!units->before)
		return -1;
	units->before[0] = 0;
	for (int64_t i = 0; i < items; i++)
		units->before[i + 1] =
			units->before[i] + (uint64_t)tmap_unit_bytes(units->call, lists->item[i]);
	return 0;
}

static int breaks_count(const struct tmap_phase_units *units, const struct tmap_lists *lists,
			int **breaks, struct tmap_error *err)
{
	int64_t items;
	int *made;

	if (list_is_stretch(lists) || call_collective(units->call) != TMAP_ALLTOALL)
		return 0;
	items = lists_end(units, lists);
	*breaks = made = tmap_alloc_raw((size_t)items, sizeof *made, err);
	if (!made)
		return -1;
	for (int64_t i = 0; i < items; i++)
		made[i] = i ? made[i - 1] + (lists->item[i] != lists->item[i - 1] + 1) : 0;
	return 0;
}

/* What the member's block weighs; senders where the inner collective is alltoall. */
static int64_t member_weight(const struct tmap_phase_units *units, int64_t member)
{
	const struct tmap_phase *phase = units->phase;

	if (units->inner == TMAP_ALLTOALL)
		return list_count(units, &phase->block, member);
	if (call_collective(units->call) == TMAP_ALLTOALL)
		return list_count(units, &phase->block, member) *
			list_count(units, &phase->receivers, member) * units->call->bytes;
	return unit_list_bytes(units, member);
}

/* Is the list of every member as long? */
static bool lists_are_even(const struct tmap_lists *lists, const struct tmap_comms *teams)
{
	for (int i = 1; lists->kind == TMAP_LIST_PART && i < lists_parts(lists, teams); i++)
		if (lists->count[i] != lists->count[0])
			return false;
	return true;
}

/* Has every member as much, whichever it is? */
static bool members_are_even(const struct tmap_phase_units *units)
{
	const struct tmap_phase *phase = units->phase;

	if (units->inner == TMAP_ALLTOALL)
		return false;
	if (phase->block.kind != TMAP_LIST_ALL &&
	    tmap_collective_rows[call_collective(units->call)].cuts_vector)
		return false;
	return lists_are_even(&phase->block, &phase->teams) &&
		(call_collective(units->call) != TMAP_ALLTOALL ||
		 lists_are_even(&phase->receivers, &phase->teams));
}

/* Has each team the blocks of every other one? */
static bool teams_repeat(const struct tmap_phase_units *units)
{
	const struct tmap_comms *teams = &units->phase->teams;
	const struct tmap_lists *block = &units->phase->block;

	if (block->kind != TMAP_LIST_PART || !block->period ||
	    call_collective(units->call) == TMAP_ALLTOALL)
		return false;
	for (int t = 0; t < teams->count; t++)
		if (teams->start[t + 1] - teams->start[t] != block->period ||
		    teams->start[t] % block->period)
			return false;
	return true;
}

static int largest_team(const struct tmap_comms *teams)
{
	int largest = 0;

	for (int t = 0; t < teams->count; t++)
		if (teams->start[t + 1] - teams->start[t] > largest)
			largest = teams->start[t + 1] - teams->start[t];
	return largest;
}

static void members_sum_up(struct tmap_phase_units *units)
{
	const struct tmap_comms *teams = &units->phase->teams;

	if (units->is_even) {
		units->block[0] = 0;
		for (int i = 0, largest = largest_team(teams); i < largest; i++)
			units->block[i + 1] =
				units->block[i] + member_weight(units, units->repeats ? i : 0);
		return;
	}
	for (int t = 0; t < teams->count; t++) {
		units->block[teams->start[t] + t] = 0;
		if (units->receivers)
			units->receivers[teams->start[t] + t] = 0;
		for (int64_t member = teams->start[t]; member < teams->start[t + 1]; member++) {
			units->block[member + t + 1] =
				units->block[member + t] + member_weight(units, member);
			if (units->receivers)
				units->receivers[member + t + 1] = units->receivers[member + t] +
					list_count(units, &units->phase->receivers, member);
		}
	}
}

int tmap_phase_units_init(struct tmap_phase_units *units, const struct tmap_call *call,
			  const struct tmap_phase *phase, struct tmap_error *err)
{
	enum tmap_collective inner =
		((const struct tmap_algorithm *)(const void *)phase->choice.row)->collective;
	const struct tmap_comms *teams = &phase->teams;
	size_t places = (size_t)teams->start[teams->count] + (size_t)teams->count;

	*units = (struct tmap_phase_units){ .call = call, .phase = phase, .inner = inner };
	units->is_vector = !tmap_phase_has_blocks(inner);
	if (units->is_vector)
		return 0;
	units->repeats = teams_repeat(units);
	units->is_even = units->repeats || members_are_even(units);
	if (units->is_even)
		places = (size_t)largest_team(teams) + 1;
	units->block = tmap_alloc_raw(places, sizeof *units->block, err);
	if (inner == TMAP_ALLTOALL)
		units->receivers = tmap_alloc_raw(places, sizeof *units->receivers, err);
	if (!units->block || (inner == TMAP_ALLTOALL && !units->receivers) ||
	    items_sum_up(units, err) < 0 ||
	    breaks_count(units, &phase->block, &units->block_breaks, err) < 0 ||
	    breaks_count(units, &phase->receivers, &units->receiver_breaks, err) < 0) {
		tmap_phase_units_fini(units);
		return -1;
	}
	members_sum_up(units);
	return 0;
}

void tmap_phase_units_fini(struct tmap_phase_units *units)
{
	free(units->block);
	free(units->receivers);
	free(units->before);
	free(units->block_breaks);
	free(units->receiver_breaks);
	free(units->run);
	*units = (struct tmap_phase_units){ 0 };
}

static struct tmap_run team_slice(const struct tmap_phase_units *units, int team)
{
	if (units->phase->slice)
		return units->phase->slice[team];
	return (struct tmap_run){ 0, tmap_unit_count(units->call), 1 };
}

/* The first of what lies in a table of sums for the members of a team. */
static const int64_t *team_sums(const struct tmap_phase_units *units, const int64_t *sums, int team)
{
	return units->is_even ? sums : sums + units->phase->teams.start[team] + team;
}

static bool sums_are_even(const int64_t *sums, int count)
{
	for (int i = 1; i < count; i++)
		if (sums[i + 1] - sums[i] != sums[1] - sums[0])
			return false;
	return true;
}

/* Do so many pieces end where as many pieces of the bytes would? The first units are the larger. */
static bool slice_is_cut_alike(const struct tmap_call *call, const struct tmap_run *slice,
			       int64_t pieces)
{
	int64_t first = tmap_unit_bytes(call, slice->first);
	int64_t last = tmap_unit_bytes(call, slice->first + slice->count - 1);

	return pieces == 1 || (first == last && (first == 1 || slice->count % pieces == 0));
}

static bool vector_call(const struct tmap_phase_units *units, int team, struct tmap_call *inner)
{
	struct tmap_run slice = team_slice(units, team);

	if (call_collective(units->call) == TMAP_BARRIER) { /* a byte stands for the token */
		inner->bytes = 1;
		return true;
	}
	inner->bytes = slice.count ? tmap_run_bytes(units->call, &slice) : 0;
	/* units are elements: cut by the rule of the inner algorithm */
	inner->element = units->call->element && inner->bytes == slice.count &&
		tmap_call_algorithm(inner)->begin;
	return inner->bytes == 0 || inner->element ||
		slice_is_cut_alike(units->call, &slice, tmap_unit_count(inner));
}

bool tmap_phase_units_call(const struct tmap_phase_units *units, int team, struct tmap_call *inner)
{
	const struct tmap_comms *teams = &units->phase->teams;
	int64_t many = 1, block;
	bool equal;

	*inner = (struct tmap_call){ .choice = units->phase->choice,
				     .size = teams->start[team + 1] - teams->start[team],
				     .root = teams->root ? teams->root[team] : 0 };
	if (units->is_vector)
		return vector_call(units, team, inner);
	equal = sums_are_even(team_sums(units, units->block, team), inner->size);
	block = team_sums(units, units->block, team)[1];
	if (units->inner == TMAP_ALLTOALL) {
		const int64_t *receivers = team_sums(units, units->receivers, team);

		equal = equal && sums_are_even(receivers, inner->size);
		block *= receivers[1] * units->call->bytes;
	}
	if (tmap_collective_rows[units->inner].cuts_vector)
		many = inner->size;
	inner->bytes = many * (equal ? block : 1);
	return equal;
}

static bool sums_all_rise(const int64_t *sums, int count)
{
	for (int i = 0; i < count; i++)
		if (sums[i + 1] == sums[i])
			return false;
	return true;
}

bool tmap_phase_units_are_filled(const struct tmap_phase_units *units, int team)
{
	struct tmap_call inner;
	bool equal = tmap_phase_units_call(units, team, &inner);

	if (units->is_vector)
		return equal && !tmap_call_cuts_by_rule(&inner) &&
			tmap_unit_bytes(&inner, tmap_unit_count(&inner) - 1) > 0;
	return sums_all_rise(team_sums(units, units->block, team), inner.size) &&
		(!units->receivers ||
		 sums_all_rise(team_sums(units, units->receivers, team), inner.size));
}

/* Slices of as many units, all of one size. */
static bool slices_are_alike(const struct tmap_phase_units *units, int a, int b)
{
	struct tmap_run x = team_slice(units, a), y = team_slice(units, b);
	int64_t bytes;

	if (x.count != y.count || x.count == 0)
		return x.count == y.count;
	bytes = tmap_unit_bytes(units->call, x.first);
	return tmap_unit_bytes(units->call, x.first + x.count - 1) == bytes &&
		tmap_unit_bytes(units->call, y.first) == bytes &&
		tmap_unit_bytes(units->call, y.first + y.count - 1) == bytes;
}

bool tmap_phase_units_are_alike(const struct tmap_phase_units *units, int a, int b)
{
	const struct tmap_comms *teams = &units->phase->teams;
	size_t size = (size_t)(teams->start[a + 1] - teams->start[a]);

	if (units->is_vector)
		return a == b || slices_are_alike(units, a, b);
	return units->is_even ||
		memcmp(team_sums(units, units->block, a), team_sums(units, units->block, b),
		       (size + 1) * sizeof *units->block) == 0;
}

struct tmap_shares tmap_phase_units_shares(const struct tmap_phase_units *units, int team)
{
	return (struct tmap_shares){ team_sums(units, units->block, team),
				     team_sums(units, units->receivers, team) };
}

/* Where piece @p piece of so many begins, in units from the start of the slice. */
static int64_t piece_begin(const struct tmap_call *inner, int64_t count, int64_t pieces,
			   int64_t piece)
{
	if (inner->element)
		return tmap_call_algorithm(inner)->begin(inner, piece);
	return piece * (count / pieces) + (piece < count % pieces ? piece : count % pieces);
}

/* The units that pieces first .. first + count - 1 are. */
static struct tmap_run pieces_units(const struct tmap_call *inner, const struct tmap_run *slice,
				    int64_t pieces, int64_t first, int64_t count)
{
	int64_t begin = piece_begin(inner, slice->count, pieces, first);

	return (struct tmap_run){ slice->first + begin,
				  piece_begin(inner, slice->count, pieces, first + count) - begin,
				  1 };
}

static int64_t pieces_bytes(const struct tmap_phase_units *units, const struct tmap_call *inner,
			    const struct tmap_run *slice, int64_t pieces,
			    const struct tmap_run *run)
{
	struct tmap_run mapped;
	int64_t bytes = 0;

	if (run->stride == 1) {
		mapped = pieces_units(inner, slice, pieces, run->first, run->count);
		return mapped.count ? tmap_run_bytes(units->call, &mapped) : 0;
	}
	for (int64_t k = 0; k < run->count; k++)
		bytes += pieces_bytes(units, inner, slice, pieces,
				      &(struct tmap_run){ run->first + k * run->stride, 1, 1 });
	return bytes;
}

static int64_t blocks_bytes(const int64_t *block, const struct tmap_run *run)
{
	int64_t bytes = 0;

	if (run->stride == 1)
		return block[run->first + run->count] - block[run->first];
	for (int64_t k = 0; k < run->count; k++) {
		int64_t member = run->first + k * run->stride;

		bytes += block[member + 1] - block[member];
	}
	return bytes;
}

static int64_t products_bytes(const struct tmap_phase_units *units, int team, int64_t size,
			      const struct tmap_run *run)
{
	const int64_t *senders = team_sums(units, units->block, team);
	const int64_t *receivers = team_sums(units, units->receivers, team);
	int64_t blocks = 0;

	for (int64_t k = 0; k < run->count; k++) {
		int64_t unit = run->first + k * run->stride, s = unit / size, d = unit % size;

		blocks += (senders[s + 1] - senders[s]) * (receivers[d + 1] - receivers[d]);
	}
	return blocks * units->call->bytes;
}

static int64_t run_weigh(const struct tmap_phase_units *units, int team,
			 const struct tmap_call *inner, const struct tmap_run *run)
{
	struct tmap_run slice;

	if (units->is_vector) {
		slice = team_slice(units, team);
		return pieces_bytes(units, inner, &slice, tmap_unit_count(inner), run);
	}
	if (units->inner == TMAP_ALLTOALL)
		return products_bytes(units, team, inner->size, run);
	return blocks_bytes(team_sums(units, units->block, team), run);
}

int64_t tmap_phase_units_weigh(const struct tmap_phase_units *units, int team,
			       const struct tmap_call *inner, const struct tmap_message *message)
{
	int64_t bytes = 0;

	for (int i = 0; i < message->run_count; i++)
		bytes += run_weigh(units, team, inner, &message->run[i]);
	return bytes;
}

bool tmap_phase_units_have_bytes(const struct tmap_phase_units *units, int team,
				 const struct tmap_call *inner, const struct tmap_message *message)
{
	for (int i = 0; i < message->run_count; i++)
		if (run_weigh(units, team, inner, &message->run[i]))
			return true;
	return false;
}

/* More units, joined to those before where they go on. */
static int run_add(struct tmap_phase_units *units, struct tmap_run run, struct tmap_error *err)
{
	struct tmap_run *last = units->run_count ? &units->run[units->run_count - 1] : NULL;

	if (run.count == 0)
		return 0;
	if (last && last->stride == 1 && run.stride == 1 &&
	    last->first + last->count == run.first) {
		last->count += run.count;
		return 0;
	}
	if (tmap_grow(&units->run, &units->run_capacity, (size_t)units->run_count + 1,
		      sizeof *units->run, err) < 0)
		return -1;
	units->run[units->run_count++] = run;
	return 0;
}

/* Does every number of a member's list follow the one before it? No, where nobody has looked. */
static bool list_follows(const struct tmap_phase_units *units, const struct tmap_lists *lists,
			 int64_t member)
{
	const int *breaks = lists == &units->phase->block ? units->block_breaks :
							    units->receiver_breaks;
	bool is_part = lists->kind == TMAP_LIST_PART;
	int64_t at = is_part ? tmap_lists_part(lists, member) : 0;
	int64_t count = is_part ? lists->count[at] : 0;

	return list_is_stretch(lists) ||
		(breaks && count &&
		 breaks[lists->first[at] + count - 1] == breaks[lists->first[at]]);
}

/* The numbers of a member's list, each base + number x stride. */
static int run_add_list(struct tmap_phase_units *units, const struct tmap_lists *lists,
			int64_t member, int64_t base, int64_t stride, struct tmap_error *err)
{
	int64_t count = list_count(units, lists, member);

	if (count && list_follows(units, lists, member))
		return run_add(units,
			       (struct tmap_run){ base + list_at(units, lists, member, 0) * stride,
						  count, count == 1 ? 1 : stride },
			       err);
	for (int64_t i = 0; i < count; i++)
		if (run_add(units,
			    (struct tmap_run){ base + list_at(units, lists, member, i) * stride, 1,
					       1 },
			    err) < 0)
			return -1;
	return 0;
}

/* What some ranks have for others: unit s * p + d. */
static int run_add_product(struct tmap_phase_units *units, int64_t from, int64_t to,
			   struct tmap_error *err)
{
	const struct tmap_phase *phase = units->phase;
	int64_t p = units->call->size, senders = list_count(units, &phase->block, from);
	int64_t receivers = list_count(units, &phase->receivers, to);

	if (phase->block.kind == TMAP_LIST_ALL && phase->receivers.kind != TMAP_LIST_ALL) {
		for (int64_t i = 0; i < receivers; i++)
			if (run_add(units,
				    (struct tmap_run){ list_at(units, &phase->receivers, to, i), p,
						       p },
				    err) < 0)
				return -1;
		return 0;
	}
	for (int64_t i = 0; i < senders; i++)
		if (run_add_list(units, &phase->receivers, to,
				 list_at(units, &phase->block, from, i) * p, 1, err) < 0)
			return -1;
	return 0;
}

/* One inner unit that is no piece of a vector. */
static int run_add_block(struct tmap_phase_units *units, int team, int64_t size, int64_t unit,
			 struct tmap_error *err)
{
	int64_t first = units->phase->teams.start[team];

	if (units->inner == TMAP_ALLTOALL)
		return run_add_product(units, first + unit / size, first + unit % size, err);
	if (call_collective(units->call) == TMAP_ALLTOALL)
		return run_add_product(units, first + unit, first + unit, err);
	return run_add_list(units, &units->phase->block, first + unit, 0, 1, err);
}

int tmap_phase_units_map(struct tmap_phase_units *units, int team, const struct tmap_call *inner,
			 const struct tmap_message *message, struct tmap_error *err)
{
	struct tmap_run slice = { 0, 0, 1 };
	const bool is_vector = units->is_vector;
	int64_t pieces = is_vector ? tmap_unit_count(inner) : 0;

	units->run_count = 0;
	if (is_vector)
		slice = team_slice(units, team);
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++) {
			int64_t unit = message->run[i].first + k * message->run[i].stride;
			int status = is_vector ?
				run_add(units, pieces_units(inner, &slice, pieces, unit, 1), err) :
				run_add_block(units, team, inner->size, unit, err);

			if (status < 0)
				return -1;
		}
	return 0;
}
