/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/line.h"

static bool is_waited_for(const struct tmap_steps *steps, size_t step, size_t by)
{
	const struct tmap_step *it = &steps->step[step];
	const size_t *edge = &steps->edge[it->next + it->begin_count];

	for (size_t k = 0; k < it->end_count; k++)
		if (edge[k] == by)
			return true;
	return false;
}

static bool are_exchanged(const struct tmap_steps *steps, size_t i)
{
	const struct tmap_step *it = &steps->step[i];

	return i + 1 < steps->step_count &&
		it[0].kind + it[1].kind == TMAP_STEP_SEND + TMAP_STEP_RECV &&
		!is_waited_for(steps, i, i + 1);
}

static struct tmap_line_part line_part(const struct tmap_steps *steps, size_t i)
{
	enum tmap_step_kind kind = steps->step[i].kind;

	if (are_exchanged(steps, i))
		return kind == TMAP_STEP_RECV ?
			(struct tmap_line_part){ TMAP_LINE_EXCHANGE, i, i + 1, 0 } :
			(struct tmap_line_part){ TMAP_LINE_EXCHANGE, i + 1, i, 0 };
	return (struct tmap_line_part){ kind == TMAP_STEP_LOCAL ? TMAP_LINE_LOCAL :
								  TMAP_LINE_MESSAGE,
					i, i, 0 };
}

static void messages_count(struct tmap_line_part *part, size_t count)
{
	size_t messages = 0;

	for (size_t i = count; i > 0; i--) {
		messages = part[i - 1].kind == TMAP_LINE_LOCAL ? 0 : messages + 1;
		part[i - 1].messages = messages;
	}
}

bool tmap_line_fill(const struct tmap_steps *steps, struct tmap_line_part *part, size_t *count)
{
	size_t before = 0, end;

	*count = 0;
	for (size_t i = 0; i < steps->step_count; before = i, i = end) {
		part[*count] = line_part(steps, i);
		end = part[(*count)++].kind == TMAP_LINE_EXCHANGE ? i + 2 : i + 1;
		for (size_t on = before; on < i; on++)
			for (size_t by = i; by < end; by++)
				if (!is_waited_for(steps, on, by))
					return false;
	}
	messages_count(part, *count);
	return true;
}
