/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * burst_loads.h - what the links of a cost model carry in a pattern that is sent at once.
 *
 *     begin       nothing        add, for each message that crosses        end        busy until then
 */
#ifndef TMAP_CORE_MAP_BURST_LOADS_H
#define TMAP_CORE_MAP_BURST_LOADS_H

#include "core/cost/cost_model.h"

#include <math.h>

/** No link carries anything. The next clock of the model, whose stamp is none of these, finds no loads.
 *  O(objects). */
static inline void tmap_burst_loads_begin(const struct tmap_cost_model *model)
{
	for (int l = 0; l < model->link_count; l++) {
		size_t count = tmap_cost_load_count(&model->link[l]);

		for (size_t i = 0; i < count; i++)
			model->link[l].load[i] = (struct tmap_cost_load){ .first_s = INFINITY };
	}
}

/** So many messages more, of @p bytes together, the first of which comes at @p first_s. */
static inline void tmap_burst_load_add(struct tmap_cost_load *load, double bytes, double messages,
				       double first_s)
{
	load->first_s = first_s < load->first_s ? first_s : load->first_s;
	load->bytes += bytes;
	load->messages += messages;
}

/** Until when each is busy: INFINITY where it carries nothing. O(objects). */
static inline void tmap_burst_loads_end(const struct tmap_cost_model *model)
{
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		size_t count = tmap_cost_load_count(link);

		for (size_t i = 0; i < count; i++) {
			const struct tmap_cost_load *load = &link->load[i];

			link->end_s[i] = load->first_s +
				tmap_cost_busy(link, tmap_cost_load_object(link, i), load->bytes,
					       load->messages);
		}
	}
}

#endif
