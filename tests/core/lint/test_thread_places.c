/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: where threads are by the rules of OpenMP 5.2, and what GNU libgomp 12 and LLVM's libomp 14 do with
 * these variables, worked out by hand for a machine of 2 packages, 2 cores each, 2 PUs each.
 */
#include "core/lint/thread_places.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct row {
	const char *what;
	const char *pus; /* that the rank may run on */
	int threads;
	const char *of_threads; /* the PUs of each thread; "free": nothing binds them */
	const char *variable[TMAP_VARIABLE_COUNT];
} rows[] = {
#define OMP(places, bind) \
	{ \
		[TMAP_OMP_PLACES] = places, [TMAP_OMP_PROC_BIND] = bind \
	}
#define KMP(affinity, subset) \
	{ \
		[TMAP_KMP_AFFINITY] = affinity, [TMAP_KMP_HW_SUBSET] = subset \
	}
#define GOMP(list, bind) \
	{ \
		[TMAP_GOMP_CPU_AFFINITY] = list, [TMAP_OMP_PROC_BIND] = bind \
	}
	{ "nothing is said", "0-7", 2, "free", OMP(NULL, NULL) },
	{ "close", "0-7", 3, "0-1 2-3 4-5", OMP("cores", "close") },
	{ "close without a word", "0-7", 3, "0-1 2-3 4-5", OMP("cores", NULL) },
	{ "in capitals", "0-7", 2, "0-1 2-3", OMP(" CORES ", "TRUE") },
	{ "from the rank's own first core", "4-7", 2, "4-5 6-7", OMP("cores", "close") },
	{ "the part of a core that it has", "1-2", 2, "1 2", OMP("cores", "close") },
	{ "spread", "0-7", 2, "0-1 4-5", OMP("cores", "spread") },
	{ "spread unevenly", "0-7", 3, "0-1 4-5 6-7", OMP("cores", "spread") },
	{ "more than places", "0-7", 6, "0-1 0-1 2-3 2-3 4-5 6-7", OMP("cores", "close") },
	{ "the first of a list", "0-7", 2, "0-1 4-5", OMP("cores", "spread,close") },
	{ "primary", "0-7", 3, "0-1 0-1 0-1", OMP("cores", "primary") },
	{ "master", "0-7", 2, "0-3 0-3", OMP("sockets", "master") },
	{ "threads", "0-7", 3, "0 1 2", OMP("threads", "close") },
	{ "so many of them", "0-7", 3, "0 0 1", OMP("threads(2)", "close") },
	{ "false", "0-7", 2, "free", OMP("cores", "false") },
	{ "a word that is none", "0-7", 2, "free", OMP("coresx", NULL) },
	{ "a policy that is none", "0-7", 2, "free", OMP("cores", "closer") },
	{ "no places", "0-7", 2, "0-1 2-3", OMP(NULL, "close") },
	{ "a list", "0-7", 2, "2-3 0", OMP("{2,3},{0}", NULL) },
	{ "lists with counts", "0-7", 3, "0,2 1,3 2,4", OMP("{0:2:2}:3", NULL) },
	{ "and steps", "0-7", 2, "0-3 4-7", OMP("{0:4}:2:4", NULL) },
	{ "what it may not run on is left out", "2-7", 2, "2-3 4", OMP("{0,1},{0:4},{4}", NULL) },
	{ "nothing is left", "6-7", 2, "free", OMP("{0,1}", NULL) },
	{ "a list that does not end", "0-7", 2, "free", OMP("{0,1", NULL) },
	{ "a list that never ends", "0-7", 2, "free", OMP("{0:1048576}:1048576", NULL) },
	{ "a number beyond all", "0-7", 2, "free", OMP("{99999999999999999999}", NULL) },
	{ "GNU's list", "0-7", 4, "0 3 1 2", GOMP("0 3 1-2 4-7:2", NULL) },
	{ "GNU's list has PUs that the rank may not run on, too", "4-7", 3, "0 4 1",
	  GOMP("0 4 1", NULL) },
	{ "GNU's list with commas", "0-7", 3, "4 6 0", GOMP("4-7:2,0", "true") },
	{ "GNU's list, and false", "0-7", 2, "free", GOMP("0-7", "false") },
	{ "compact", "0-7", 3, "0-1 0-1 2-3", KMP("compact", NULL) },
	{ "compact to PUs", "0-7", 3, "0 1 2", KMP("granularity=fine,compact", NULL) },
	{ "compact, cores first", "0-7", 5, "0 2 4 6 1",
	  KMP("granularity=fine,compact,1,0", NULL) },
	{ "with an offset", "0-7", 2, "4 6", KMP("granularity=thread,compact,1,2", NULL) },
	{ "scatter", "0-7", 5, "0 4 2 6 1", KMP("verbose,granularity=fine,scatter", NULL) },
	{ "balanced", "0-7", 3, "0-1 2-3 4-5", KMP("balanced", NULL) },
	{ "explicit", "0-7", 3, "3 0 1", KMP("granularity=fine,proclist=[3,0-1],explicit", NULL) },
	{ "explicit sets", "0-7", 2, "2-3 4", KMP("proclist=[{2,3},4],explicit", NULL) },
	{ "explicit without a list", "0-7", 2, "free", KMP("explicit", NULL) },
	{ "none", "0-7", 2, "free", KMP("none", NULL) },
	{ "norespect", "4-7", 2, "0 2", KMP("norespect,granularity=fine,compact,1", NULL) },
	{ "a hardware thread of each core", "0-7", 3, "0 2 4", KMP("compact", "1t") },
	{ "a core of each package", "0-7", 3, "0 1 4",
	  KMP("granularity=fine,compact", "2s,1c,2T") },
	{ "a subset that is not known", "0-7", 2, "free", KMP("compact", "1l2,1t") },
	{ "threads of threads",
	  "0-7",
	  2,
	  "free",
	  { [TMAP_OMP_NUM_THREADS] = "2,2", [TMAP_OMP_PLACES] = "cores" } },
	{ "OpenMP's variables before Intel's",
	  "0-7",
	  2,
	  "0 4",
	  { [TMAP_KMP_AFFINITY] = "compact",
	    [TMAP_OMP_PLACES] = "threads",
	    [TMAP_OMP_PROC_BIND] = "spread" } },
};

