/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: axes labelled by hand, and on random values what every axis must have: all values lie on
 * it, ticks rise, and each tick is where the value that it names is. */
#include "formats/draw/axis.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_axis axis_of(enum tmap_axis_kind kind, const double *value, int count)
{
	struct tmap_axis axis;

	tmap_axis_init(&axis, kind);
	for (int i = 0; i < count; i++)
		tmap_axis_include(&axis, value[i]);
	ck_assert(tmap_axis_finish(&axis));
	return axis;
}

static void check_labels(enum tmap_axis_kind kind, double from, double to, int wanted,
			 const char *expected)
{
	struct tmap_axis axis = axis_of(kind, (const double[]){ from, to }, 2);
	struct tmap_axis_tick tick[TMAP_AXIS_TICKS];
	char text[2048] = "";
	int count = tmap_axis_ticks(&axis, wanted, tick);

	for (int i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? ", " : "",
			 tick[i].text);
	ck_assert_str_eq(text, expected);
}

START_TEST(sizes_are_powers_of_two)
{
	check_labels(TMAP_AXIS_BYTES, 1, 64, 10, "1, 2, 4, 8, 16, 32, 64");
	check_labels(TMAP_AXIS_BYTES, 8, 1048576, 6, "8, 64, 512, 4KiB, 32KiB, 256KiB");
	check_labels(TMAP_AXIS_BYTES, 4096, 4096, 10, "4KiB");
	check_labels(TMAP_AXIS_BYTES, 1, 0x1p62, 4, "1, 64KiB, 4GiB, 256TiB");
}
END_TEST

START_TEST(lanes_are_powers_of_two_without_a_unit)
{
	check_labels(TMAP_AXIS_COUNT, 1, 32, 10, "1, 2, 4, 8, 16, 32");
	check_labels(TMAP_AXIS_COUNT, 1, 2048, 6, "1, 4, 16, 64, 256, 1024");
}
END_TEST

START_TEST(times_are_powers_of_ten_with_their_unit)
{
	check_labels(TMAP_AXIS_SECONDS, 3e-7, 2e-2, 10,
		     "100 ns, 1 us, 10 us, 100 us, 1 ms, 10 ms, 100 ms");
	check_labels(TMAP_AXIS_SECONDS, 12e-6, 90e-6, 10, "10 us, 20 us, 50 us, 100 us");
	check_labels(TMAP_AXIS_SECONDS, 1e-3, 1e-3, 10, "1 ms, 2 ms, 5 ms, 10 ms");
	check_labels(TMAP_AXIS_SECONDS, 1e-18, 4e9, 10,
		     "1e-06 ps, 0.001 ps, 1 ps, 1 ns, 1 us, 1 ms, 1 s, 1000 s, 1e+06 s, 1e+09 s");
}
END_TEST

START_TEST(bandwidths_are_powers_of_ten_with_their_unit)
{
	check_labels(TMAP_AXIS_RATE, 3e6, 2e10, 10,
		     "1 MB/s, 10 MB/s, 100 MB/s, 1 GB/s, 10 GB/s, 100 GB/s");
	check_labels(TMAP_AXIS_RATE, 120, 900, 10, "100 B/s, 200 B/s, 500 B/s, 1 kB/s");
	check_labels(TMAP_AXIS_RATE, 0.1, 1e16, 10,
		     "0.1 B/s, 10 B/s, 1 kB/s, 100 kB/s, 10 MB/s, 1 GB/s, 100 GB/s, 10 TB/s, "
		     "1000 TB/s");
}
END_TEST

START_TEST(ratios_and_numbers_have_even_steps)
{
	check_labels(TMAP_AXIS_RATIO, 0.6, 30, 10, "0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100");
	check_labels(TMAP_AXIS_NUMBER, 0.94, 1.07, 10,
		     "0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06, 1.08");
	check_labels(TMAP_AXIS_NUMBER, 0, 3.7, 10, "0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4");
	check_labels(TMAP_AXIS_NUMBER, -2, 2, 10, "-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2");
	check_labels(TMAP_AXIS_NUMBER, 5, 5, 10,
		     "4.5, 4.6, 4.7, 4.8, 4.9, 5, 5.1, 5.2, 5.3, 5.4, 5.5");
}
END_TEST

