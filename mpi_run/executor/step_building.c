/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/step_building.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_building_add_step(struct tmap_step_building *building, enum tmap_step_kind kind, int peer,
			   size_t *index)
{
	struct tmap_steps *made = &building->made;

	if (tmap_grow(&made->step, &building->step_capacity, made->step_count + 1,
		      sizeof *made->step, building->err) < 0 ||
	    tmap_grow(&building->marked, &building->marked_capacity, made->step_count + 1,
		      sizeof *building->marked, building->err) < 0)
		return -1;
	building->marked[made->step_count] = TMAP_NO_STEP;
	made->step[made->step_count] = (struct tmap_step){
		.kind = kind,
		.peer = peer,
		.first = kind == TMAP_STEP_LOCAL ? made->move_count : building->pieces.count,
	};
	*index = made->step_count++;
	return 0;
}

int tmap_building_add_wait(struct tmap_step_building *building, size_t step, size_t on,
			   bool is_begin)
{
	if (tmap_grow(&building->wait, &building->wait_capacity, building->wait_count + 1,
		      sizeof *building->wait, building->err) < 0)
		return -1;
	building->wait[building->wait_count++] = (struct tmap_step_wait){ step, on, is_begin };
	building->made.step[step].waits++;
	return 0;
}

int tmap_building_wait(struct tmap_step_building *building, size_t step, size_t on)
{
	if (on == TMAP_NO_STEP || building->marked[on] == step)
		return 0;
	building->marked[on] = step;
	return tmap_building_add_wait(building, step, on, false);
}

int tmap_building_add_move(struct tmap_step_building *building, struct tmap_transfer move)
{
	struct tmap_steps *made = &building->made;

	if (tmap_grow(&made->move, &building->move_capacity, made->move_count + 1,
		      sizeof *made->move, building->err) < 0)
		return -1;
	made->move[made->move_count++] = move;
	return 0;
}

int tmap_building_add_copy(struct tmap_step_building *building, struct tmap_data_piece source,
			   struct tmap_data_piece target)
{
	return source.count ?
		tmap_building_add_move(
			building, (struct tmap_transfer){ .source = source, .target = target }) :
		0;
}

/* Sends, or receives, of one peer begin one after another, and so many are under way at once: whoever
 * waits for one of them looks at all, and a ring has p - 1 receives that could begin at first. */
enum { WINDOW = 16 };

struct of_peer {
	int peer;
	bool is_sent;
	size_t step;
};

static int of_peer_compare(const void *a, const void *b)
{
	const struct of_peer *x = a, *y = b;

	if (x->peer != y->peer)
		return x->peer < y->peer ? -1 : 1;
	if (x->is_sent != y->is_sent)
		return x->is_sent ? 1 : -1;
	return (x->step > y->step) - (x->step < y->step);
}

int tmap_building_order_peers(struct tmap_step_building *building)
{
	size_t count = 0;
	int status = 0;
	struct of_peer *list =
		tmap_alloc_raw(building->made.step_count, sizeof *list, building->err);

	if (!list)
		return -1;
	for (size_t i = 0; i < building->made.step_count; i++)
		if (building->made.step[i].kind != TMAP_STEP_LOCAL)
			list[count++] =
				(struct of_peer){ building->made.step[i].peer,
						  building->made.step[i].kind == TMAP_STEP_SEND,
						  i };
	if (count)
		qsort(list, count, sizeof *list, of_peer_compare);
	for (size_t i = 1, first = 0; i < count && status == 0; i++) {
		if (list[i].peer != list[i - 1].peer || list[i].is_sent != list[i - 1].is_sent) {
			first = i;
			continue;
		}
		status = tmap_building_add_wait(building, list[i].step, list[i - 1].step, true);
		if (status == 0 && i - first >= WINDOW)
			status = tmap_building_add_wait(building, list[i].step,
							list[i - WINDOW].step, false);
	}
	free(list);
	return status;
}

/* The edges of each step, side by side, those that wait for its beginning first. */
int tmap_building_add_edges(struct tmap_step_building *building)
{
	struct tmap_steps *made = &building->made;
	size_t at = 0;

	made->edge = tmap_alloc_raw(building->wait_count, sizeof *made->edge, building->err);
	if (!made->edge)
		return -1;
	made->edge_count = building->wait_count;
	for (size_t i = 0; i < building->wait_count; i++)
		made->step[building->wait[i].on].begin_count += building->wait[i].is_begin;
	for (size_t i = 0; i < building->wait_count; i++)
		made->step[building->wait[i].on].end_count += !building->wait[i].is_begin;
	for (size_t i = 0; i < made->step_count; i++) {
		struct tmap_step *it = &made->step[i];

		it->next = at;
		at += it->begin_count + it->end_count;
		it->begin_count = it->end_count = 0;
	}
	for (int is_begin = 1; is_begin >= 0; is_begin--)
		for (size_t i = 0; i < building->wait_count; i++) {
			struct tmap_step *on = &made->step[building->wait[i].on];
			size_t *count = is_begin ? &on->begin_count : &on->end_count;

			if (building->wait[i].is_begin == is_begin)
				made->edge[on->next + (is_begin ? 0 : on->begin_count) + (*count)++] =
					building->wait[i].step;
		}
	return 0;
}
