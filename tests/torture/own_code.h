/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_code.h - for libraries that are preloaded: does topomap's own code call, or a library?
 */
#ifndef TMAP_TESTS_TORTURE_OWN_CODE_H
#define TMAP_TESTS_TORTURE_OWN_CODE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OWN_OBJECTS = 2 };

/* The code of the program and of libtopomap. */
struct own_code {
	struct {
		uintptr_t start, end;
	} object[OWN_OBJECTS];
	int count;
	bool is_after_first;
};

/* The first object is the program itself. */
static int own_code_add(struct dl_phdr_info *info, size_t size, void *data)
{
	struct own_code *own = data;
	bool is_own = !own->is_after_first || strstr(info->dlpi_name, "libtopomap");

	(void)size;
	own->is_after_first = true;
	if (!is_own || own->count == OWN_OBJECTS)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
			own->object[own->count].start = info->dlpi_addr + part->p_vaddr;
			own->object[own->count].end = own->object[own->count].start + part->p_memsz;
		}
	}
	own->count++;
	return 0;
}

static inline void own_code_find(struct own_code *own)
{
	dl_iterate_phdr(own_code_add, own);
}

static inline bool own_code_has(const struct own_code *own, const void *caller)
{
	for (int i = 0; i < own->count; i++)
		if ((uintptr_t)caller >= own->object[i].start &&
		    (uintptr_t)caller < own->object[i].end)
			return true;
	return false;
}

#endif
