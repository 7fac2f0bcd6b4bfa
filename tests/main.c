/* Runs the suite of one test file and says how it went, for tests/run.sh. */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	SRunner *runner = srunner_create(test_suite());
	int run, failed;

	srunner_run_all(runner, CK_NORMAL);
	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	printf("%d passed, %d failed, 0 skipped\n", run - failed, failed);
	return failed || run == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
