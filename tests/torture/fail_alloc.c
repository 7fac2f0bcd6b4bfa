/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library to be preloaded: the FAIL_AT-th allocation that topomap's own code asks for is
 * refused, once. What libc and the libraries allocate for themselves is left alone: how they
 * take a refusal is not ours to mend. The number of allocations goes to the file FAIL_COUNT; a child's
 * count with its parent's.
 */
#include "tests/torture/own_code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static struct own_code own;
static long fail_at, *count; /* shared */

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FAIL_AT");

	fail_at = at ? atol(at) : 0;
	count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	own_code_find(&own);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	/* one that only waits for another (mpi_probe/guard.h) has none */
	FILE *file = path && *count ? fopen(path, "w") : NULL;

	if (file) {
		fprintf(file, "%ld\n", *count);
		fclose(file);
	}
}

static bool is_refused(const void *caller)
{
	if (!own_code_has(&own, caller) || ++*count != fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
