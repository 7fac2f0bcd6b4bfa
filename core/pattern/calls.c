#include "core/pattern/calls.h"

struct adding {
	struct tm_pattern_builder *builder;
	double weight, message_bytes;
	size_t most;
	bool is_full;
};

static int add_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct adding *adding = context;
	double bytes = (double)message->bytes + (double)message->times * adding->message_bytes;

	if (adding->builder->count >= adding->most) {
		adding->is_full = true;
		return tm_fail(err, TM_INPUT, "more than %zu messages", adding->most);
	}
	return tm_pattern_add(adding->builder, message->from, message->to,
			      adding->weight * bytes, err);
}

static int add_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct adding *adding = context;
	struct tm_pattern_builder *builder = adding->builder;

	(void)err;
	builder->everyone += adding->weight * ((double)pairs->bytes + adding->message_bytes +
					       (double)pairs->larger / builder->size);
	return 0;
}

int tm_pattern_add_call(struct tm_pattern_builder *b, const struct tm_call *call, double weight,
			double message_bytes, size_t most, struct tm_error *err)
{
	struct adding adding = { b, weight, message_bytes, most, false };
	struct tm_sink sink = { .folded = true, .message = add_message,
				.all_pairs = add_all_pairs, .context = &adding };
	int status = tm_schedule(call, &sink, err);

	return adding.is_full ? 1 : status;
}

int tm_pattern_add_pattern(struct tm_pattern_builder *b, const struct tm_pattern *pattern,
			   struct tm_error *err)
{
	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			if (tm_pattern_add(b, r, pattern->peer[i], pattern->sent[i], err) < 0)
				return -1;
	b->everyone += pattern->everyone;
	return 0;
}
