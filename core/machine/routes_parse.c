/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/machine/routes.h"

#include <stdlib.h>
#include <string.h>

/* "4x4x2", up to three numbers; the others are 1. */
static int dims_parse(int dim[TMAP_TORUS_DIMENSIONS], const char *text, struct tmap_error *err)
{
	for (int d = 0; d < TMAP_TORUS_DIMENSIONS; d++)
		dim[d] = 1;
	for (int d = 0;; d++) {
		size_t length = strcspn(text, "x");
		int64_t number;
		char *word;
		int status;

		if (d == TMAP_TORUS_DIMENSIONS)
			return tmap_fail(err, TMAP_USAGE, "a torus has up to %d dimensions",
					 TMAP_TORUS_DIMENSIONS);
		word = tmap_strndup(text, length, err);
		if (!word)
			return -1;
		status = tmap_units_parse_int(word, 1, TMAP_TORUS_MOST_SIZE, &number, err);
		free(word);
		if (status < 0) {
			err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
			return -1;
		}
		dim[d] = (int)number;
		if (!text[length])
			return 0;
		text += length + 1;
	}
}

int tmap_routes_parse(struct tmap_routes *routes, const char *text,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	static const char torus[] = "torus:";
	int dim[TMAP_TORUS_DIMENSIONS];

	if (strcmp(text, "dragonfly") == 0)
		return tmap_routes_init_dragonfly(routes, machine, err);
	if (strncmp(text, torus, strlen(torus)) != 0)
		return tmap_fail(err, TMAP_USAGE,
				 "'%.64s' is neither dragonfly nor torus:SIZES, such as "
				 "torus:4x4x2",
				 text);
	if (dims_parse(dim, text + strlen(torus), err) < 0)
		return -1;
	return tmap_routes_init_torus(routes, machine, dim, err);
}
