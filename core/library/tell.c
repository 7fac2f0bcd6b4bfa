#include "core/library/library.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tm_library_tell_fini(struct tm_knobs *knobs)
{
	free((char *)knobs->openmpi);
	free((char *)knobs->mpich);
	free((char *)knobs->ucc);
	*knobs = (struct tm_knobs){ 0 };
}

/* *knob = the knob and what goes with it; NULL where one has no knob. */
static int tell(const char **knob, const struct tm_choice *choice, const char *text,
		const char *whole, struct tm_error *err)
{
	char *alone, *both;

	if (tm_choice_fill(&alone, choice, text, err) < 0)
		return -1;
	if (!alone || !whole) {
		*knob = alone;
		return 0;
	}
	both = tm_format(err, "%s %s", alone, whole);
	free(alone);
	*knob = both;
	return both ? 0 : -1;
}

int tm_library_tell(struct tm_knobs *knobs, const struct tm_choice *choice,
		    const struct tm_library_whole *whole, struct tm_error *err)
{
	const struct tm_knobs *texts = &choice->row->knobs;
	bool is_tuned = texts->openmpi && strstr(texts->openmpi, "coll_tuned");
	struct tm_knobs made = { 0 };

	if (tell(&made.openmpi, choice, texts->openmpi, is_tuned ? whole->openmpi : NULL, err) < 0 ||
	    tell(&made.mpich, choice, texts->mpich, whole->mpich, err) < 0 ||
	    tell(&made.ucc, choice, texts->ucc, NULL, err) < 0) {
		tm_library_tell_fini(&made);
		return -1;
	}
	*knobs = made;
	return 0;
}
