/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_sizes.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_message_sizes_fini(struct tmap_message_sizes *sizes)
{
	free(sizes->apart);
	*sizes = (struct tmap_message_sizes){ 0 };
}

/* How wide a number has to be; bytes are not negative, so they are never more than 2^63 - 1 apart. */
static int apart_width(int64_t apart)
{
	return apart == 0 ? 0 : apart == (int16_t)apart ? 2 : apart == (int32_t)apart ? 4 : 8;
}

static void apart_set(struct tmap_message_sizes *sizes, size_t i, int64_t apart)
{
	if (sizes->width == 2)
		((int16_t *)sizes->apart)[i] = (int16_t)apart;
	else if (sizes->width == 4)
		((int32_t *)sizes->apart)[i] = (int32_t)apart;
	else
		((int64_t *)sizes->apart)[i] = apart;
}

/* The numbers that are there, each as wide; from the last one on, as each is written behind where it was. */
static void sizes_widen(struct tmap_message_sizes *sizes, size_t had, int width)
{
	struct tmap_message_sizes before = *sizes;

	sizes->width = width;
	for (size_t i = had; i > 0; i--)
		apart_set(sizes, i - 1, tmap_message_sizes_at(&before, i - 1) - sizes->first);
}

int tmap_message_sizes_add(struct tmap_message_sizes *sizes, size_t had, const int64_t *bytes,
			   int count, struct tmap_error *err)
{
	int width;

	if (had == 0) {
		sizes->first = bytes[0];
		sizes->width = 0;
	}
	width = sizes->width;
	for (int i = 0; i < count; i++) {
		int its = apart_width(bytes[i] - sizes->first);

		width = its > width ? its : width;
	}
	if (width == 0)
		return 0;
	if (tmap_grow(&sizes->apart, &sizes->capacity, (had + (size_t)count) * (size_t)width, 1,
		      err) < 0)
		return -1;
	if (width > sizes->width)
		sizes_widen(sizes, had, width);
	for (int i = 0; i < count; i++)
		apart_set(sizes, had + (size_t)i, bytes[i] - sizes->first);
	return 0;
}
