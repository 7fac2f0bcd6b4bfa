/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/planned.h"

static const struct tmap_library_own *own_choice(const struct tmap_traffic *traffic, int index)
{
	const struct tmap_library_own *own = traffic->own ? &traffic->own[index] : NULL;

	return own && own->follows_order ? own : NULL;
}

bool tmap_planned_anew(const struct tmap_traffic *traffic, int index)
{
	return own_choice(traffic, index) || tmap_call_follows_places(&traffic->call[index]);
}

int tmap_planned_call(struct tmap_call *call, const struct tmap_traffic *traffic, int index,
		      const struct tmap_metric *metric, struct tmap_error *err)
{
	const struct tmap_library_own *own = own_choice(traffic, index);
	struct tmap_order order;

	*call = traffic->call[index];
	if (!tmap_planned_anew(traffic, index))
		return 0;
	call->metric = metric;
	if (own &&
	    (tmap_order_find(&order, metric->placement, err) < 0 ||
	     tmap_calls_choose_anew(call, own, &order, err) < 0))
		return -1;
	return tmap_call_check(call, err);
}
