/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/calls.h"

#include "core/pattern/rows.h"

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
	struct tmap_pattern_rows rows;
	int status = 0;

	if (tmap_pattern_rows_init(&rows, pattern, NULL, false, err) < 0)
		return -1;
	for (int r = 0; status == 0 && tmap_pattern_rows_next(&rows); r++)
		for (int i = 0; i < rows.count && status == 0; i++)
			status = tmap_pattern_add(b, r, rows.peer[i], rows.sent[i], err);
	tmap_pattern_rows_fini(&rows);
	b->everyone += pattern->everyone;
	return status;
}
