/*
 * slurm_script.h - the script beside a SLURM_HOSTFILE that binds tasks where srun cannot.
 *
 *     list0='0-3 4-7 -'
 *     case $SLURMD_NODENAME in
 *     node01) pus=$list0 ;;
 *
 * The k-th word of a node's list has the PUs of its k-th task; "-" is not bound.
 */
#ifndef TM_SLURM_SCRIPT_H
#define TM_SLURM_SCRIPT_H

#include "formats/launchers/common/entries.h"

/** Give the entries, which are in the order of the ranks, the words that the script NAME.sh beside
 *  the hostfile @p path has for them, for tm_hydra_hostfile_resolve(). Messages begin with the
 *  script's name. O(length + entries). */
int tm_slurm_script_read(struct tm_entries *entries, const char *path, struct tm_error *err);

/** The same from the script's text; on failure *line is the line to blame, or 0. */
int tm_slurm_script_apply(struct tm_entries *entries, const char *text, int *line,
			  struct tm_error *err);

#endif
