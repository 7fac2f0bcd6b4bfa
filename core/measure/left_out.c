/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/left_out.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_left_out_fini(struct tmap_left_out *it)
{
	tmap_experiment_fini(&it->call);
	free(it->reason);
	it->reason = NULL;
}

int tmap_times_leave_out(struct tmap_times *times, const struct tmap_experiment *call,
			 const char *reason, struct tmap_error *err)
{
	struct tmap_left_out it = { .call = { .collective = call->collective,
					      .on = call->on,
					      .algorithm = tmap_strdup(call->algorithm, err),
					      .mode = call->mode,
					      .bytes = call->bytes,
					      .root = call->root },
				    .reason = tmap_strdup(reason, err) };

	if (!it.call.algorithm || !it.reason ||
	    tmap_grow(&times->left_out, &times->left_out_capacity,
		      (size_t)times->left_out_count + 1, sizeof *times->left_out, err) < 0) {
		tmap_left_out_fini(&it);
		return -1;
	}
	times->left_out[times->left_out_count++] = it;
	return 0;
}

static int left_out_compare(const void *a, const void *b)
{
	const struct tmap_left_out *left = a, *right = b;
	int order = tmap_experiment_compare(&left->call, &right->call);

	return order ? order : strcmp(left->reason, right->reason);
}

int tmap_left_out_join(struct tmap_times *times, const struct tmap_times *other,
		       struct tmap_error *err)
{
	int count = 0;

	for (int i = 0; i < other->left_out_count; i++)
		if (tmap_times_leave_out(times, &other->left_out[i].call, other->left_out[i].reason,
					 err) < 0)
			return -1;
	if (times->left_out_count)
		qsort(times->left_out, (size_t)times->left_out_count, sizeof *times->left_out,
		      left_out_compare);
	for (int i = 0; i < times->left_out_count; i++) {
		struct tmap_left_out *it = &times->left_out[i];

		if (count &&
		    tmap_experiment_compare(&times->left_out[count - 1].call, &it->call) == 0)
			tmap_left_out_fini(it);
		else
			times->left_out[count++] = *it;
	}
	times->left_out_count = count;
	return 0;
}
