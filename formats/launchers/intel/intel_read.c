/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/intel/intel.h"

#include "core/machine/most_ranks.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/hostfile.h"
#include "formats/launchers/common/local_binding.h"

#include <stdlib.h>
#include <string.h>

static int parse_pinning(struct tmap_local_binding *binding, const char *text, bool *given,
			 struct tmap_error *err)
{
	static const char *const options[] = { "I_MPI_PIN_PROCESSOR_LIST ", "I_MPI_PIN_DOMAIN " };

	for (int i = 0; i < 2; i++) {
		char *list;
		int status;

		if (tmap_comment_find(&list, text, options[i], err) < 0)
			return -1;
		if (!list)
			continue;
		status = tmap_local_binding_parse_intel(binding, list, err);
		free(list);
		*given = true;
		return status < 0 ?
			tmap_wrap(err, "%.*s", (int)strlen(options[i]) - 1, options[i]) :
			0;
	}
	*given = tmap_comment_has(text, "I_MPI_PIN off");
	return *given ? tmap_local_binding_add(binding, "", 0, err) : 0;
}

int tmap_intel_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file, int *line,
		     struct tmap_error *err)
{
	struct tmap_local_binding binding = { 0 };
	bool given;
	int status;

	if (tmap_hostfile_parse(entries, file->text, file->ranks, tmap_most_ranks(file->machine),
				line, err) < 0)
		return -1;
	*line = 0;
	/* binding= is Hydra's, and not heeded here */
	for (int i = 0; i < entries->count; i++)
		entries->entry[i].words = TMAP_NONE;
	status = parse_pinning(&binding, file->text, &given, err);
	if (status == 0 && given)
		status = tmap_local_binding_apply(&binding, entries, err);
	tmap_local_binding_fini(&binding);
	return status;
}
