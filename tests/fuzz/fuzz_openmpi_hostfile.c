/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a hostfile of Open MPI: refused, or hosts that are each there once, with their slots. */
#include "core/base/mem.h"
#include "core/base/names.h"
#include "formats/launchers/openmpi/hostfile_slots.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct tmap_openmpi_hostfile *file, struct tmap_error *err)
{
	const struct tmap_hostlist *hosts = &file->hosts;
	struct tmap_names names = { 0 };

	if (hosts->count == 0)
		abort();
	for (size_t i = 0; i < hosts->count; i++) {
		const char *name = tmap_hostlist_name(hosts, i);

		if (tmap_names_intern(&names, name, strlen(name), err) != (int)i ||
		    (file->slots[i] < 1 && file->slots[i] != TMAP_NONE) ||
		    (file->most[i] < 1 && file->most[i] != TMAP_NONE))
			abort();
	}
	tmap_names_fini(&names);
}

/* Of Open MPI's form, and with HOST:N. */
static void parse(const char *text, bool colons)
{
	struct tmap_openmpi_hostfile file;
	struct tmap_error err;
	int line = 0;

	if (tmap_openmpi_hostfile_parse(&file, text, colons, &line, &err) == 0) {
		check(&file, &err);
		tmap_openmpi_hostfile_fini(&file);
	} else if (err.kind != TMAP_INPUT || line < 0) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_error err;
	char *text = tmap_strndup((const char *)data, strnlen((const char *)data, size), &err);

	if (!text)
		return 0;
	parse(text, false);
	parse(text, true);
	free(text);
	return 0;
}
