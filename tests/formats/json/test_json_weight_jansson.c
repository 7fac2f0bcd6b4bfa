/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: what jansson asks memory for, an allocation rounded as glibc does. */
#include "formats/json/json_weight.h"

#include "formats/json/json.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { HEAD = 16, TEXT = 200000, ROOM = TEXT + 64 };

/* Bytes of memory now, and at most so far. */
static size_t memory_now, memory_most;

static size_t chunk(size_t size)
{
	return size < 24 ? 32 : (size + 23) / 16 * 16;
}

static void *count_malloc(size_t size)
{
	size_t *made = malloc(size + HEAD);

	if (!made)
		return NULL;
	*made = size;
	memory_now += chunk(size);
	memory_most = memory_now > memory_most ? memory_now : memory_most;
	return (char *)made + HEAD;
}

static void count_free(void *memory)
{
	size_t *made = memory ? (void *)((char *)memory - HEAD) : NULL;

	if (made)
		memory_now -= chunk(*made);
	free(made);
}

/* What is repeated, between what stands once. */
static const struct {
	const char *begin, *again, *end;
	bool is_named; /* with a number that counts behind the first quote */
} texts[] = {
	{ "[0", ",1", "]", false },
	{ "[0", ",1.5e3", "]", false },
	{ "[0", ",-123456789012", "]", false },
	{ "[0", ",[]", "]", false },
	{ "[0", ",[1]", "]", false },
	{ "[0", ",[1,2,3,4,5,6,7,8,9]", "]", false },
	{ "[0", ",{}", "]", false },
	{ "[0", ",{\"a\":1}", "]", false },
	{ "[0", ",{\"from\":0,\"to\":1,\"bytes\":4096}", "]", false },
	{ "[0", ",\"\"", "]", false },
	{ "[0", ",\"n000000000000000000000000000000000000000\"", "]", false },
	{ "[0", ",null", "]", false },
	{ "{\"a\":0", ",\"%d\":0", "}", true },
	{ "{\"a\":0", ",\"%d\":{}", "}", true },
	{ "{\"a\":\"", "x", "\"}", false },
	{ "{\"a\":\"", "\\u0041", "\"}", false },
	{ "{\"a\":\"", "\\\\\\\"", "\"}", false },
	{ "[0,", " ", "1]", false },
	{ "[0", "\n,\n    1", "]", false },
};

START_TEST(no_document_takes_more_than_it_weighs)
{
	char *text = calloc(ROOM, 1), again[64];
	struct tmap_json_weight weight = { 0 }, pieces = { 0 };
	struct tmap_json doc;
	size_t length;

	ck_assert_ptr_nonnull(text);
	strcpy(text, texts[_i].begin);
	length = strlen(text);
	for (int i = 0; length < TEXT; i++) {
		const char *counted = texts[_i].is_named ? strchr(texts[_i].again, '%') : NULL;

		if (counted)
			snprintf(again, sizeof again, "%.*s%d%s", (int)(counted - texts[_i].again),
				 texts[_i].again, i, counted + 2);
		else
			snprintf(again, sizeof again, "%s", texts[_i].again);
		strcpy(text + length, again);
		length += strlen(again);
	}
	strcpy(text + length, texts[_i].end);
	length += strlen(texts[_i].end);

	tmap_json_weigh(&weight, text, length);
	for (size_t at = 0, piece; at < length; at += piece) {
		piece = at + 1 + at % 7 < length ? 1 + at % 7 : length - at;
		tmap_json_weigh(&pieces, text + at, piece);
	}
	ck_assert_int_eq(pieces.bytes, weight.bytes);
	ck_assert(!weight.is_string);
	ck_assert_int_le(weight.bytes, TMAP_JSON_MOST_WEIGHT * (int64_t)length);

	json_set_alloc_funcs(count_malloc, count_free);
	ck_assert_msg(tmap_json_parse(&doc, text, length, "a.json", &err) == 0, "%s",
		      printed(&err));
	ck_assert_msg(memory_most <= (size_t)weight.bytes + 4096, "%s: %zu bytes, of %lld",
		      texts[_i].again, memory_most, (long long)weight.bytes);
	tmap_json_fini(&doc);
	ck_assert_uint_eq(memory_now, 0);
	free(text);
}
END_TEST

/* Two numbers for each of 11,039,616 ranks, in no order at all. */
START_TEST(the_largest_job_is_read)
{
	struct tmap_json_weight weight = { 0 };
	static const char number[] = "11039615,";

	for (int i = 0; i < 2 * 11039616; i++)
		tmap_json_weigh(&weight, number, sizeof number - 1);
	ck_assert_int_eq(tmap_json_weight_check(&weight, &err), 0);
	weight.bytes = TMAP_JSON_MOST_MEMORY;
	ck_assert_int_eq(tmap_json_weight_check(&weight, &err), 0);
	weight.bytes++;
	ck_assert_int_eq(tmap_json_weight_check(&weight, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err),
			 "its values take more than 4000000000 bytes of memory, "
			 "which are the most that are made");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("json_weight_jansson");
	TCase *c = tcase_create("weight");

	tcase_add_loop_test(c, no_document_takes_more_than_it_weighs, 0,
			    sizeof texts / sizeof texts[0]);
	tcase_add_test(c, the_largest_job_is_read);
	suite_add_tcase(suite, c);
	return suite;
}
