/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/file_findings.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_file_findings_fini(struct tmap_file_findings *findings)
{
	for (int i = 0; i < findings->count; i++) {
		free(findings->finding[i].reason);
		free(findings->finding[i].fix);
	}
	free(findings->finding);
	*findings = (struct tmap_file_findings){ 0 };
}

int tmap_file_findings_add_take(struct tmap_file_findings *findings, const char *name, int line,
				char *reason, char *fix, struct tmap_error *err)
{
	if (reason && fix &&
	    tmap_grow(&findings->finding, &findings->capacity, (size_t)findings->count + 1,
		      sizeof *findings->finding, err) == 0) {
		findings->finding[findings->count++] =
			(struct tmap_file_finding){ name, line, reason, fix };
		return 0;
	}
	free(reason);
	free(fix);
	return -1;
}

static int finding_compare(const void *left, const void *right)
{
	const struct tmap_file_finding *a = left, *b = right;

	if (a->line != b->line)
		return a->line - b->line;
	return strcmp(a->name, b->name);
}

void tmap_file_findings_sort(struct tmap_file_findings *findings)
{
	if (findings->count)
		qsort(findings->finding, (size_t)findings->count, sizeof *findings->finding,
		      finding_compare);
}
