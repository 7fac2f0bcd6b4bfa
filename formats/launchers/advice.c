#include "formats/launchers/advice.h"

#include <stdlib.h>

int tm_launch_write_advice(const struct tm_launch *job, FILE *out, struct tm_error *err)
{
	char *note = tm_launch_note(job, err);

	if (!note)
		return -1;
	if (*note)
		fprintf(out, "Note: %s.\n", note);
	free(note);
	return ferror(out) ? tm_fail(err, TM_SYSTEM, "the advice could not be written") : 0;
}
