/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times_read.h - the times document, as topomap-bench writes it (times_report.h).
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_TIMES_READ_H
#define TMAP_FORMATS_REPORT_TIMES_TIMES_READ_H

#include "core/measure/times.h"

/** The times that @p path holds ("-": standard input), checked in all their parts;
 *  tmap_times_fini() them. TMAP_INPUT messages name the file and the member. */
int tmap_times_read_json(struct tmap_times *times, const char *path, struct tmap_error *err);

/** The same of a text in memory; messages begin with @p name. */
int tmap_times_parse_json(struct tmap_times *times, const char *text, size_t length,
			  const char *name, struct tmap_error *err);

/** *is_times: is there a times document at @p path, however wrong otherwise? Of what is no regular file
 *  nobody knows before it is read, and once: false. */
int tmap_times_recognise(const char *path, bool *is_times, struct tmap_error *err);

/** The documents of @p count > 0 launches as one (tmap_times_join()). */
int tmap_times_read_joined(struct tmap_times *times, const char *const *path, size_t count,
			   struct tmap_error *err);

#endif
