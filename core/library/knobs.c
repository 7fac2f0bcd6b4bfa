#include "core/library/library.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_library_knobs_fini(struct tmap_knobs *knobs)
{
	free((char *)knobs->openmpi);
	free((char *)knobs->mpich);
	free((char *)knobs->ucc);
	*knobs = (struct tmap_knobs){ 0 };
}

/* *knob = the knob and what goes with it; NULL where one has no knob. */
static int knob_fill(const char **knob, const struct tmap_spec *choice, const char *text,
		     const char *whole, struct tmap_error *err)
{
	char *alone, *both;

	if (tmap_spec_fill(&alone, choice, text, err) < 0)
		return -1;
	if (!alone || !whole) {
		*knob = alone;
		return 0;
	}
	both = tmap_format(err, "%s %s", alone, whole);
	free(alone);
	*knob = both;
	return both ? 0 : -1;
}

int tmap_library_knobs(struct tmap_knobs *knobs, const struct tmap_spec *choice,
		       const struct tmap_library_whole *whole, struct tmap_error *err)
{
	const struct tmap_knobs *texts = &choice->row->knobs;
	struct tmap_knobs made = { 0 };

	if (knob_fill(&made.openmpi, choice, texts->openmpi, whole->openmpi, err) < 0 ||
	    knob_fill(&made.mpich, choice, texts->mpich, whole->mpich, err) < 0 ||
	    knob_fill(&made.ucc, choice, texts->ucc, NULL, err) < 0) {
		tmap_library_knobs_fini(&made);
		return -1;
	}
	*knobs = made;
	return 0;
}
