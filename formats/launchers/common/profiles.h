/*
 * profiles.h - what the rows of the table of launchers are made of; private to launcher.c.
 *
 * A writer refuses what the launcher cannot say before it writes anything; without a file it
 * only looks. O(p) all of them.
 */
#ifndef TM_PROFILES_H
#define TM_PROFILES_H

#include "formats/launchers/launcher.h"

#define TM_PROFILE(name_) \
	int tm_##name_##_write(FILE *out, const struct tm_launch *job, int number, \
			       struct tm_error *err); \
	int tm_##name_##_command(struct tm_str *line, const struct tm_launch *job, \
				 struct tm_error *err); \
	int tm_##name_##_note(struct tm_str *text, const struct tm_launch *job, \
			      struct tm_error *err)

/** Rankfiles: the lists count cores, or hardware threads where some rank has a part of a core.
 *  Refused: a host name that no rankfile can hold, two hosts of one short name, and a host and
 *  list that are too long. */
TM_PROFILE(openmpi4);
TM_PROFILE(openmpi5);

/** A line a rank, the host and the cores on it; for ranks that are all unbound only hosts. */
TM_PROFILE(seq);

/** A SLURM_HOSTFILE; where one list of CPUs cannot serve all nodes a script beside it. */
TM_PROFILE(slurm);
int tm_slurm_count_files(const struct tm_launch *job);

/** Hydra's hostfile with a binding=user: for each host. Where ranks come back to a node, -rankmap
 *  deals them, or, without it, the host stands there again. */
TM_PROFILE(hydra);

/** The ranks of the slots. */
TM_PROFILE(cray);

/** Blocks of nodes; one list of CPUs for all nodes. */
TM_PROFILE(flux);

/** Hosts with their numbers of ranks; one list of processors for all nodes. */
TM_PROFILE(intel);

/** Only for ranks that change places among each other. */
TM_PROFILE(permutation);
TM_PROFILE(permutation_json);
TM_PROFILE(c);

#endif
