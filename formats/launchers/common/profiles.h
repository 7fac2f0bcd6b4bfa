/*
 * profiles.h - what the rows of the table of launchers are made of; private to launcher.c.
 *
 * A writer refuses what the launcher cannot say before it writes anything; without a file it
 * only looks. O(p) all of them.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_PROFILES_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_PROFILES_H

#include "formats/launchers/launcher.h"

#define TMAP_PROFILE(name_) \
	int tmap_##name_##_write(FILE *out, const struct tmap_launch *job, int number, \
				 struct tmap_error *err); \
	int tmap_##name_##_command(struct tmap_str *line, const struct tmap_launch *job, \
				   struct tmap_error *err); \
	int tmap_##name_##_note(struct tmap_str *text, const struct tmap_launch *job, \
				struct tmap_error *err)

/** Rankfiles: the lists count cores, or hardware threads where some rank has a part of a core.
 *  Refused: a host name that no rankfile can hold, two hosts of one short name, and a host and
 *  list that are too long. */
TMAP_PROFILE(openmpi4);
TMAP_PROFILE(openmpi5);

/** A line a rank, the host and the cores on it; for ranks that are all unbound only hosts. */
TMAP_PROFILE(seq);

/** A SLURM_HOSTFILE; where one list of CPUs cannot serve all nodes a script beside it. */
TMAP_PROFILE(slurm);
int tmap_slurm_count_files(const struct tmap_launch *job);

/** Hydra's hostfile with a binding=user: for each host. Where ranks come back to a node, -rankmap
 *  deals them, or, without it, the host stands there again. */
TMAP_PROFILE(hydra);

/** The ranks of the slots. */
TMAP_PROFILE(cray);

/** Blocks of nodes; one list of CPUs for all nodes. */
TMAP_PROFILE(flux);

/** Hosts with their numbers of ranks; one list of processors for all nodes. */
TMAP_PROFILE(intel);

/** Only for ranks that change places among each other. */
TMAP_PROFILE(permutation);
TMAP_PROFILE(permutation_json);
TMAP_PROFILE(c);

#endif
