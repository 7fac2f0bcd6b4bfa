/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept_env.h - variables of --env that placements keep (core/machine/setting.h), whoever starts the
 * ranks: those of threads, by which inspect --lint judges a job as it does where the probe read them.
 *
 *     --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores     every setting of the placement has them
 *
 * I_MPI_PIN is kept, too, but Intel MPI's alone: whoever gives it asks for that launcher.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_KEPT_ENV_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_KEPT_ENV_H

#include "core/machine/placement.h"

/** Does NAME=VALUE set a variable that any launcher's ranks may have? */
bool tmap_kept_env_has(const char *text);

/** Names of these variables: "OMP_NUM_THREADS, ...", the caller's to free; NULL with *err set. */
char *tmap_kept_env_list(struct tmap_error *err);

/** All ranks of @p p have the variables of @p env, which are NAME=VALUE, that a placement keeps; of
 *  one that is given twice the last value. TMAP_USAGE where a value cannot be kept. */
int tmap_kept_env_set(struct tmap_placement *p, const char *const *env, size_t count,
		      struct tmap_error *err);

#endif
