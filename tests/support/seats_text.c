#include "tests/support/seats_text.h"

#include "core/base/string.h"

#include <stdlib.h>

char *seats_print(const struct tm_placement *p)
{
	struct tm_str text = TM_STR_INIT;
	struct tm_error err;
	char *seats;

	for (int r = 0; r < p->size; r++) {
		const struct tm_place *place = &p->places[p->place[r]];
		char *pus = tm_idset_print(&place->pus, &err);

		if (!pus)
			abort();
		tm_str_addf(&text, "%s%d:%s", r ? " " : "", p->node[r], place->bound ? pus : "*");
		free(pus);
	}
	seats = tm_str_take(&text, &err);
	if (!seats)
		abort();
	return seats;
}
