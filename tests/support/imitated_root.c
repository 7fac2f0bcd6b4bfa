/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/imitated_root.h"

#include "core/base/mem.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char imitated_root[64];

void imitated_root_make(void)
{
	strcpy(imitated_root, "/tmp/topomap-system-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(imitated_root));
}

void imitated_root_remove(void)
{
	struct tmap_error err;
	char *command = tmap_format(&err, "rm -rf %s", imitated_root);

	ck_assert_int_eq(system(command), 0);
	free(command);
}

void imitated_root_put(const char *path, const char *text)
{
	struct tmap_error err;
	char *whole = tmap_format(&err, "%s%s", imitated_root, path);
	FILE *file;

	for (char *at = strchr(whole + strlen(imitated_root) + 1, '/'); at;
	     at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(whole, 0700);
		*at = '/';
	}
	file = fopen(whole, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	free(whole);
}
