#include "formats/launchers/advice.h"

#include "formats/launchers/flags.h"

#include <stdlib.h>

char *tmap_launch_advice(const struct tmap_launch *job, struct tmap_error *err)
{
	char *note = tmap_launch_note(job, err), *flags = NULL;
	struct tmap_str text = TMAP_STR_INIT;

	if (!note || tmap_launch_find_flags(&flags, job, err) < 0) {
		free(note);
		return NULL;
	}
	if (*note)
		tmap_str_addf(&text, "Note: %s.\n", note);
	if (flags)
		tmap_str_addf(&text, "Without a file, on these nodes in this order: %s\n", flags);
	free(flags);
	free(note);
	return tmap_str_take(&text, err);
}
