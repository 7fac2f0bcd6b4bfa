/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: programs and their ranks written down by hand. */
#include "core/lint/mpmd.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

enum { MOST = 4 };

static const struct job {
	const char *what;
	struct tmap_setting setting[MOST]; /* a part of TMAP_NONE - 1 ends them */
	const char *setting_of;            /* of each rank, a digit */
	const char *parts; /* names and numbers of ranks; and the part of each rank */
} jobs[] = {
	{ "one program", { { .part = 0, .program = (char *)"ocean" }, { .part = -2 } }, "000", "" },
	{ "one, with two environments",
	  { { .part = 0, .program = (char *)"ocean", .threads = 1 },
	    { .part = 0, .program = (char *)"ocean", .threads = 2 },
	    { .part = -2 } },
	  "0101",
	  "" },
	{ "two programs, the second of which comes first",
	  { { .part = 1, .program = (char *)"air" },
	    { .part = 0, .program = (char *)"ocean" },
	    { .part = -2 } },
	  "1100",
	  "ocean 2, air 2: 0011" },
	{ "two, of which nothing but the command is known",
	  { { .part = 0 }, { .part = 1 }, { .part = -2 } },
	  "011",
	  "program 0 1, program 1 2: 011" },
	{ "the same program twice, and another one",
	  { { .part = 0, .program = (char *)"a" },
	    { .part = 1, .program = (char *)"b" },
	    { .part = 2, .program = (char *)"a" },
	    { .part = -2 } },
	  "012",
	  "a (program 0) 1, b 1, a (program 2) 1: 012" },
	{ "a program that no rank runs",
	  { { .part = 0, .program = (char *)"a" },
	    { .part = 1, .program = (char *)"b" },
	    { .part = 2, .program = (char *)"c" },
	    { .part = -2 } },
	  "0220",
	  "a 2, c 2: 0110" },
	{ "programs without commands, and one without a name",
	  { { .part = -1, .program = (char *)"a" }, { .part = -1 }, { .part = -2 } },
	  "01",
	  "that is not named 1, a 1: 10" },
};

START_TEST(commands_are_parts_and_have_names)
{
	const struct job *job = &jobs[_i];
	static const struct test_level levels[] = { { TMAP_CORE, 4 }, { 0 } };
	struct tmap_str str = TMAP_STR_INIT;
	struct tmap_placement p;
	struct tmap_mpmd parts;
	char *text;

	placement_on_take(&p, machine_regular(1, levels), (int)strlen(job->setting_of));
	p.setting = calloc((size_t)p.size, sizeof *p.setting);
	ck_assert_ptr_nonnull(p.setting);
	for (int i = 0; job->setting[i].part != -2; i++)
		ck_assert_int_eq(tmap_placement_add_setting(&p, &job->setting[i], &err), i);
	for (int r = 0; r < p.size; r++) {
		placement_seat_pu(&p, r, 0, r);
		p.setting[r] = job->setting_of[r] - '0';
	}
	ck_assert_int_eq(tmap_mpmd_init(&parts, &p, &err), 0);
	for (int i = 0; i < parts.count; i++) {
		tmap_str_add(&str, i ? ", " : "");
		tmap_mpmd_add_name(&str, &parts.part[i]);
		tmap_str_addf(&str, " %d", parts.part[i].ranks);
	}
	for (int r = 0; parts.count && r < p.size; r++)
		tmap_str_addf(&str, "%s%d", r ? "" : ": ", tmap_mpmd_of(&parts, &p, r));
	text = tmap_str_take(&str, &err);
	ck_assert_msg(strcmp(text, job->parts) == 0, "%s: '%s', not '%s'", job->what, text,
		      job->parts);
	free(text);
	tmap_mpmd_fini(&parts);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mpmd");
	TCase *tcase = tcase_create("all");

	tcase_add_loop_test(tcase, commands_are_parts_and_have_names, 0,
			    sizeof jobs / sizeof jobs[0]);
	suite_add_tcase(suite, tcase);
	return suite;
}
