/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_lint.h - check a launcher's file that a user wrote.
 *
 * Rankfiles have rules of their own. For other files a finding is why their reader refuses them,
 * and ranks that get PUs of each other. Some rules need the machine.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_FILE_LINT_H
#define TMAP_FORMATS_LAUNCHERS_FILE_LINT_H

#include "formats/launchers/launchers.h"
#include "formats/launchers/origin.h"

/** The findings of the file @p path ("-": standard input) of row @p launcher, by line. @p machine
 *  is where it shall run, NULL if that is not known; @p ranks is how many ranks the job has, or
 *  TMAP_NONE. TMAP_USAGE where the row has no rules and no reader, or where a file cannot be
 *  checked without a machine. O(length) expected. */
int tmap_file_lint(struct tmap_file_findings *findings, const char *path, int launcher,
		   struct tmap_machine *machine, int ranks, struct tmap_error *err);

/** The findings as a report for people, and as a document, with the launcher whose file it is taken
 *  for. */
void tmap_file_findings_write_text(const struct tmap_file_findings *findings, const char *path,
				   const struct tmap_origin_launcher *launcher, FILE *out);
int tmap_file_findings_write_json(const struct tmap_file_findings *findings, const char *path,
				  const struct tmap_origin_launcher *launcher, FILE *out,
				  struct tmap_error *err);

#endif
