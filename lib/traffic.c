/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/traffic.h"
#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "lib/handles.h"

#include <math.h>
#include <stdlib.h>

struct topomap_traffic *topomap_traffic_new(int size, struct topomap_error *err)
{
	struct topomap_traffic *made = NULL;
	struct tmap_error why;

	if (size < 1 || size > TMAP_MOST_RANKS)
		tmap_fail(&why, TMAP_USAGE, "%d ranks: traffic is among 1 to %d", size,
			  TMAP_MOST_RANKS);
	else if ((made = tmap_handle_new(TMAP_HANDLE_TRAFFIC, sizeof *made, &why)) &&
		 tmap_pattern_builder_init(&made->builder, size, &why) == 0)
		return made;
	topomap_traffic_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_traffic_free(struct topomap_traffic *traffic)
{
	if (!traffic || !tmap_handle_release(traffic, TMAP_HANDLE_TRAFFIC))
		return;
	for (int i = 0; i < traffic->call_count; i++)
		topomap_call_free(traffic->call[i]);
	free(traffic->call);
	free(traffic->times);
	tmap_pattern_builder_fini(&traffic->builder);
	free(traffic);
}

int topomap_traffic_add(struct topomap_traffic *traffic, int from, int to, double bytes,
			struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(traffic, TMAP_HANDLE_TRAFFIC, &why) < 0 ||
	    tmap_index_check(from, traffic->builder.size, "rank", &why) < 0 ||
	    tmap_index_check(to, traffic->builder.size, "rank", &why) < 0)
		return tmap_public_error(err, &why);
	if (!isfinite(bytes) || bytes < 0) {
		tmap_fail(&why, TMAP_USAGE, "%g bytes from rank %d to rank %d", bytes, from, to);
		return tmap_public_error(err, &why);
	}
	if (tmap_pattern_add(&traffic->builder, from, to, bytes, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}

static int add_call(struct topomap_traffic *traffic, const struct topomap_call *call, double times,
		    struct tmap_error *err)
{
	size_t count = (size_t)traffic->call_count + 1;

	if (!call->algorithm)
		return tmap_fail(err, TMAP_USAGE, "the call has no algorithm yet");
	if (call->call.size != traffic->builder.size)
		return tmap_fail(err, TMAP_USAGE, "a call of %d ranks for traffic among %d",
				 call->call.size, traffic->builder.size);
	if (!isfinite(times) || times <= 0)
		return tmap_fail(err, TMAP_USAGE, "a call is made %g times: more than 0 is wanted",
				 times);
	if (tmap_grow(&traffic->call, &traffic->call_capacity, count, sizeof *traffic->call, err) <
		    0 ||
	    tmap_grow(&traffic->times, &traffic->times_capacity, count, sizeof *traffic->times,
		      err) < 0)
		return -1;
	traffic->call[traffic->call_count] = tmap_handle_hold(call);
	traffic->times[traffic->call_count++] = times;
	return 0;
}

int topomap_traffic_add_call(struct topomap_traffic *traffic, const struct topomap_call *call,
			     double times, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(traffic, TMAP_HANDLE_TRAFFIC, &why) < 0 ||
	    tmap_public_call_check(call, &why) < 0 || add_call(traffic, call, times, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}

int topomap_traffic_read(struct topomap_traffic *traffic, const char *path, const char *format,
			 struct topomap_error *err)
{
	struct tmap_error why;
	locale_t before;
	size_t count;
	double bytes;
	int row = TMAP_NONE, status;

	if (tmap_handle_check(traffic, TMAP_HANDLE_TRAFFIC, &why) < 0 ||
	    tmap_argument_check(path, "path", &why) < 0 ||
	    (format &&
	     (row = tmap_word_find(&tmap_traffic_formats, format, 0, &why)) == TMAP_NONE) ||
	    !(before = tmap_locale_begin(&why)))
		return tmap_public_error(err, &why);
	count = traffic->builder.count;
	bytes = traffic->builder.bytes;
	status = tmap_traffic_read(&traffic->builder, path, row, &why);
	tmap_locale_end(before);
	if (status == 0)
		return 0;
	/* what came before the mistake goes again */
	traffic->builder.count = count;
	traffic->builder.bytes = bytes;
	return tmap_public_error(err, &why);
}
