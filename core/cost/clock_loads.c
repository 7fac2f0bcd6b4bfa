/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_loads.h"

#include "core/cost/clock_round.h"

/* What a message adds to a load. */
struct load_part {
	double bytes, messages, first_s;
};

/* More on a load; what it has of another round than the one at hand is none. */
static inline void load_add(struct tmap_clock *clock, int l, struct tmap_cost_load *load,
			    int number, uint32_t stamp, const struct load_part *part)
{
	if (load->round != stamp) {
		*load = (struct tmap_cost_load){ part->bytes, part->messages, part->first_s,
						 stamp };
		clock->model->room->busy[clock->busy_count++] =
			(struct tmap_cost_used){ l, number };
		return;
	}
	load->bytes += part->bytes;
	load->messages += part->messages;
	load->first_s = part->first_s < load->first_s ? part->first_s : load->first_s;
}

void tmap_load_add(struct tmap_clock *clock, int link, int object, bool enters, double bytes,
		   double messages, double first)
{
	const struct tmap_cost_link *its = &clock->model->link[link];

	size_t number = tmap_cost_load(its, object, enters);

	load_add(clock, link, &its->load[number], (int)number, clock->model->stamp,
		 &(struct load_part){ bytes, messages, first });
}

/* The messages of a chunk that cross a link, and which loads they are on both sides. */
struct crossing {
	int count;
	int message[TMAP_CHUNK], left[TMAP_CHUNK], reached[TMAP_CHUNK];
};

/* The load of what leaves the object at a position; what enters it is @p twice more. */
static inline int crossing_load(const int *base, const int *local, struct tmap_position position,
				int twice)
{
	return (base[position.node] + local[position.object]) << twice;
}

static void crossing_find(struct crossing *crossing, const struct tmap_cost_link *link,
			  const struct tmap_chunk *chunk)
{
	const int *base = link->base, *local = link->local;
	const bool *crossed = link->crossed;
	int found = 0, twice = !link->is_sum;

	for (int i = 0; i < chunk->count; i++) {
		crossing->message[found] = i;
		crossing->left[found] = crossing_load(base, local, chunk->left[i], twice);
		crossing->reached[found] =
			crossing_load(base, local, chunk->reached[i], twice) + twice;
		found += crossed[chunk->kind[i]];
	}
	crossing->count = found;
}

/* Messages that are alike, all of which cross the link. */
static void crossing_find_all(struct crossing *crossing, const struct tmap_cost_link *link,
			      const struct tmap_chunk *chunk)
{
	const int *base = link->base, *local = link->local;
	const struct tmap_cost_load *load = link->load;
	int twice = !link->is_sum;

	for (int i = 0; i < chunk->count; i++) {
		int left = crossing_load(base, local, chunk->left[i], twice);
		int reached = crossing_load(base, local, chunk->reached[i], twice) + twice;

		__builtin_prefetch(&load[left], 1);
		__builtin_prefetch(&load[reached], 1);
		crossing->left[i] = left;
		crossing->reached[i] = reached;
	}
}

/* As tmap_chunk_load(), where each message adds the same: loads are then the same in any order. */
static void chunk_load_like(struct tmap_clock *clock, double share, const struct tmap_chunk *chunk,
			    const double *head)
{
	const struct tmap_cost_model *model = clock->model;
	struct load_part part = { chunk->price[0]->bytes, share, 0 };
	uint32_t stamp = model->stamp;
	struct crossing crossing;

	for (int l = 0; l < model->link_count; l++) {
		struct tmap_cost_load *load = model->link[l].load;

		if (!model->link[l].crossed[chunk->kind[0]])
			continue;
		crossing_find_all(&crossing, &model->link[l], chunk);
		for (int i = 0; i < chunk->count; i++) {
			int left = crossing.left[i], reached = crossing.reached[i];

			part.first_s = head[i];
			load_add(clock, l, &load[left], left, stamp, &part);
			load_add(clock, l, &load[reached], reached, stamp, &part);
		}
	}
}

void tmap_chunk_load(struct tmap_clock *clock, const struct tmap_spread *spread,
		     const struct tmap_chunk *chunk, const double *head)
{
	const struct tmap_cost_model *model = clock->model;
	uint32_t stamp = model->stamp;
	struct crossing crossing;

	if (chunk->is_like) {
		chunk_load_like(clock, spread->share, chunk, head);
		return;
	}
	for (int l = 0; l < model->link_count; l++) {
		struct tmap_cost_load *load = model->link[l].load;

		crossing_find(&crossing, &model->link[l], chunk);
		for (int k = 0; k < crossing.count; k++) {
			__builtin_prefetch(&load[crossing.left[k]], 1);
			__builtin_prefetch(&load[crossing.reached[k]], 1);
		}
		for (int k = 0; k < crossing.count; k++) {
			int i = crossing.message[k], left = crossing.left[k];
			int reached = crossing.reached[k];
			const struct load_part part = { chunk->price[i]->bytes, spread->share,
							head[i] };

			load_add(clock, l, &load[left], left, stamp, &part);
			load_add(clock, l, &load[reached], reached, stamp, &part);
		}
	}
}

void tmap_loads_end(struct tmap_clock *clock)
{
	const struct tmap_cost_model *model = clock->model;

	for (int i = 0; i < clock->busy_count; i++) {
		const struct tmap_cost_link *link = &model->link[model->room->busy[i].link];
		int at = model->room->busy[i].load;
		const struct tmap_cost_load *load = &link->load[at];
		double busy = tmap_cost_busy(link, tmap_cost_load_object(link, (size_t)at),
					     load->bytes, load->messages);

		if (clock->round < clock->overlap_end)
			link->busy_s[at] += busy;
		link->end_s[at] = tmap_later(load->first_s, link->end_s[at]) + busy;
	}
	clock->busy_count = 0;
}

void tmap_chunk_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
			  double *end)
{
	for (int i = 0; i < chunk->count; i++)
		end[i] = 0;
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		const int *base = link->base, *local = link->local;
		const double *end_s = link->end_s;
		int twice = !link->is_sum;

		if (chunk->is_like && !link->crossed[chunk->kind[0]])
			continue;
		for (int i = 0; i < chunk->count; i++) {
			int left = crossing_load(base, local, chunk->left[i], twice);
			int reached = crossing_load(base, local, chunk->reached[i], twice) + twice;
			double its = tmap_later(end_s[left], end_s[reached]);

			if (chunk->is_like || link->crossed[chunk->kind[i]])
				end[i] = tmap_later(end[i], its);
		}
	}
}
