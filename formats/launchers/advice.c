#include "formats/launchers/advice.h"

#include "formats/launchers/flags.h"

#include <stdlib.h>

char *tm_launch_advice(const struct tm_launch *job, struct tm_error *err)
{
	char *note = tm_launch_note(job, err), *flags = NULL;
	struct tm_str text = TM_STR_INIT;

	if (!note || tm_launch_find_flags(&flags, job, err) < 0) {
		free(note);
		return NULL;
	}
	if (*note)
		tm_str_addf(&text, "Note: %s.\n", note);
	if (flags)
		tm_str_addf(&text, "Without a file, on these nodes in this order: %s\n", flags);
	free(flags);
	free(note);
	return tm_str_take(&text, err);
}
