/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launchers.h - the table of launchers: what `topomap place` reads, what `topomap suggest-rankfile`
 * writes and what its --lint checks.
 *
 * A row for each form of file, one idea each: a launcher with several forms, or several versions
 * that read the same form differently, has several rows. What a row is made of: common/launcher.h.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_LAUNCHERS_H
#define TMAP_FORMATS_LAUNCHERS_LAUNCHERS_H

#include "formats/launchers/common/launcher.h"

/** All rows; those that can be written, those that can be read, and those whose own policies are
 *  imitated. The default comes first. Indices are the same in all of them. */
extern const struct tmap_keywords tmap_launchers, tmap_launchers_written, tmap_launchers_read,
	tmap_launchers_placing;

/** Row @p index of the table. */
const struct tmap_launcher *tmap_launcher_at(int index);

/** The row called @p name; NULL: there is none. */
const struct tmap_launcher *tmap_launcher_find(const char *name);

#endif
