/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a call in words, and as a stencil of 24 ranks: refused with a sentence, or a call
 * that can run, and neighbours that are ranks. */
#include "core/library/calls.h"
#include "core/schedule/neighborhood.h"
#include "tests/fuzz/networks.h"

static void try_call(const char *text)
{
	const struct tmap_order order = { .used_nodes = 3,
					  .ranks_min = 8,
					  .ranks_max = 8,
					  .regular = true,
					  .consecutive = true };
	struct tmap_call call = { .size = 24 };
	struct tmap_error err = { 0 };
	double weight = 0;
	struct tmap_library_own own;

	if (tmap_calls_parse(&call, &weight, &own, text, &order, 0, &err) == 0) {
		if (!(weight > 0) || call.bytes < 0 || tmap_call_check(&call, &err) < 0)
			abort();
	} else if (!*err.text) {
		abort();
	}
}

static void try_stencil(const char *text)
{
	struct tmap_neighborhood neighborhood;
	struct tmap_error err = { 0 };

	if (tmap_neighborhood_init(&neighborhood, 24, text, "2x3x4", "0,1,1", NULL, &err) == 0) {
		int *list = tmap_alloc((size_t)neighborhood.degree, sizeof *list, &err);

		for (int r = 0; list && r < 24; r++) {
			tmap_neighborhood_list(&neighborhood, r, list);
			for (int k = 0; k < neighborhood.degree; k++)
				if (list[k] < TMAP_NONE || list[k] >= 24 ||
				    (neighborhood.weight && !(neighborhood.weight[k] > 0)))
					abort();
		}
		free(list);
		tmap_neighborhood_fini(&neighborhood);
	} else if (!*err.text) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *stencil;
	struct tmap_error err;

	try_call(text);
	stencil = tmap_format(&err, "offsets:%s", text);
	if (stencil)
		try_stencil(stencil);
	/* a large radius is no finding, only slow */
	if (strlen(text) < 14)
		try_stencil(text);
	free(stencil);
	free(text);
	return 0;
}
