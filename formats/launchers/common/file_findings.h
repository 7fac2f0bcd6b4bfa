/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_findings.h - what is wrong with a launcher's file, line by line.
 *
 *     line 1   rank-0-first    rank 3 comes before rank 0 ...      move the line of rank 0 ...
 *     line 4   entry-too-long  ...
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_FILE_FINDINGS_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_FILE_FINDINGS_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_file_finding {
	const char *name; /**< of the rule */
	int line;         /**< 0: the file as a whole */
	char *reason;     /**< a sentence without full stop */
	char *fix;        /**< what to write instead, the same */
};

struct tmap_file_findings {
	int count;
	struct tmap_file_finding *finding; /**< [count] */
	size_t capacity;
};

/** Add a finding; both texts are taken over, and NULL is memory that was refused. */
int tmap_file_findings_add_take(struct tmap_file_findings *findings, const char *name, int line,
				char *reason, char *fix, struct tmap_error *err);
void tmap_file_findings_fini(struct tmap_file_findings *findings);

/** By line, then by name. */
void tmap_file_findings_sort(struct tmap_file_findings *findings);

#endif
