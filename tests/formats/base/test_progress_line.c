/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/progress_line.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A terminal of our own: what is written to the stream is read from the other end. */
static FILE *terminal_open(int *end)
{
	FILE *stream;
	int fd;

	*end = posix_openpt(O_RDWR | O_NOCTTY);
	ck_assert_int_ge(*end, 0);
	ck_assert_int_eq(grantpt(*end), 0);
	ck_assert_int_eq(unlockpt(*end), 0);
	fd = open(ptsname(*end), O_WRONLY | O_NOCTTY);
	ck_assert_int_ge(fd, 0);
	stream = fdopen(fd, "w");
	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(fcntl(*end, F_SETFL, O_NONBLOCK), 0);
	return stream;
}

/* What the terminal has got since the last time. */
static const char *terminal_read(int end, char text[512])
{
	ssize_t length = read(end, text, 511);

	text[length < 0 ? 0 : length] = '\0';
	return text;
}

START_TEST(a_list_has_a_line_for_each_report_wherever_it_goes)
{
	struct tmap_progress_line line;
	char text[512], *end;
	FILE *stream = fmemopen(text, sizeof text, "w");
	int taken, more, length = 0;

	ck_assert_ptr_nonnull(stream);
	tmap_progress_line_init_list(&line, "topomap-bench", stream);
	line.next = "the first";
	tmap_progress_report(&line.progress, 0, 3, "parts");
	line.begin_s -= 10;
	line.next = NULL;
	tmap_progress_report(&line.progress, 2, 3, "parts");
	tmap_progress_line_hide(&line);
	tmap_progress_line_fini(&line);
	fclose(stream);
	end = strchr(text, '\n');
	ck_assert_ptr_nonnull(end);
	*end++ = '\0';
	ck_assert_str_eq(text, "topomap-bench: 0 of 3 parts, 0 s; next: the first");
	ck_assert_int_eq(sscanf(end, "topomap-bench: 2 of 3 parts, %d s, about %d s more%n", &taken,
				&more, &length),
			 2);
	ck_assert_str_eq(end + length, "\n");
	ck_assert_int_le(abs(2 * more - taken), 2);
}
END_TEST

START_TEST(another_work_is_not_late_by_the_one_before)
{
	struct tmap_progress_line line;
	char text[512];
	FILE *stream = fmemopen(text, sizeof text, "w");

	ck_assert_ptr_nonnull(stream);
	tmap_progress_line_init_list(&line, "topomap-bench", stream);
	line.begin_s -= 1000;
	tmap_progress_line_restart(&line);
	line.begin_s -= 10;
	tmap_progress_report(&line.progress, 40, 1000, NULL); /* too little for the rest */
	tmap_progress_report(&line.progress, 500, 1000, NULL);
	tmap_progress_line_fini(&line);
	fclose(stream);
	ck_assert_str_eq(text,
			 "topomap-bench: 4 %, 10 s\n"
			 "topomap-bench: 50 %, 10 s, about 10 s more\n");
}
END_TEST

START_TEST(a_hidden_line_comes_back_with_the_next_report)
{
	struct tmap_progress_line line;
	char text[512];
	int end;
	FILE *stream = terminal_open(&end);

	tmap_progress_line_init(&line, "topomap score", stream);
	line.wait_s = 0;
	tmap_progress_report(&line.progress, 0, 2, "parts");
	terminal_read(end, text);
	tmap_progress_line_hide(&line);
	ck_assert_str_eq(terminal_read(end, text), "\r\033[K");
	tmap_progress_line_hide(&line);
	ck_assert_str_eq(terminal_read(end, text), "");
	tmap_progress_report(&line.progress, 1, 2, "parts");
	ck_assert_ptr_nonnull(strstr(terminal_read(end, text), "1 of 2 parts"));
	tmap_progress_line_fini(&line);
	fclose(stream);
	close(end);
}
END_TEST

