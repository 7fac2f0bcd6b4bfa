#include "formats/launchers/hydra/machinefile.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/hydra/hydra_hostfile.h"

#include <stdlib.h>
#include <string.h>

static int parse_pinning(struct tmap_local_binding *words, const char *text, bool *said,
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
		status = tmap_local_binding_parse_intel(words, list, err);
		free(list);
		*said = true;
		return status < 0 ?
			tmap_wrap(err, "%.*s", (int)strlen(options[i]) - 1, options[i]) :
			0;
	}
	*said = tmap_comment_has(text, "I_MPI_PIN off");
	return *said ? tmap_local_binding_add(words, "", 0, err) : 0;
}

static int pin(struct tmap_entries *entries, const char *text, struct tmap_error *err)
{
	struct tmap_local_binding words = { 0 };
	bool said;
	int status = parse_pinning(&words, text, &said, err);

	if (status == 0)
		status = tmap_local_binding_apply(said ? &words : NULL, entries, err);
	tmap_local_binding_fini(&words);
	return status;
}

int tmap_machinefile_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			  int ranks, struct tmap_error *err)
{
	return tmap_hydra_hostfile_read_with(p, machine, path, ranks, NULL, pin, err);
}
