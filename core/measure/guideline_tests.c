/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/guideline_tests.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NATIVE "native"

int tmap_guideline_test_rows(void)
{
	return tmap_guideline_rows() + tmap_virtual_guideline_rows();
}

void tmap_guideline_tests_fini(struct tmap_guideline_tests *tests)
{
	for (int row = 0; tests->name && row < tmap_guideline_test_rows(); row++)
		free(tests->name[row]);
	free(tests->name);
	free(tests->total);
	free(tests->on);
	free(tests->test);
	*tests = (struct tmap_guideline_tests){ 0 };
}

/* The times in their order (tmap_times_sort()). */
struct sorted {
	const struct tmap_times *times;
	const int *order;
};

/* That call, or NULL. */
static const struct tmap_experiment *sorted_find(const struct sorted *sorted,
						 const struct tmap_experiment *key)
{
	int low = 0, high = sorted->times->count;

	while (low < high) {
		int middle = low + (high - low) / 2;
		const struct tmap_experiment *it =
			&sorted->times->experiment[sorted->order[middle]];
		int order = tmap_experiment_compare(it, key);

		if (order == 0)
			return it;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool is_asked(const struct tmap_experiment *it,
		     const struct tmap_guidelines_request *request)
{
	return it->mode == TMAP_BLOCKING && strcmp(it->algorithm, NATIVE) == 0 &&
		(request->bytes == TMAP_NONE || it->bytes == request->bytes);
}

static int test_add(struct tmap_guideline_tests *tests, int row, const struct tmap_experiment *left,
		    const struct tmap_experiment *right, struct tmap_error *err)
{
	struct tmap_guideline_test it = {
		.row = row, .bytes = left->bytes, .root = left->root, .left = left, .right = right
	};

	if (!left->is_correct || !right->is_correct) {
		tests->wrong++;
		return 0;
	}
	if (tmap_slowdown_init(&it.slowdown, left->run, left->run_count, right->run,
			       right->run_count, &tests->rule, err) < 0 ||
	    tmap_grow(&tests->test, &tests->capacity, (size_t)tests->count + 1, sizeof it, err) < 0)
		return -1;
	tests->test[tests->count++] = it;
	return 0;
}

/* All tests of one guideline: experiments in their order are by root, then by size. */
static int mockup_row_test(struct tmap_guideline_tests *tests, int row, const struct sorted *sorted,
			   struct tmap_error *err)
{
	char *algorithm = tmap_guideline_mockup(row, err);
	int status = algorithm ? 0 : -1;

	for (int i = 0; i < sorted->times->count && status == 0; i++) {
		const struct tmap_experiment *native = &sorted->times->experiment[sorted->order[i]];
		const struct tmap_experiment *mockup;
		struct tmap_experiment key = *native;

		if (native->collective != tmap_guideline_native(row) ||
		    !is_asked(native, &tests->request))
			continue;
		key.algorithm = algorithm;
		mockup = sorted_find(sorted, &key);
		if (mockup)
			status = test_add(tests, row, native, mockup, err);
	}
	free(algorithm);
	return status;
}

/* The same on virtual topologies, in the order of the right side. */
static int virtual_row_test(struct tmap_guideline_tests *tests, int row,
			    const struct sorted *sorted, struct tmap_error *err)
{
	int wanted = tests->request.collective, status = 0;

	for (int i = 0; i < sorted->times->count && status == 0; i++) {
		const struct tmap_experiment *right = &sorted->times->experiment[sorted->order[i]];
		const struct tmap_experiment *left;
		struct tmap_experiment key = *right;

		if (!is_asked(right, &tests->request) ||
		    !tmap_virtual_guideline_left(row, &right->on, &key.on) ||
		    (wanted != TMAP_NONE &&
		     wanted != (int)tmap_virtual_call_rows[key.on.call].family))
			continue;
		left = sorted_find(sorted, &key);
		if (left)
			status = test_add(tests, tmap_guideline_rows() + row, left, right, err);
	}
	return status;
}

/* Do these differ in their size alone? */
static bool is_same_group(const struct tmap_guideline_test *a, const struct tmap_guideline_test *b)
{
	return a->row == b->row && a->root == b->root &&
		tmap_virtual_key_compare(&a->right->on, &b->right->on) == 0;
}

/* One more test; @p before it, or NULL: nothing was; *is_violated is of the group. */
static void total_add(struct tmap_guideline_total *total, const struct tmap_guideline_test *test,
		      const struct tmap_guideline_test *before, bool *is_violated)
{
	if (!before || !is_same_group(before, test)) {
		total->groups++;
		*is_violated = false;
	}
	total->tests++;
	if (!test->slowdown.is_violated)
		return;
	total->violations++;
	total->violated_groups += !*is_violated;
	*is_violated = true;
}

static void totals_fill(struct tmap_guideline_tests *tests)
{
	bool is_violated = false;

	for (int i = 0; i < tests->count; i++)
		total_add(&tests->total[tests->test[i].row], &tests->test[i],
			  i ? &tests->test[i - 1] : NULL, &is_violated);
}

static int compare_by_neighborhood(const void *a, const void *b, void *data)
{
	const struct tmap_guideline_test *test = data;
	int left = *(const int *)a, right = *(const int *)b, order;

	if (test[left].row != test[right].row)
		return test[left].row < test[right].row ? -1 : 1;
	order = tmap_virtual_neighborhood_compare(&test[left].right->on.topology,
						  &test[right].right->on.topology);
	return order ? order : (left > right) - (left < right);
}

/* Those on topologies once more, neighborhood by neighborhood. */
static int neighborhoods_fill(struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	int count = tests->count - tests->mockup_count, *order;
	const struct tmap_guideline_test *before = NULL;
	bool is_violated = false;

	order = tmap_alloc_raw((size_t)count, sizeof *order, err);
	tests->on = tmap_alloc((size_t)count, sizeof *tests->on, err);
	if (!order || !tests->on) {
		free(order);
		return -1;
	}
	for (int i = 0; i < count; i++)
		order[i] = tests->mockup_count + i;
	qsort_r(order, (size_t)count, sizeof *order, compare_by_neighborhood, tests->test);
	for (int i = 0; i < count; i++) {
		const struct tmap_guideline_test *it = &tests->test[order[i]];
		const struct tmap_virtual_topology *on = &it->right->on.topology;

		if (!before || before->row != it->row ||
		    tmap_virtual_neighborhood_compare(&before->right->on.topology, on) != 0)
			tests->on[tests->on_count++] =
				(struct tmap_guideline_total){ .name = tests->name[it->row],
							       .on = on };
		total_add(&tests->on[tests->on_count - 1], it, before, &is_violated);
		before = it;
	}
	free(order);
	return 0;
}

static int names_fill(struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	int rows = tmap_guideline_test_rows(), mockups = tmap_guideline_rows();

	tests->name = tmap_alloc((size_t)rows, sizeof *tests->name, err);
	tests->total = tmap_alloc((size_t)rows, sizeof *tests->total, err);
	if (!tests->name || !tests->total)
		return -1;
	for (int row = 0; row < rows; row++) {
		tests->name[row] = row < mockups ?
			tmap_guideline_name(row, err) :
			tmap_strdup(tmap_virtual_guideline_name(row - mockups), err);
		if (!tests->name[row])
			return -1;
		tests->total[row].name = tests->name[row];
	}
	return 0;
}

/* The verdicts of all tests together. */
static int tests_judge(struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	size_t count = (size_t)tests->count;
	enum tmap_correction correction = tests->rule.correction;
	double *p = tmap_alloc_raw(4 * count, sizeof *p, err);
	double *smallest = p + count, *adjusted = smallest + count, *least = adjusted + count;

	if (!p)
		return -1;
	for (size_t i = 0; i < count; i++) {
		p[i] = tests->test[i].slowdown.p;
		smallest[i] = tests->test[i].slowdown.smallest_p;
	}
	if (tmap_p_adjust(adjusted, p, tests->count, correction, err) < 0 ||
	    tmap_p_adjust(least, smallest, tests->count, correction, err) < 0) {
		free(p);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		struct tmap_guideline_test *it = &tests->test[i];

		it->adjusted_p = adjusted[i];
		tmap_slowdown_judge(&it->slowdown, adjusted[i], least[i], &tests->rule);
		tests->undecidable += !it->slowdown.is_decidable;
	}
	free(p);
	tests->expected_false = (tests->count - tests->undecidable) * tests->rule.p;
	return 0;
}

static int tests_collect(struct tmap_guideline_tests *tests, unsigned set, struct tmap_error *err)
{
	int *order, status = names_fill(tests, err), wanted = tests->request.collective;
	const char *name = tests->request.name;
	struct sorted sorted = { .times = tests->times };

	if (status < 0 || tmap_times_sort(tests->times, &order, err) < 0)
		return -1;
	sorted.order = order;
	for (int row = 0; row < tmap_guideline_rows() && status == 0; row++)
		if ((set & TMAP_MOCKUP_GUIDELINES) &&
		    (!name || strcmp(name, tests->name[row]) == 0) &&
		    (wanted == TMAP_NONE || wanted == (int)tmap_guideline_native(row)))
			status = mockup_row_test(tests, row, &sorted, err);
	tests->mockup_count = tests->count;
	for (int row = 0; row < tmap_virtual_guideline_rows() && status == 0; row++)
		if ((set & 1u << tmap_virtual_guideline_number(row)) &&
		    (!name || strcmp(name, tmap_virtual_guideline_name(row)) == 0))
			status = virtual_row_test(tests, row, &sorted, err);
	free(order);
	if (status == 0)
		status = tests_judge(tests, err);
	if (status == 0)
		totals_fill(tests);
	return status == 0 ? neighborhoods_fill(tests, err) : -1;
}

static struct tmap_guideline_test *test_find(struct tmap_guideline_tests *tests, int row, int root,
					     int64_t bytes)
{
	int low = 0, high = tests->mockup_count;

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
	bool *done = tmap_alloc((size_t)tests->mockup_count, sizeof *done, err);
	int status = done ? 0 : -1;

	for (int i = 0; i < tests->mockup_count && status == 0; i++)
		if (!done[i])
			status = size_predict(tests, tests->test[i].root, tests->test[i].bytes,
					      done, err);
	free(done);
	return status;
}

/* There is nothing to test. */
static int tests_fail_empty(const struct tmap_guideline_tests *tests, unsigned set,
			    struct tmap_error *err)
{
	const char *size = tests->request.bytes == TMAP_NONE ? "" : " of this size";
	bool on_topologies = !(set & TMAP_MOCKUP_GUIDELINES);

	if (tests->wrong)
		return tmap_fail(err, TMAP_INPUT, "a result was wrong in all %d pairs that it has",
				 tests->wrong);
	if (tests->request.name)
		return tmap_fail(err, TMAP_INPUT, "it has no two calls%s that '%s' compares", size,
				 tests->request.name);
	for (int i = 0; i < tests->times->count && set == TMAP_ALL_GUIDELINES; i++)
		on_topologies = on_topologies ||
			tests->times->experiment[i].on.call != TMAP_NO_VIRTUAL;
	return on_topologies ?
		tmap_fail(err, TMAP_INPUT,
			  "it has no two calls%s on virtual topologies that one of these "
			  "guidelines compares",
			  size) :
		tmap_fail(err, TMAP_INPUT, "it has no native collective%s beside a mock-up of it",
			  size);
}

int tmap_guideline_tests_init(struct tmap_guideline_tests *tests, const struct tmap_times *times,
			      unsigned set, const struct tmap_guidelines_request *request,
			      const struct tmap_slowdown_rule *rule, struct tmap_error *err)
{
	struct tmap_guideline_tests made = { .times = times, .request = *request, .rule = *rule };
	int status = tests_collect(&made, set, err);

	if (status == 0 && made.count == 0)
		status = tests_fail_empty(&made, set, err);
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

	for (int row = 0; row < tmap_guideline_test_rows(); row++) {
		const struct tmap_guideline_total *it = &tests->total[row];

		all.tests += it->tests;
		all.violations += it->violations;
		all.groups += it->groups;
		all.violated_groups += it->violated_groups;
	}
	return all;
}
