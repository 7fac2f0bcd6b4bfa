/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/cache_sweep.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_cache_sweep_init(struct tmap_cache_sweep *it, int64_t bytes, struct tmap_error *err)
{
	*it = (struct tmap_cache_sweep){ 0 };
	if (bytes <= 0)
		return 0;
	it->memory = tmap_alloc((size_t)bytes, 1, err);
	if (!it->memory)
		return tmap_wrap(err, "--off-cache");
	it->bytes = (size_t)bytes;
	tmap_cache_sweep_run(it); /* pages come when they are first written */
	return 0;
}

void tmap_cache_sweep_fini(struct tmap_cache_sweep *it)
{
	free(it->memory);
	*it = (struct tmap_cache_sweep){ 0 };
}

void tmap_cache_sweep_run(const struct tmap_cache_sweep *it)
{
	volatile unsigned char *memory = it->memory;

	for (size_t i = 0; i < it->bytes; i += TMAP_CACHE_LINE)
		memory[i] = (unsigned char)(memory[i] + 1);
}
