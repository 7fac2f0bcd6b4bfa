/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drift - a preload by which CLOCK_MONOTONIC_RAW began RANK * DRIFT_OFFSET seconds earlier and gains
 * DRIFT_PPM microseconds a second, or as many less on ranks that are odd. Other clocks are as they
 * are; nothing of topomap is in it.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static double number_of(const char *name, const char *other)
{
	const char *text = getenv(name);

	text = text || !other ? text : getenv(other);
	return text ? atof(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*next)(clockid_t, struct timespec *);
	static int64_t begun, offset;
	static double drift;
	int64_t since;
	int status;

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	status = next(clock, now);
	if (clock != CLOCK_MONOTONIC_RAW || status != 0)
		return status;
	if (!begun) {
		int rank = (int)number_of("OMPI_COMM_WORLD_RANK", "PMI_RANK");

		begun = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
		offset = rank * (int64_t)number_of("DRIFT_OFFSET", NULL) * 1000000000;
		drift = (rank % 2 ? -1e-6 : 1e-6) * number_of("DRIFT_PPM", NULL);
	}
	since = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec - begun;
	since += begun + offset + (int64_t)(drift * (double)since);
	now->tv_sec = since / 1000000000;
	now->tv_nsec = since % 1000000000;
	return 0;
}
