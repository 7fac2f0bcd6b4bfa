/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: what the kernel does to processes: each way to end is gone through. */
#include "formats/base/child.h"
#include "tests/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct tmap_error err;

struct task {
	int signal, status; /* what make() ends by; 0: it does not */
	bool is_refused, is_cut;
	pid_t maker;
	size_t count;
	int *number; /* [count] */
};

static int make(void *data, struct tmap_error *why)
{
	struct task *task = data;

	task->maker = getpid();
	if (task->signal) {
		signal(task->signal, SIG_DFL); /* the address sanitizer handles some */
		raise(task->signal);
	}
	if (task->status)
		exit(task->status);
	if (task->is_refused) {
		tmap_fail_at(why, TMAP_INPUT, 3, 7, "refused");
		return tmap_at(why, "node.xml", 0);
	}
	task->number = calloc(task->count, sizeof *task->number);
	for (size_t i = 0; i < task->count; i++)
		task->number[i] = (int)i * 3;
	return 0;
}

static void put(const void *data, FILE *file)
{
	const struct task *task = data;

	fwrite(&task->maker, sizeof task->maker, 1, file);
	fwrite(task->number, sizeof *task->number, task->count - task->is_cut, file);
}

static int get(void *data, FILE *file, struct tmap_error *why)
{
	struct task *task = data;

	if (tmap_child_read(&task->maker, sizeof task->maker, file, why) < 0)
		return -1;
	task->number = tmap_child_read_array(task->count, sizeof *task->number, file, why);
	return task->number ? 0 : -1;
}

static const struct tmap_child_work work = { "the library", make, put, get };

START_TEST(what_a_child_makes_is_here)
{
	static const size_t counts[] = { 1, 1000, 1000000 };
	struct task task = { .count = counts[_i] };

	ck_assert_int_eq(tmap_child_run(&work, &task, &err), 0);
	ck_assert_int_ne(task.maker, getpid());
	for (size_t i = 0; i < task.count; i++)
		ck_assert_int_eq(task.number[i], (int)i * 3);
	free(task.number);
	/* nobody is left to be waited for */
	ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(its_refusal_is_ours_with_file_and_line)
{
	struct task task = { .count = 1, .is_refused = true };

	ck_assert_int_eq(tmap_child_run(&work, &task, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.path, "node.xml");
	ck_assert_str_eq(err.text, "refused");
	ck_assert_int_eq(err.line, 3);
	ck_assert_int_eq(err.column, 7);
}
END_TEST

START_TEST(its_death_is_a_sentence)
{
	static const struct {
		int signal, status;
		enum tmap_error_kind kind;
		const char *text;
	} deaths[] = {
		{ SIGSEGV, 0, TMAP_INPUT, "the library crashes on it (Segmentation fault)" },
		{ SIGABRT, 0, TMAP_INPUT, "the library crashes on it (Aborted)" },
		{ SIGFPE, 0, TMAP_INPUT, "the library crashes on it (Floating point exception)" },
		{ SIGKILL, 0, TMAP_SYSTEM, "the library was ended by signal 9 (Killed)" },
		{ SIGTERM, 0, TMAP_SYSTEM, "the library was ended by signal 15 (Terminated)" },
		{ 0, 7, TMAP_SYSTEM, "the library ended its process with status 7" },
	};
	struct task task = { .signal = deaths[_i].signal, .status = deaths[_i].status, .count = 1 };

	ck_assert_int_eq(tmap_child_run(&work, &task, &err), -1);
	ck_assert_int_eq(err.kind, deaths[_i].kind);
	ck_assert_str_eq(err.text, deaths[_i].text);
	ck_assert_ptr_null(task.number);
}
END_TEST

START_TEST(what_it_does_not_hand_over_is_missed)
{
	struct task task = { .count = 5, .is_cut = true };

	ck_assert_int_eq(tmap_child_run(&work, &task, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(err.text, "a process of ours did not hand over what it made");
}
END_TEST

START_TEST(a_program_that_ignores_its_children_hears_of_the_death)
{
	struct task task = { .signal = SIGABRT, .count = 1 };

	signal(SIGCHLD, SIG_IGN);
	ck_assert_int_eq(tmap_child_run(&work, &task, &err), -1);
	ck_assert_str_eq(err.text, "the library crashes on it (Aborted)");
	ck_assert(signal(SIGCHLD, SIG_DFL) == SIG_IGN);
}
END_TEST

START_TEST(what_was_not_yet_printed_is_printed_once)
{
	struct task task = { .count = 1 };
	FILE *file = tmpfile();
	char text[16];

	fputs("once", file);
	ck_assert_int_eq(tmap_child_run(&work, &task, &err), 0);
	rewind(file);
	ck_assert_uint_eq(fread(text, 1, sizeof text, file), 4);
	fclose(file);
	free(task.number);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("child");
	TCase *tcase = tcase_create("child");

	tcase_add_loop_test(tcase, what_a_child_makes_is_here, 0, 3);
	tcase_add_test(tcase, its_refusal_is_ours_with_file_and_line);
	tcase_add_loop_test(tcase, its_death_is_a_sentence, 0, 6);
	tcase_add_test(tcase, what_it_does_not_hand_over_is_missed);
	tcase_add_test(tcase, a_program_that_ignores_its_children_hears_of_the_death);
	tcase_add_test(tcase, what_was_not_yet_printed_is_printed_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
