/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origin.h - which launcher a placement is of.
 *
 *     "launcher": "mpiexec (Hydra) 4.0.2", "mpi": "MPICH 4.0.2"     hydra40, since "the probe ran
 *                                                                   under Hydra 4.0.2"
 *     "launcher": "slurm23.11"                                      slurm23.11, which topomap place
 *                                                                   was asked for
 *     neither                                                       the first of the table
 *
 * The rows of formats/launchers/launchers.c have the marks; this is the only place that looks for
 * them. Nothing of the document but a number of a release gets into the sentence.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_ORIGIN_H
#define TMAP_FORMATS_LAUNCHERS_ORIGIN_H

#include "core/lint/fix.h"
#include "core/lint/inspection.h"
#include "core/machine/placement.h"
#include "formats/json/json_write.h"
#include "formats/launchers/launchers.h"

enum { TMAP_ORIGIN_WHY = 160, TMAP_ORIGIN_FIXES = 8 };

struct tmap_origin_launcher {
	int row;       /**< of tmap_launchers_written */
	bool is_known; /**< false: row is the default */
	bool has_file; /**< topomap place was given a file that says where each rank is, which options
			    take the place of */
	bool is_asked; /**< the user chose row; is_other: and the placement is of another */
	bool is_other;
	const struct tmap_launcher_mark *mark; /**< of the row; NULL where it has none that fits */
	char why[TMAP_ORIGIN_WHY];             /**< half a sentence: "the probe ran under Slurm" */
	/** Whose words fixes have: the row's, or where it is not known those of several. NULL
	 *  ends. */
	const struct tmap_fix_words *fixes[TMAP_ORIGIN_FIXES];
};

/** The launcher of a placement. */
struct tmap_origin_launcher tmap_origin_launcher(const struct tmap_origin *origin);

/** The same where the user has chosen row @p asked, unless that is TMAP_NONE. */
struct tmap_origin_launcher tmap_origin_launcher_or(const struct tmap_origin *origin, int asked);

/** The library to assume for a placement of that launcher, where it names none. */
struct tmap_library_assumed tmap_origin_library(const struct tmap_origin_launcher *launcher);

/** One line for people, if there is something to say: which launcher was assumed and why, or that
 *  the one that was asked for is not the placement's. */
void tmap_origin_launcher_write(FILE *out, const struct tmap_origin_launcher *launcher);

/** The members "launcher" and "launcher_reason". */
void tmap_json_put_launcher(struct tmap_json_writer *w,
			    const struct tmap_origin_launcher *launcher);

#endif
