/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - how much memory a benchmark has taken.
 */
#ifndef TMAP_TESTS_BENCH_MEMORY_H
#define TMAP_TESTS_BENCH_MEMORY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Peak of resident memory in bytes, or what is resident now ("VmHWM", "VmRSS"). */
static inline double memory(const char *what)
{
	FILE *file = fopen("/proc/self/status", "r");
	size_t length = strlen(what);
	double kilobytes = NAN;
	char line[256];

	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, what, length) == 0)
			kilobytes = strtod(line + length + 1, NULL);
	if (file)
		fclose(file);
	return kilobytes * 1024;
}

#endif
