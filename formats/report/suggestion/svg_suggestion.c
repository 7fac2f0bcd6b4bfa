#include "formats/report/suggestion/svg_suggestion.h"

#include "core/base/mem.h"
#include "formats/report/inspection/svg_machine.h"
#include "formats/report/baseline/text_versus.h"

#include <stdlib.h>

static char *title_of(const struct tm_suggestion *s, enum tm_state_name name, struct tm_error *err)
{
	char seconds[TM_SECONDS_ROOM];

	if (!s->has_traffic)
		return tm_format(err, "%s", s->state[name].name);
	return tm_format(err, "%s: %s predicted", s->state[name].name,
			 tm_text_seconds(s->state[name].measures.seconds, seconds));
}

static int write_both(const struct tm_suggestion *s, FILE *out, const struct tm_inspection *before,
		      const struct tm_inspection *after, struct tm_error *err)
{
	char *old = title_of(s, TM_LAUNCHED, err), *new = title_of(s, TM_SUGGESTED, err);
	const struct tm_svg_panel panel[2] = { { old, before }, { new, after } };
	int status = old && new ? tm_svg_write_machines(out, panel, err) : -1;

	free(old);
	free(new);
	return status;
}

int tm_suggestion_write_svg(const struct tm_suggestion *suggestion, FILE *out,
			    struct tm_error *err)
{
	struct tm_inspection before, after;
	int status = -1;

	if (tm_inspection_init(&before, suggestion->before, TM_SCALE_PROCESS, err) < 0)
		return -1;
	if (tm_inspection_init(&after, &suggestion->after, TM_SCALE_PROCESS, err) == 0) {
		status = write_both(suggestion, out, &before, &after, err);
		tm_inspection_fini(&after);
	}
	tm_inspection_fini(&before);
	return status;
}