START_TEST(a_line_is_written_over_and_is_gone_in_the_end)
{
	struct tmap_progress_line line;
	int end, taken, more, length = 0;
	char text[512];
	FILE *stream = terminal_open(&end);

	tmap_progress_line_init(&line, "topomap score", stream);
	line.wait_s = 0;
	line.begin_s -= 10;
	tmap_progress_report(&line.progress, 5, 20, "algorithms");
	ck_assert_int_eq(sscanf(terminal_read(end, text),
				"\rtopomap score: 5 of 20 algorithms, %d s, about %d s more%n",
				&taken, &more, &length),
			 2);
	ck_assert_int_ge(taken, 10);
	ck_assert_int_le(abs(more - 3 * taken), 2); /* each is rounded */
	ck_assert_str_eq(text + length, "\033[K");
	/* faster than anybody reads */
	line.shown_s += 1000;
	tmap_progress_report(&line.progress, 6, 20, "algorithms");
	ck_assert_str_eq(terminal_read(end, text), "");
	line.shown_s -= 2000;
	tmap_progress_report(&line.progress, 30, 20, NULL);
	ck_assert_int_eq(sscanf(terminal_read(end, text), "\rtopomap score: 100 %%, %d s%n", &taken,
				&length),
			 1);
	ck_assert_str_eq(text + length, "\033[K");
	line.shown_s -= 2000;
	tmap_progress_report(&line.progress, 0, 20, NULL);
	ck_assert_int_eq(
		sscanf(terminal_read(end, text), "\rtopomap score: 0 %%, %d s%n", &taken, &length),
		1);
	ck_assert_str_eq(text + length, "\033[K");
	tmap_progress_line_fini(&line);
	ck_assert_str_eq(terminal_read(end, text), "\r\033[K");
	tmap_progress_line_fini(&line);
	ck_assert_str_eq(terminal_read(end, text), "");
	fclose(stream);
	close(end);
}
END_TEST

/* The same, of all that comes within ten seconds until @p wanted is in it. */
static const char *terminal_await(int end, char text[512], const char *wanted)
{
	for (int i = 0; i < 200; i++) {
		if (strstr(terminal_read(end, text), wanted))
			return text;
		usleep(50000);
	}
	ck_abort_msg("\"%s\" did not come", wanted);
}

START_TEST(a_line_that_ticks_says_by_itself_what_is_done)
{
	struct tmap_progress_line line;
	char text[512];
	int end;
	FILE *stream = terminal_open(&end);

	tmap_progress_line_init(&line, "topomap score", stream);
	line.wait_s = 0.1;
	tmap_progress_line_tick(&line);
	tmap_progress_line_tick(&line); /* once is enough */
	tmap_progress_begin(&line.progress, "reading");
	terminal_await(end, text, "\rtopomap score: 0 s; now: reading\033[K");
	tmap_progress_report(&line.progress, 1, 4, "algorithms");
	tmap_progress_begin(&line.progress, "ring");
	terminal_await(end, text, "; now: ring\033[K");
	ck_assert_ptr_nonnull(strstr(text, "\rtopomap score: 1 of 4 algorithms, "));
	tmap_progress_line_fini(&line);
	ck_assert_ptr_nonnull(strstr(terminal_read(end, text), "\r\033[K"));
	tmap_progress_line_fini(&line);
	ck_assert_str_eq(terminal_read(end, text), "");
	fclose(stream);
	close(end);
}
END_TEST

START_TEST(what_ticks_on_no_terminal_has_no_thread)
{
	struct tmap_progress_line line;
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	tmap_progress_line_init(&line, "topomap score", file);
	tmap_progress_line_tick(&line);
	ck_assert(!line.ticks);
	tmap_progress_line_fini(&line);
	fclose(file);
}
END_TEST

START_TEST(short_work_shows_nothing)
{
	struct tmap_progress_line line;
	char text[512];
	int end;
	FILE *stream = terminal_open(&end);

	tmap_progress_line_init(&line, "topomap score", stream);
	line.begin_s += 1000;
	tmap_progress_report(&line.progress, 5, 20, "algorithms");
	tmap_progress_line_fini(&line);
	ck_assert_str_eq(terminal_read(end, text), "");
	fclose(stream);
	close(end);
}
END_TEST

START_TEST(what_is_no_terminal_gets_nothing)
{
	struct tmap_progress_line line;
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	tmap_progress_line_init(&line, "topomap score", file);
	line.wait_s = 0;
	tmap_progress_report(&line.progress, 5, 20, "algorithms");
	tmap_progress_line_fini(&line);
	ck_assert_int_eq(ftell(file), 0);
	fclose(file);
	/* nor is anything done where nobody waits */
	tmap_progress_report(NULL, 1, 2, "algorithms");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("progress_line");
	TCase *c = tcase_create("progress_line");

	tcase_add_test(c, a_line_is_written_over_and_is_gone_in_the_end);
	tcase_add_test(c, a_list_has_a_line_for_each_report_wherever_it_goes);
	tcase_add_test(c, another_work_is_not_late_by_the_one_before);
	tcase_add_test(c, a_hidden_line_comes_back_with_the_next_report);
	tcase_add_test(c, a_line_that_ticks_says_by_itself_what_is_done);
	tcase_add_test(c, what_ticks_on_no_terminal_has_no_thread);
	tcase_add_test(c, short_work_shows_nothing);
	tcase_add_test(c, what_is_no_terminal_gets_nothing);
	suite_add_tcase(suite, c);
	return suite;
}
