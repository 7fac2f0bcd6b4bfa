/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a list: no crash, and what it says is written and read back to the same. */
#include "core/base/mem.h"
#include "core/base/sequence.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Longer ones are allowed, and only slow. */
#define MOST 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(const int *value, int count, struct tmap_error *err)
{
	char *text = tmap_seq_print(value, count, err);
	int *back = text ? tmap_seq_parse(text, count, 0, err) : NULL;

	if (!back || memcmp(back, value, (size_t)count * sizeof *value) != 0)
		abort();
	free(text);
	free(back);
}

static void check_text(const char *text, struct tmap_error *err)
{
	int count = tmap_seq_count(text, err);
	int *value;

	if (count < 0 && err->kind != TMAP_INPUT)
		abort();
	if (count < 0 || count > MOST)
		return;
	value = tmap_seq_parse(text, count, 0, err);
	if (!value || tmap_seq_parse(text, count + 1, 0, err))
		abort();
	check_round_trip(value, count, err);
	free(value);
}

/* The same bytes as numbers: few different ones, so that much repeats. */
static void check_numbers(const uint8_t *data, size_t size, struct tmap_error *err)
{
	int *value = tmap_alloc(size, sizeof *value, err);

	if (!value)
		return;
	for (size_t i = 0; i < size; i++)
		value[i] = data[i] % 16;
	check_round_trip(value, (int)size, err);
	free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_error err;
	char *text;

	if (size > MOST)
		return 0;
	text = tmap_strndup((const char *)data, strnlen((const char *)data, size), &err);
	if (!text)
		return 0;
	check_text(text, &err);
	check_numbers(data, size, &err);
	free(text);
	return 0;
}
