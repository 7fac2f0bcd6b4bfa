/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/guideline_tests.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NATIVE "native"

void tmap_guideline_tests_fini(struct tmap_guideline_tests *tests)
{
	for (int row = 0; tests->total && row < tmap_guideline_rows(); row++)
		free(tests->total[row].name);
	free(tests->total);
	free(tests->test);
	*tests = (struct tmap_guideline_tests){ 0 };
}

/* The times in their order (tmap_times_sort()). */
struct sorted {
	const struct tmap_times *times;
	const int *order;
};

/* The same call by another algorithm, or NULL. */
static const struct tmap_experiment *
sorted_find(const struct sorted *sorted, const struct tmap_experiment *native, char *algorithm)
{
	struct tmap_experiment key = *native;
	int low = 0, high = sorted->times->count;

	key.algorithm = algorithm;
	while (low < high) {
		int middle = low + (high - low) / 2;
		const struct tmap_experiment *it =
			&sorted->times->experiment[sorted->order[middle]];
		int order = tmap_experiment_compare(it, &key);

		if (order == 0)
			return it;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool is_asked(const struct tmap_experiment *it, int row,
		     const struct tmap_guidelines_request *request)
{
	return it->collective == tmap_guideline_native(row) && it->mode == TMAP_BLOCKING &&
		strcmp(it->algorithm, NATIVE) == 0 &&
		(request->bytes == TMAP_NONE || it->bytes == request->bytes);
}

static int test_add(struct tmap_guideline_tests *tests, int row,
		    const struct tmap_experiment *native, const struct tmap_experiment *mockup,
		    struct tmap_error *err)
{
	struct tmap_guideline_test it = { .row = row,
					  .bytes = native->bytes,
					  .root = native->root,
					  .native_runs = native->run_count,
					  .mockup_runs = mockup->run_count };

	if (!native->is_correct || !mockup->is_correct) {
		tests->wrong++;
		return 0;
	}
	if (tmap_slowdown_init(&it.slowdown, native->run, native->run_count, mockup->run,
			       mockup->run_count, &tests->rule, err) < 0 ||
	    tmap_grow(&tests->test, &tests->capacity, (size_t)tests->count + 1, sizeof it, err) < 0)
		return -1;
	tests->undecidable += !it.slowdown.is_decidable;
	tests->test[tests->count++] = it;
	return 0;
}

/* All tests of one guideline: experiments in their order are by root, then by size. */
static int row_test(struct tmap_guideline_tests *tests, int row, const struct sorted *sorted,
		    struct tmap_error *err)
{
	char *algorithm = tmap_guideline_mockup(row, err);
	int status = algorithm ? 0 : -1;

	for (int i = 0; i < sorted->times->count && status == 0; i++) {
		const struct tmap_experiment *native = &sorted->times->experiment[sorted->order[i]];
		const struct tmap_experiment *mockup;

		if (!is_asked(native, row, &tests->request))
			continue;
		mockup = sorted_find(sorted, native, algorithm);
		if (mockup)
			status = test_add(tests, row, native, mockup, err);
	}
	free(algorithm);
	return status;
}

/* The numbers of a guideline whose tests are [begin, end). */
static void total_fill(struct tmap_guideline_total *total, const struct tmap_guideline_test *test,
		       int count)
{
	bool is_violated = false;

	for (int i = 0; i < count; i++) {
		if (i == 0 || test[i].root != test[i - 1].root) {
			total->groups++;
			is_violated = false;
		}
		total->tests++;
		if (!test[i].slowdown.is_violated)
			continue;
		total->violations++;
		total->violated_groups += !is_violated;
		is_violated = true;
	}
}

static int tests_collect(struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	int *order, status = 0, wanted = tests->request.collective;
	struct sorted sorted = { .times = tests->times };

	if (tmap_times_sort(tests->times, &order, err) < 0)
		return -1;
	sorted.order = order;
	for (int row = 0; row < tmap_guideline_rows() && status == 0; row++) {
		int begin = tests->count;

		tests->total[row].name = tmap_guideline_name(row, err);
		status = tests->total[row].name ? 0 : -1;
		if (status == 0 &&
		    (wanted == TMAP_NONE || wanted == (int)tmap_guideline_native(row)))
			status = row_test(tests, row, &sorted, err);
		if (status == 0 && tests->count > begin)
			total_fill(&tests->total[row], tests->test + begin, tests->count - begin);
	}
	free(order);
	return status;
}

static struct tmap_guideline_test *test_find(struct tmap_guideline_tests *tests, int row, int root,
					     int64_t bytes)
{
	int low = 0, high = tests->count;

	while (low < high) {
		int middle = low + (high - low) / 2;
		struct tmap_guideline_test *it = &tests->test[middle];

		if (it->row == row && it->root == root && it->bytes == bytes)
			return it;
		if (it->row < row || (it->row == row && it->root < root) ||
		    (it->row == row && it->root == root && it->bytes < bytes))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Of all tests of one size and root; *done has which tests were asked for. */
static int size_predict(struct tmap_guideline_tests *tests, int root, int64_t bytes, bool *done,
			struct tmap_error *err)
{
	struct tmap_guidelines_request request = tests->request;
	struct tmap_guidelines predicted;

	request.bytes = bytes;
	request.root = root;
	if (tmap_guidelines_init(&predicted, &tests->times->placement, &request, err) < 0)
		return -1;
	for (int g = 0; g < predicted.count; g++) {
		const struct tmap_guideline *it = &predicted.guideline[g];
		struct tmap_guideline_test *test = test_find(tests, it->row, root, bytes);

		if (!test)
			continue;
		done[test - tests->test] = true;
		if (it->reason)
			continue;
		test->is_predicted = true;
		test->predicted_native_s = it->native.seconds;
		test->predicted_mockup_s = it->mockup_seconds;
	}
	tmap_guidelines_fini(&predicted);
	return 0;
}

static int tests_predict(struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	bool *done = tmap_alloc((size_t)tests->count, sizeof *done, err);
	int status = done ? 0 : -1;

	for (int i = 0; i < tests->count && status == 0; i++)
		if (!done[i])
			status = size_predict(tests, tests->test[i].root, tests->test[i].bytes,
					      done, err);
	free(done);
	return status;
}

int tmap_guideline_tests_init(struct tmap_guideline_tests *tests, const struct tmap_times *times,
			      const struct tmap_guidelines_request *request,
			      const struct tmap_slowdown_rule *rule, struct tmap_error *err)
{
	struct tmap_guideline_tests made = { .times = times, .request = *request, .rule = *rule };
	int status = 0;

	made.total = tmap_alloc((size_t)tmap_guideline_rows(), sizeof *made.total, err);
	if (!made.total || tests_collect(&made, err) < 0)
		status = -1;
	if (status == 0 && made.count == 0)
		status = made.wrong ?
			tmap_fail(err, TMAP_INPUT, "a result was wrong in all %d pairs that it has",
				  made.wrong) :
			tmap_fail(err, TMAP_INPUT,
				  "it has no native collective%s beside a mock-up of it",
				  request->bytes == TMAP_NONE ? "" : " of this size");
	if (status == 0)
		status = tests_predict(&made, err);
	if (status < 0) {
		tmap_guideline_tests_fini(&made);
		return -1;
	}
	*tests = made;
	return 0;
}

struct tmap_guideline_total tmap_guideline_tests_total(const struct tmap_guideline_tests *tests)
{
	struct tmap_guideline_total all = { 0 };

	for (int row = 0; row < tmap_guideline_rows(); row++) {
		const struct tmap_guideline_total *it = &tests->total[row];

		all.tests += it->tests;
		all.violations += it->violations;
		all.groups += it->groups;
		all.violated_groups += it->violated_groups;
	}
	return all;
}
