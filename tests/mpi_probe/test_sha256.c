/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the examples of FIPS 180-4, and what sha256sum(1) printed. */
#include "mpi_probe/sha256.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *hex, const void *data, size_t length)
{
	struct tmap_digest digest;
	char text[65];

	tmap_digest_of(&digest, data, length);
	for (int i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", digest.byte[i]);
	ck_assert_str_eq(text, hex);
}

START_TEST(the_standards_examples_come_out)
{
	expect("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", NULL, 0);
	expect("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abc", 3);
	expect("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	       "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
}
END_TEST

static const struct {
	size_t length;
	const char *hex;
} runs_of_a[] = {
	{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
	{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
	{ 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
	{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
	{ 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0" },
	{ 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb" },
	{ 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c" },
	{ 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
};

START_TEST(every_way_to_fill_the_last_block_comes_out)
{
	char *data = malloc(runs_of_a[_i].length);

	ck_assert_ptr_nonnull(data);
	memset(data, 'a', runs_of_a[_i].length);
	expect(runs_of_a[_i].hex, data, runs_of_a[_i].length);
	free(data);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sha256");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, the_standards_examples_come_out);
	tcase_add_loop_test(tc, every_way_to_fill_the_last_block_comes_out, 0,
			    sizeof runs_of_a / sizeof runs_of_a[0]);
	suite_add_tcase(suite, tc);
	return suite;
}
