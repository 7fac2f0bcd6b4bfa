/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the suite of one test file and says how it went, for tests/run.sh. */
#include "tests/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int skipped;

void test_skip(const char *reason)
{
	printf("skipped: %s\n", reason);
	skipped++;
}

#if defined __SANITIZE_ADDRESS__
static const bool is_sanitized = true;
#elif defined __has_feature
static const bool is_sanitized = __has_feature(address_sanitizer);
#else
static const bool is_sanitized = false;
#endif

static bool is_whole(void)
{
	const char *whole = getenv("WHOLE");

	return whole && *whole;
}

int test_cases(int count)
{
	return is_sanitized && !is_whole() ? (count + 7) / 8 : count;
}

int test_stride(int most)
{
	return is_sanitized && !is_whole() ? most : 1;
}

static bool is_power_of_two(int size)
{
	return (size & (size - 1)) == 0;
}

int test_step(int size, int most)
{
	int next = size + 1;

	while (!is_whole() && next > 9 && next < size + most && !is_power_of_two(next - 1) &&
	       !is_power_of_two(next) && !is_power_of_two(next + 1))
		next++;
	return next - size;
}

const char *test_data(void)
{
	const char *path = getenv("TOPOMAP_DATA");

	if (!path)
		path = "../shared/data";
	return access(path, R_OK | X_OK) == 0 ? path : NULL;
}

int main(void)
{
	SRunner *runner;
	int run, failed;

	/* Check's 4 seconds are a busy machine's, not a wrong test's */
	setenv("CK_DEFAULT_TIMEOUT", "120", 0);
	runner = srunner_create(test_suite());
	srunner_run_all(runner, CK_NORMAL);
	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	printf("%d passed, %d failed, %d skipped\n", run - failed, failed, skipped);
	return failed || run + skipped == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
