/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a NumPy array among four ranks, and cut to two: refused with a sentence, or a pattern of
 * bytes that are finite and not negative. */
#include "formats/traffic/npy.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_size(const uint8_t *data, size_t length, int size, bool is_cut)
{
	struct tmap_error err = { 0 };
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	struct tmap_input in = { .most = INT64_MAX, .keeps_ends = true, .has_zeros = true };

	in.file = fmemopen((void *)data, length, "r");
	if (!in.file || tmap_pattern_builder_init(&b, size, &err) < 0)
		abort();
	b.is_cut = is_cut;
	if (tmap_npy_read(&b, &in, &err) == 0 && tmap_pattern_finish(&pattern, &b, &err) == 0) {
		for (int64_t i = 0; i < pattern.start[size]; i++)
			if (pattern.peer[i] < 0 || pattern.peer[i] >= size ||
			    !isfinite(pattern.sent[i]) || pattern.sent[i] < 0)
				abort();
		tmap_pattern_fini(&pattern);
	} else if (err.kind != TMAP_INPUT || !*err.text) {
		abort();
	}
	tmap_pattern_builder_fini(&b);
	tmap_input_fini(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	try_size(data, size, 4, false);
	try_size(data, size, 2, true);
	return 0;
}