START_TEST(what_has_no_place_is_left_out)
{
	struct tmap_axis axis;

	for (int kind = TMAP_AXIS_BYTES; kind <= TMAP_AXIS_NUMBER; kind++) {
		tmap_axis_init(&axis, (enum tmap_axis_kind)kind);
		ck_assert_int_eq(tmap_axis_shows(&axis, 0), kind == TMAP_AXIS_NUMBER);
		ck_assert(!tmap_axis_shows(&axis, INFINITY) && !tmap_axis_shows(&axis, NAN));
		tmap_axis_include(&axis, NAN);
		tmap_axis_include(&axis, INFINITY);
		if (kind != TMAP_AXIS_NUMBER)
			tmap_axis_include(&axis, 0);
		ck_assert(!tmap_axis_finish(&axis));
	}
}
END_TEST

/* A number with a unit of time, size or bandwidth, or alone. */
static double value_read(const char *text)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = { { " ps", 1e-12 },  { " ns", 1e-9 },   { " us", 1e-6 },   { " ms", 1e-3 },
		      { " s", 1 },       { "", 1 },         { "KiB", 0x1p10 }, { "MiB", 0x1p20 },
		      { "GiB", 0x1p30 }, { "TiB", 0x1p40 }, { "PiB", 0x1p50 }, { "EiB", 0x1p60 },
		      { " B/s", 1 },     { " kB/s", 1e3 },  { " MB/s", 1e6 },  { " GB/s", 1e9 },
		      { " TB/s", 1e12 } };
	char *end;
	double value = strtod(text, &end);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(end, units[i].name) == 0)
			return value * units[i].factor;
	ck_abort_msg("'%s' has an unknown unit", text);
	return NAN;
}

static void check_axis(enum tmap_axis_kind kind, const double *value, int count, int wanted)
{
	struct tmap_axis axis = axis_of(kind, value, count);
	struct tmap_axis_tick tick[TMAP_AXIS_TICKS];
	int ticks = tmap_axis_ticks(&axis, wanted, tick);

	for (int i = 0; i < count; i++) {
		double at = tmap_axis_place(&axis, value[i]);

		ck_assert_msg(at > -1e-9 && at < 1 + 1e-9, "kind %d: %g is at %g", (int)kind,
			      value[i], at);
	}
	/* a power of 2 need not be near */
	ck_assert_int_ge(ticks, kind <= TMAP_AXIS_COUNT ? 1 : 2);
	ck_assert_int_le(ticks, wanted + 2);
	for (int i = 0; i < ticks; i++) {
		ck_assert(tick[i].at > -1e-9 && tick[i].at < 1 + 1e-9);
		ck_assert(i == 0 || tick[i].at > tick[i - 1].at + 1e-6);
		ck_assert_msg(fabs(tmap_axis_place(&axis, value_read(tick[i].text)) - tick[i].at) <
				      1e-3,
			      "kind %d: '%s' is at %g", (int)kind, tick[i].text, tick[i].at);
	}
}

START_TEST(every_axis_holds_its_values_and_its_ticks)
{
	struct tmap_random random = { 17 };

	for (int round = 0; round < 20000; round++) {
		enum tmap_axis_kind kind = (enum tmap_axis_kind)(round % (TMAP_AXIS_NUMBER + 1));
		double value[4];
		int count = 1 + (int)(tmap_random_next(&random) % 4);

		for (int i = 0; i < count; i++) {
			double part = (double)(tmap_random_next(&random) % 1000003) / 1000003;

			value[i] = kind == TMAP_AXIS_BYTES ? floor(exp2(62 * part)) :
				kind == TMAP_AXIS_COUNT    ? floor(exp2(24 * part)) :
				kind == TMAP_AXIS_SECONDS  ? pow(10, 27 * part - 18) :
				kind == TMAP_AXIS_RATE     ? pow(10, 20 * part - 4) :
				kind == TMAP_AXIS_RATIO    ? pow(10, 8 * part - 4) :
							     100 * part * part * part;
		}
		check_axis(kind, value, count, round / 5 % 2 ? 10 : 6);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("axis");
	TCase *c = tcase_create("axis");

	tcase_add_test(c, sizes_are_powers_of_two);
	tcase_add_test(c, lanes_are_powers_of_two_without_a_unit);
	tcase_add_test(c, times_are_powers_of_ten_with_their_unit);
	tcase_add_test(c, bandwidths_are_powers_of_ten_with_their_unit);
	tcase_add_test(c, ratios_and_numbers_have_even_steps);
	tcase_add_test(c, what_has_no_place_is_left_out);
	tcase_add_test(c, every_axis_holds_its_values_and_its_ticks);
	suite_add_tcase(suite, c);
	return suite;
}
