/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "mpi_probe/startup.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The index of the phase of that number, which begins where it is new; TMAP_NONE where there is no room. */
static int phase_find(int number)
{
	struct tmap_recorder *it = &tmap_recorder;
	struct tmap_error err;

	for (int i = 0; i < it->phase_count; i++)
		if (it->recorded[i].number == number)
			return i;
	if (it->phase_count == TMAP_RECORD_PHASES_MOST) {
		it->builder.left_out.phases++;
		return TMAP_NONE;
	}
	if (tmap_grow(&it->recorded, &it->phase_capacity, (size_t)it->phase_count + 1,
		      sizeof *it->recorded, &err) < 0 ||
	    !tmap_record_builder_phase(&it->builder, number, &err)) {
		tmap_recorder_fail(&err);
		return TMAP_NONE;
	}
	it->recorded[it->phase_count] = (struct tmap_recorded_phase){ .number = number };
	return it->phase_count++;
}

/* One ends, and that of this number begins; where there is no room for it, the one goes on. */
static void phase_change(int number, int64_t end, int64_t begin)
{
	struct tmap_recorder *it = &tmap_recorder;
	int phase = phase_find(number);

	tmap_recorder_end_phase(end);
	if (phase != TMAP_NONE)
		it->phase = phase;
	it->recorded[it->phase].since = begin;
}

void tmap_recorder_end_phase(int64_t now)
{
	struct tmap_recorded_phase *phase = &tmap_recorder.recorded[tmap_recorder.phase];

	if (phase->since != TMAP_NONE)
		phase->spent += now - phase->since;
	phase->since = TMAP_NONE;
}

/* Nanoseconds; 0: there are no intervals. */
static int64_t interval_find(void)
{
	const char *text = getenv("TOPOMAP_RECORD_INTERVAL");
	char *end = NULL;
	double seconds = text ? strtod(text, &end) : 0;

	if (!text || !*text)
		return 0;
	if (end != text && !*end && seconds >= 0.1 && seconds <= 1e6)
		return (int64_t)(seconds * 1e9);
	if (tmap_startup_is_first())
		fprintf(stderr,
			"%s: the record has no phases of time: TOPOMAP_RECORD_INTERVAL is '%s', and not "
			"seconds from 0.1 to 1e6\n",
			TMAP_RECORDER_NAME, text);
	return 0;
}

bool tmap_recorder_begin_phases(int64_t now)
{
	struct tmap_recorder *it = &tmap_recorder;

	it->interval = interval_find();
	it->interval_ends = it->began + it->interval;
	it->phase = phase_find(1);
	if (it->phase == TMAP_NONE)
		return false;
	it->recorded[it->phase].since = now;
	return true;
}

/* An interval is over. Between it and that of @p now may be some in which this rank called nothing. */
static void interval_change(int64_t now)
{
	struct tmap_recorder *it = &tmap_recorder;
	int64_t number = 1 + (now - it->began) / it->interval;

	if (number > TMAP_RECORD_PHASES_MOST)
		number = TMAP_RECORD_PHASES_MOST;
	phase_change((int)number, it->interval_ends, it->began + (number - 1) * it->interval);
	it->interval_ends = number == TMAP_RECORD_PHASES_MOST ? INT64_MAX :
								it->began + number * it->interval;
}

void tmap_recorder_follow_clock(void)
{
	struct tmap_recorder *it = &tmap_recorder;
	struct timespec now;
	int64_t now_ns;

	/* it ticks a few times in a hundredth of a second, and is read quickly */
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	if (now_ns >= it->interval_ends)
		interval_change(now_ns);
}

void tmap_record_control(int level)
{
	struct tmap_recorder *it = &tmap_recorder;
	int64_t now = tmap_record_now();
	bool was_recording;

	if (!it->is_active || level < 0)
		return;
	tmap_recorder_lock();
	was_recording = it->is_recording;
	it->is_recording = level > 0;
	if (!it->interval && !level)
		tmap_recorder_end_phase(now);
	else if (!it->interval && level == 1 && !was_recording)
		it->recorded[it->phase].since = now;
	else if (!it->interval)
		phase_change(level, now, now);
	tmap_recorder_unlock();
}
