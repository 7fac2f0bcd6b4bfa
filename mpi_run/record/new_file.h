/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * new_file.h - a new file under a name that nothing had: whole or not at all, and nothing is
 * overwritten, whoever else writes at once.
 *
 *     app.record.json      taken: app.record-2.json, app.record-3.json, ...
 */
#ifndef TMAP_MPI_RUN_RECORD_NEW_FILE_H
#define TMAP_MPI_RUN_RECORD_NEW_FILE_H

#include "core/base/error.h"

#include <stdio.h>

struct tmap_new_file {
	FILE *file;      /**< write here */
	char *path;      /**< as it was asked for */
	char *temporary; /**< its name until then, in the same folder */
};

/** Refuses a path at which something else is than a file: a device, a folder. */
int tmap_new_file_init(struct tmap_new_file *it, const char *path, struct tmap_error *err);

/** All was written, with @p status: give it the first name that is free from the @p *number-th on, which is
 *  that one then; else, and where the disk has not taken all of it, nothing is left. @return @p status, or -1.
 *  */
int tmap_new_file_end(struct tmap_new_file *it, int status, int *number, struct tmap_error *err);

/** The name to try for the @p number-th time, from 1; the caller's to free. */
char *tmap_new_file_name(const char *path, int number, struct tmap_error *err);

#endif
