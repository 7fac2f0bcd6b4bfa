/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/base/child.h"

#include <stdlib.h>

int tmap_child_read(void *to, size_t size, FILE *file, struct tmap_error *err)
{
	if (fread(to, 1, size, file) == size)
		return 0;
	return tmap_fail(err, TMAP_SYSTEM, "a process of ours did not hand over what it made");
}

void *tmap_child_read_array(size_t count, size_t size, FILE *file, struct tmap_error *err)
{
	void *array = tmap_alloc_raw(count, size, err);

	if (!array || tmap_child_read(array, count * size, file, err) == 0)
		return array;
	free(array);
	return NULL;
}
