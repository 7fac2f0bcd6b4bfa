/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/svg_suggestion.h"

#include "core/base/mem.h"
#include "core/cost/profile_choice.h"
#include "formats/base/amount.h"
#include "formats/report/inspection/svg_machine.h"

#include <stdlib.h>

static char *title_of(const struct tmap_suggestion *s, enum tmap_state_name name,
		      struct tmap_error *err)
{
	char seconds[TMAP_SECONDS_ROOM];

	if (!s->has_traffic)
		return tmap_format(err, "%s", s->state[name].name);
	return tmap_format(err, "%s: %s predicted", s->state[name].name,
			   tmap_seconds_print(s->state[name].evaluation.seconds, seconds));
}

/* Whose costs the times of both rest on; they stand below, so that the titles stay short. */
static char *note_of(const struct tmap_suggestion *s, struct tmap_error *err)
{
	return s->has_traffic ? tmap_format(err, "Costs of %s, %s.", s->profile->word.name,
					    tmap_profile_kind(s->profile)) :
				tmap_format(err, "%s", "");
}

static int write_both(const struct tmap_suggestion *s, FILE *out,
		      const struct tmap_inspection *before, const struct tmap_inspection *after,
		      struct tmap_error *err)
{
	char *old = title_of(s, TMAP_LAUNCHED, err), *new = title_of(s, TMAP_SUGGESTED, err);
	const struct tmap_svg_panel panel[2] = { { old, before }, { new, after } };
	char *note = note_of(s, err);
	int status = old && new &&note ? tmap_svg_write_machines(out, panel, note, err) : -1;

	free(old);
	free(new);
	free(note);
	return status;
}

int tmap_suggestion_write_svg(const struct tmap_suggestion *suggestion, FILE *out,
			      struct tmap_error *err)
{
	struct tmap_inspection before, after;
	int status = -1;

	if (tmap_inspection_init(&before, suggestion->before, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	if (tmap_inspection_init(&after, &suggestion->after, TMAP_SCALE_PROCESS, err) == 0) {
		status = write_both(suggestion, out, &before, &after, err);
		tmap_inspection_fini(&after);
	}
	tmap_inspection_fini(&before);
	return status;
}