/* "0-1 2-3" */
static char *threads_print(const struct tmap_thread_places *places, int threads)
{
	struct tmap_str str = TMAP_STR_INIT;

	if (!places->count)
		return tmap_strdup("free", &err);
	for (int t = 0; t < threads; t++) {
		int place = tmap_thread_places_of(places, t, threads);
		struct tmap_idset set = { 0 };
		char *text;

		ck_assert_int_lt(place, places->count);
		for (int i = places->first[place]; i < places->end[place]; i++)
			ck_assert_int_eq(tmap_idset_add(&set, places->pu[i], &err), 0);
		text = tmap_idset_print(&set, &err);
		tmap_str_addf(&str, "%s%s", t ? " " : "", text);
		free(text);
		tmap_idset_fini(&set);
	}
	return tmap_str_take(&str, &err);
}

START_TEST(threads_are_where_openmp_binds_them)
{
	static const struct test_level levels[] = {
		{ TMAP_PACKAGE, 2 },
		{ TMAP_CORE, 2 },
		{ TMAP_PU, 2 },
		{ 0 },
	};
	struct tmap_machine *machine = machine_regular(1, levels);
	const struct row *row = &rows[_i];
	struct tmap_setting setting = TMAP_SETTING_INIT;
	struct tmap_thread_places places;
	struct tmap_idset pus = { 0 };
	char *text;

	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		setting.variable[i] = (char *)row->variable[i];
	ck_assert_int_eq(tmap_idset_parse(&pus, row->pus, 8, &err), 0);
	ck_assert_int_eq(
		tmap_thread_places_init(&places, &setting, &machine->topology[0], &pus, &err), 0);
	text = threads_print(&places, row->threads);
	ck_assert_msg(strcmp(text, row->of_threads) == 0, "%s: %s, not %s", row->what, text,
		      row->of_threads);
	free(text);
	tmap_thread_places_fini(&places);
	tmap_idset_fini(&pus);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("thread_places");
	TCase *tcase = tcase_create("all");

	tcase_add_loop_test(tcase, threads_are_where_openmp_binds_them, 0,
			    sizeof rows / sizeof rows[0]);
	suite_add_tcase(suite, tcase);
	return suite;
}
