/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library to be preloaded: the FAIL_AT-th allocation that topomap's own code asks for is
 * refused, once. What libc and the libraries allocate for themselves is left alone: how they
 * take a refusal is not ours to mend. The number of allocations goes to the file FAIL_COUNT.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

enum { OBJECTS = 2 };

static struct {
	uintptr_t start, end;
} own[OBJECTS]; /* the code of the program and of libtopomap */
static int objects;
static long count, fail_at;

/* The first object is the program itself. */
static int find_own(struct dl_phdr_info *info, size_t size, void *data)
{
	bool *is_first = data;
	bool is_own = *is_first || strstr(info->dlpi_name, "libtopomap");

	(void)size;
	*is_first = false;
	if (!is_own || objects == OBJECTS)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
			own[objects].start = info->dlpi_addr + part->p_vaddr;
			own[objects].end = own[objects].start + part->p_memsz;
		}
	}
	objects++;
	return 0;
}

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FAIL_AT");
	bool is_first = true;

	fail_at = at ? atol(at) : 0;
	dl_iterate_phdr(find_own, &is_first);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (file) {
		fprintf(file, "%ld\n", count);
		fclose(file);
	}
}

static bool is_refused(const void *caller)
{
	uintptr_t address = (uintptr_t)caller;
	bool is_own = false;

	for (int i = 0; i < objects; i++)
		is_own = is_own || (address >= own[i].start && address < own[i].end);
	if (!is_own || ++count != fail_at)
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
