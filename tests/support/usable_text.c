/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/usable_text.h"

#include "core/base/string.h"

#include <stdlib.h>

char *seats_print(const struct tmap_placement *p)
{
	struct tmap_str text = TMAP_STR_INIT;
	struct tmap_error err;
	char *seats;

	for (int r = 0; r < p->size; r++) {
		const struct tmap_place *place = &p->places[p->place[r]];
		char *pus = tmap_idset_print(&place->pus, &err);

		if (!pus)
			abort();
		tmap_str_addf(&text, "%s%d:%s", r ? " " : "", p->node[r], place->bound ? pus : "*");
		free(pus);
	}
	seats = tmap_str_take(&text, &err);
	if (!seats)
		abort();
	return seats;
}
