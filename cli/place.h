/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - the placement that the options of `topomap place` describe.
 *
 * The ranks are placed by a file (--from), by an order of levels (--order), or by a launcher's own
 * policies (formats/launchers/common/policy.h); an option of one of these excludes the others.
 */
#ifndef TMAP_CLI_PLACE_H
#define TMAP_CLI_PLACE_H

#include "cli/place_files.h"
#include "core/base/string.h"
#include "core/machine/placement.h"
#include "options/command.h"

/** The options' values; strings are as typed, NULL where not given. */
struct tmap_place_args {
	struct tmap_opt_list machines;
	int ranks, slots, cpus_per_task, cores, tasks_per_core;
	bool gives_slots;      /**< --hosts or --hostfile says how many slots a node has */
	const int *node_slots; /**< [nodes] their slots, TMAP_NONE where a host has none; NULL: nobody
				*   names hosts, or without slots */
	const int *node_most; /**< [nodes] max_slots of --hostfile; NULL: there is none */
	int launcher;         /**< row of tmap_launchers_placing, or TMAP_NONE */
	const char *map_by, *rank_by, *bind_to;
	bool hwthreads, exclusive;
	const char *distribution, *cpu_bind;
	struct tmap_opt_list env;      /**< "NAME=VALUE" */
	struct tmap_opt_list programs; /**< "-n 4 --host a:4 ./ocean" */
	const char *order;
	struct tmap_place_files files;
	int job; /**< in the log of --from, from 1; or TMAP_NONE */
	int64_t shuffle;
	const char *hosts, *hostfile, *network, *topology, *adapters;
	const char *output;
};

/** *p = the placement that is asked for, before any shuffling; its files are recognised. *note =
 *  half a sentence on what a file does not say, or NULL. TMAP_USAGE where options exclude each
 *  other or a word is unknown. */
int tmap_place(struct tmap_placement *p, struct tmap_machine *machine,
	       const struct tmap_place_args *args, const char **note, struct tmap_error *err);

/** Does the launcher's hostfile have HOST:SLOTS? */
bool tmap_place_reads_colons(const struct tmap_place_args *args);

/** Append the options that decided, with their defaults: " --map-by core --bind-to core". */
void tmap_place_describe(struct tmap_str *text, const struct tmap_place_args *args,
			 const struct tmap_machine *machine);

/** Append the variables: " --env OMP_NUM_THREADS=8". */
void tmap_place_describe_env(struct tmap_str *text, const struct tmap_place_args *args);

/** The row of the launcher that the request names, by an option of its own or a file: its name, for
 *  tmap_origin.launcher; NULL: it names none. */
const char *tmap_place_launcher(const struct tmap_place_args *args);

#endif
