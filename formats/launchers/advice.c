#include "formats/launchers/advice.h"

#include "formats/launchers/flags.h"

#include <stdlib.h>

int tm_launch_write_advice(const struct tm_launch *job, FILE *out, struct tm_error *err)
{
	char *note = tm_launch_note(job, err), *flags = NULL;

	if (!note || tm_launch_find_flags(&flags, job, err) < 0) {
		free(note);
		return -1;
	}
	if (*note)
		fprintf(out, "Note: %s.\n", note);
	if (flags)
		fprintf(out, "Without a file, on these nodes in this order, the same is\n  %s\n", flags);
	free(flags);
	free(note);
	return ferror(out) ? tm_fail(err, TM_SYSTEM, "the advice could not be written") : 0;
}
