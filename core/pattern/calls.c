/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/calls.h"

struct adding {
	struct tmap_pattern_builder *builder;
	double weight, message_bytes;
	size_t most;
	bool is_full;
};

static int pattern_visit_message(void *context, const struct tmap_message *message,
				 struct tmap_error *err)
{
	struct adding *adding = context;
	double bytes = (double)message->bytes + (double)message->times * adding->message_bytes;

	if (adding->builder->count >= adding->most) {
		adding->is_full = true;
		return tmap_fail(err, TMAP_INPUT, "more than %zu messages", adding->most);
	}
	return tmap_pattern_add(adding->builder, message->from, message->to, adding->weight * bytes,
				err);
}

static int pattern_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				   struct tmap_error *err)
{
	struct adding *adding = context;
	struct tmap_pattern_builder *builder = adding->builder;

	(void)err;
	builder->everyone += adding->weight *
		((double)pairs->bytes + adding->message_bytes +
		 (double)pairs->larger * (double)pairs->more / builder->size);
	return 0;
}

int tmap_pattern_add_call(struct tmap_pattern_builder *b, const struct tmap_call *call,
			  double weight, double message_bytes, size_t most, struct tmap_error *err)
{
	struct adding adding = { b, weight, message_bytes, most, false };
	struct tmap_visitor visitor = { .folded = true,
					.message = pattern_visit_message,
					.all_pairs = pattern_visit_all_pairs,
					.context = &adding };
	int status = tmap_schedule(call, &visitor, err);

	return adding.is_full ? 1 : status;
}

int tmap_pattern_add_pattern(struct tmap_pattern_builder *b, const struct tmap_pattern *pattern,
			     struct tmap_error *err)
{
	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			if (tmap_pattern_add(b, r, pattern->peer[i], pattern->sent[i], err) < 0)
				return -1;
	b->everyone += pattern->everyone;
	return 0;
}
