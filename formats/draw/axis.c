/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/axis.h"

#include "core/base/units.h"

#include <math.h>
#include <stdio.h>

enum axis_unit { UNIT_NONE, UNIT_BYTES, UNIT_SECONDS, UNIT_RATE };

static const struct axis_row {
	int base; /* 0: it is not logarithmic */
	enum axis_unit unit;
	double margin; /* beyond the first and the last value, in powers of the base */
} rows[] = {
	[TMAP_AXIS_BYTES] = { 2, UNIT_BYTES, 0.5 }, [TMAP_AXIS_COUNT] = { 2, UNIT_NONE, 0.5 },
	[TMAP_AXIS_SECONDS] = { 10, UNIT_SECONDS }, [TMAP_AXIS_RATE] = { 10, UNIT_RATE },
	[TMAP_AXIS_RATIO] = { 10, UNIT_NONE },      [TMAP_AXIS_NUMBER] = { 0, UNIT_NONE },
};

static double axis_scale(const struct tmap_axis *axis, double value)
{
	int base = rows[axis->kind].base;

	return base == 2 ? log2(value) : base == 10 ? log10(value) : value;
}

void tmap_axis_init(struct tmap_axis *axis, enum tmap_axis_kind kind)
{
	*axis = (struct tmap_axis){ kind, INFINITY, -INFINITY };
}

bool tmap_axis_shows(const struct tmap_axis *axis, double value)
{
	return isfinite(value) && (value > 0 || !rows[axis->kind].base);
}

void tmap_axis_include(struct tmap_axis *axis, double value)
{
	double at;

	if (!tmap_axis_shows(axis, value))
		return;
	at = axis_scale(axis, value);
	axis->least = fmin(axis->least, at);
	axis->most = fmax(axis->most, at);
}

/* The step of 1, 2 or 5 times a power of 10 that makes @p count of a span, or fewer. */
static double step_of(double span, int count)
{
	double power = pow(10, floor(log10(span / count))), ratio = span / count / power;

	return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

enum { STEPS = 10 };

bool tmap_axis_finish(struct tmap_axis *axis)
{
	const struct axis_row *row = &rows[axis->kind];
	double step;

	if (axis->least > axis->most)
		return false;
	if (row->base == 10) {
		axis->least = floor(axis->least);
		axis->most = fmax(ceil(axis->most), axis->least + 1);
		return true;
	}
	if (row->base) {
		axis->least -= row->margin;
		axis->most += row->margin;
		return true;
	}
	if (axis->most - axis->least < 1e-9 * fmax(fabs(axis->most), 1e-9)) {
		axis->least -= 0.1 * fmax(fabs(axis->least), 1e-9);
		axis->most += 0.1 * fmax(fabs(axis->most), 1e-9);
	}
	step = step_of(axis->most - axis->least, STEPS);
	axis->least = step * floor(axis->least / step + 1e-9);
	axis->most = step * ceil(axis->most / step - 1e-9);
	return true;
}

double tmap_axis_place(const struct tmap_axis *axis, double value)
{
	return (axis_scale(axis, value) - axis->least) / (axis->most - axis->least);
}

enum { UNITS = 5 };

/* In that of the units, each 1000 times the one before, in which it is from 1 to 1000; @p one is 1. */
static void value_print_unit(const char *const units[UNITS], int one, double value, char text[32])
{
	int thousands = (int)floor(log10(value) / 3 + 1e-9) + one;

	thousands = thousands < 0 ? 0 : thousands >= UNITS ? UNITS - 1 : thousands;
	snprintf(text, 32, "%g %s", value * pow(1000, one - thousands), units[thousands]);
}

/* "64KiB", "100 us", "10 MB/s", "0.5". */
static void value_print(enum axis_unit unit, double value, char text[32])
{
	static const char *const seconds[UNITS] = { "ps", "ns", "us", "ms", "s" };
	static const char *const rates[UNITS] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };
	char bytes[TMAP_UNITS_ROOM];

	if (unit == UNIT_BYTES && value < 0x1p63) {
		snprintf(text, 32, "%s", tmap_units_print_bytes((int64_t)value, bytes));
	} else if (unit == UNIT_SECONDS) {
		value_print_unit(seconds, UNITS - 1, value, text);
	} else if (unit == UNIT_RATE) {
		value_print_unit(rates, 0, value, text);
	} else {
		snprintf(text, 32, "%.6g", value);
	}
}

static void tick_add(const struct tmap_axis *axis, double value, struct tmap_axis_tick *tick,
		     int *count)
{
	double at = tmap_axis_place(axis, value);

	if (at < -1e-9 || at > 1 + 1e-9 || *count == TMAP_AXIS_TICKS)
		return;
	tick[*count].at = at;
	value_print(rows[axis->kind].unit, value, tick[(*count)++].text);
}

int tmap_axis_ticks(const struct tmap_axis *axis, int wanted,
		    struct tmap_axis_tick tick[TMAP_AXIS_TICKS])
{
	int base = rows[axis->kind].base, count = 0;
	/* exponents: those of an axis with even steps would be of any size */
	int first = base ? (int)ceil(axis->least - 1e-9) : 0;
	int last = base ? (int)floor(axis->most + 1e-9) : 0, step = (last - first) / wanted + 1;
	double even = base ? 0 : step_of(axis->most - axis->least, wanted);
	bool has_parts = base == 10 && 3 * (last - first) <= wanted;

	for (int power = first; base && power <= last; power += step) {
		double value = pow(base, power);

		if (base == 2 && rows[axis->kind].unit == UNIT_BYTES && power < 0)
			continue;
		tick_add(axis, value, tick, &count);
		if (has_parts && power < last) {
			tick_add(axis, 2 * value, tick, &count);
			tick_add(axis, 5 * value, tick, &count);
		}
	}
	/* whole steps, so that 3 times 0.1 is 0.3 */
	for (double i = ceil(axis->least / even - 1e-9);
	     !base && i <= axis->most / even + 1e-9 && count < TMAP_AXIS_TICKS; i++)
		tick_add(axis, i == 0 ? 0 : i * even, tick, &count);
	return count;
}
