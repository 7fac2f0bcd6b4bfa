/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/node_parts.h"

struct tmap_node_rows tmap_node_rows(const struct tmap_pair_kinds *kinds)
{
	struct tmap_node_rows in = { .size = kinds->size };
	int others = kinds->period > 0 ? (kinds->size - 1) / kinds->period + 1 : 0;

	if (kinds->distribution == TMAP_DISTRIBUTION_BLOCK) {
		in.nodes = others;
		in.rows = in.node_step = kinds->period;
		in.row_step = 1;
	} else if (kinds->distribution == TMAP_DISTRIBUTION_CYCLIC) {
		in.rows = others;
		in.nodes = in.row_step = kinds->period;
		in.node_step = 1;
	}
	return in;
}

int tmap_node_size(const struct tmap_node_rows *in, int node)
{
	int behind = in->size - tmap_node_rank(in, node, 0); /* its first rank and those after it */
	int rows = (behind - 1) / in->row_step + 1;

	return rows < in->rows ? rows : in->rows;
}

int tmap_node_parts(const struct tmap_node_rows *in, int node, int ahead,
		    struct tmap_node_part part[TMAP_NODE_PARTS])
{
	int rows = tmap_node_size(in, node), count = 0;
	int64_t size = in->size, to = tmap_node_rank(in, node, 0) + (int64_t)ahead;

	for (int lo = 0; lo < rows; count++) {
		struct tmap_node_part *it = &part[count];
		int left;

		to = to >= size ? to - size : to;
		*it = (struct tmap_node_part){ .lo = lo, .hi = rows };
		if (in->row_step == 1) {
			it->node = (int)to / in->rows;
			it->row = (int)to % in->rows;
		} else {
			it->node = (int)to % in->row_step;
			it->row = (int)to / in->row_step;
		}
		left = tmap_node_size(in, it->node) - it->row;
		if (rows - lo > left)
			it->hi = lo + left;
		to += (int64_t)(it->hi - lo) * in->row_step;
		lo = it->hi;
	}
	return count;
}

/* The place of a rank among those that a shift counts, its first sender being the first. */
static int64_t shift_place(const struct tmap_node_rows *in, int64_t rank,
			   const struct tmap_shift_pattern *shift)
{
	return rank < shift->first ? rank - shift->first + in->size : rank - shift->first;
}

/* The place of the last sender. */
static int64_t shift_last(const struct tmap_shift_pattern *shift)
{
	return tmap_shift_pattern_sender(shift, shift->count - 1) - shift->first;
}

bool tmap_node_parts_are_uniform(const struct tmap_node_rows *in,
				 const struct tmap_shift_pattern *shift)
{
	return in->row_step == 1 && in->size % in->rows == 0 &&
		(shift->count == in->size ||
		 (shift->step == in->rows && !shift->gap && shift->first + shift->run <= in->rows &&
		  shift->count == (int64_t)in->nodes * shift->run));
}

int64_t tmap_node_senders(const struct tmap_node_rows *in, int node,
			  const struct tmap_shift_pattern *shift)
{
	int64_t place, phase, end;

	if (shift->count == in->size)
		return TMAP_ALL_ROWS;
	place = shift_place(in, tmap_node_rank(in, node, 0), shift);
	end = place + (int64_t)(tmap_node_size(in, node) - 1) * in->row_step + 1;
	if (end <= in->size && place > shift_last(shift))
		return TMAP_NO_ROWS;
	if (in->row_step > 1 || end > in->size || end > shift_last(shift) + 1)
		return shift->step + place;
	phase = place % shift->step;
	if (phase + end - place <= tmap_shift_pattern_extent(shift))
		return shift->gap ? TMAP_NO_ROWS - 1 - phase % (shift->gap + 1) : TMAP_ALL_ROWS;
	return phase >= tmap_shift_pattern_extent(shift) && phase + end - place <= shift->step ?
		TMAP_NO_ROWS :
		phase;
}

int tmap_node_next_sender(const struct tmap_node_rows *in, int node, int row, int end,
			  const struct tmap_shift_pattern *shift)
{
	int64_t last = shift_last(shift);

	while (row < end) {
		int64_t place = shift_place(in, tmap_node_rank(in, node, row), shift);
		int64_t phase = place % shift->step, skip;

		if (place <= last && tmap_shift_pattern_sends(shift, phase))
			break;
		skip = place > last ? in->size - place : shift->step - phase;
		if (place <= last && phase < tmap_shift_pattern_extent(shift))
			skip = shift->gap + 1 - phase % (shift->gap + 1);
		if (skip / in->row_step >= end - row)
			return end;
		row += skip < in->row_step ? 1 : (int)(skip / in->row_step);
	}
	return row;
}
