/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_script.h - the script beside a SLURM_HOSTFILE that binds tasks where srun cannot.
 *
 *     list0='0-3 4-7 -'
 *     case $SLURMD_NODENAME in
 *     node01) pus=$list0 ;;
 *
 * The k-th word of a node's list has the PUs of its k-th task; "-" is not bound.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_SLURM_SLURM_SCRIPT_H
#define TMAP_FORMATS_LAUNCHERS_SLURM_SLURM_SCRIPT_H

#include "formats/launchers/common/entries.h"

/** Give the entries, which are in the order of the ranks, the words that the script NAME.sh beside
 *  the hostfile @p path has for them, for tmap_pu_list_resolve(). Messages begin with the
 *  script's name. O(length + entries). */
int tmap_slurm_script_read(struct tmap_entries *entries, const char *path, struct tmap_error *err);

/** The same from the script's text; on failure *line is the line to blame, or 0. */
int tmap_slurm_script_apply(struct tmap_entries *entries, const char *text, int *line,
			    struct tmap_error *err);

#endif
