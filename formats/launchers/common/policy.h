/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy.h - a launcher's own options for mapping and binding, and the placement that they give.
 *
 *     mpirun -np 32 --map-by node --bind-to core PROGRAM
 *     srun -N 4 -n 32 --distribution=cyclic:block --cpu-bind=cores PROGRAM
 *     mpiexec.hydra -ppn 8 -n 32 -bind-to core -map-by socket PROGRAM
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_POLICY_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_POLICY_H

#include "core/base/keyword.h"
#include "core/base/string.h"
#include "core/machine/placement.h"
#include "core/place/program.h"
#include "formats/launchers/common/locals.h"
#include "formats/launchers/common/program_lines.h"

/** Options, as bits. */
enum tmap_policy_option {
	TMAP_POLICY_MAP_BY = 1 << 0,
	TMAP_POLICY_RANK_BY = 1 << 1,
	TMAP_POLICY_BIND_TO = 1 << 2,
	TMAP_POLICY_HWTHREADS = 1 << 3,
	TMAP_POLICY_SLOTS = 1 << 4,
	TMAP_POLICY_DISTRIBUTION = 1 << 5,
	TMAP_POLICY_CPU_BIND = 1 << 6,
	TMAP_POLICY_CPUS_PER_TASK = 1 << 7,
	TMAP_POLICY_EXCLUSIVE = 1 << 8,
	TMAP_POLICY_ENV = 1 << 9,
	TMAP_POLICY_PROGRAMS = 1 << 10,
	TMAP_POLICY_CORES = 1 << 11,
	TMAP_POLICY_TASKS_PER_CORE = 1 << 12,
	TMAP_POLICY_COLONS = 1 << 13,     /**< lines of --hostfile may be HOST:SLOTS */
	TMAP_POLICY_HOST_SLOTS = 1 << 14, /**< slots of each host, in --hostfile or --hosts a:4,b */
};

/** The options' values; NULL or TMAP_NONE where one is left out. */
struct tmap_policy {
	int ranks, slots, cpus_per_task, cores, tasks_per_core;
	const int *node_slots; /**< [nodes], TMAP_NONE where nobody gave any; NULL: for all */
	const int *
		node_most; /**< [nodes] max_slots, TMAP_NONE where a node has none; NULL: for all */
	bool is_named;     /**< the nodes have names that the user gave them */
	const char *hostfile;                     /**< they and their slots come from this file */
	const struct tmap_program_line *programs; /**< [program_count] NULL: there is one */
	int program_count;
	bool hwthreads, exclusive;
	const char *map_by; /**< or the distribution of Slurm and Flux */
	const char *rank_by;
	const char *bind_to;    /**< or the cpu-bind of Slurm, Flux and PALS */
	const char *const *env; /**< [env_count] "NAME=VALUE" */
	int env_count;
};

#define TMAP_POLICY_INIT \
	{ \
		.ranks = TMAP_NONE, .slots = TMAP_NONE, .cpus_per_task = TMAP_NONE, \
		.cores = TMAP_NONE, .tasks_per_core = TMAP_NONE \
	}

enum { TMAP_POLICY_TRIALS = 12, TMAP_POLICY_WORD = 64 };

/** What is tried to find a job without a file: each start with each map_by, and with each word of
 *  the vocabulary that binds as the job does, or each of bind_to. The simplest come first. */
struct tmap_policy_trials {
	struct tmap_policy start[TMAP_POLICY_TRIALS];
	const char *map_by[TMAP_POLICY_TRIALS];
	int starts, maps;
	enum tmap_vocabulary bindings;
	const char *bind_to[TMAP_POLICY_TRIALS]; /**< [binds], where there is no vocabulary */
	int binds;
	char word[3][TMAP_POLICY_WORD]; /**< room for words that are made */
};

/** What a launcher's row has of it. */
struct tmap_launcher_policy {
	const char *name;  /**< "Open MPI's policies" */
	unsigned options;  /**< enum tmap_policy_option, those that it takes */
	const char *given; /**< " --launcher hydra", what topomap place needs to choose it */
	/** The variables of --env that it takes; NULL without TMAP_POLICY_ENV. */
	const struct tmap_keywords *variables;
	bool slots_override;    /**< --slots takes the place of what hosts have */
	const char *host_slots; /**< without TMAP_POLICY_HOST_SLOTS: what it has instead */
	/** The same options in later releases; NULL: they do the same there. */
	const struct tmap_launcher_policy *later;
	/** *p = the placement. TMAP_USAGE where a word is unknown, TMAP_INPUT where the launcher
	 *  would refuse. */
	int (*place)(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_policy *policy, struct tmap_error *err);
	/** Append the options of topomap place, with the defaults on this machine: " --map-by core". */
	void (*print)(struct tmap_str *text, const struct tmap_policy *policy,
		      const struct tmap_machine *machine);
	/** Append the command line that starts PROGRAM on @p nodes nodes; NULL without
	 *  list_trials(). */
	void (*command)(struct tmap_str *line, const struct tmap_policy *policy, int nodes);
	/** *trials, which is zeroed, for a job. NULL: a job is not looked for among the options,
	 *  because it may have been started by another program. */
	void (*list_trials)(struct tmap_policy_trials *trials, const struct tmap_locals *locals);
};

/** *programs = the lines with their ranks, for a launcher whose programs have no hosts of their own;
 *  NULL where there are no lines. TMAP_USAGE where one has hosts. The caller's to free. */
int tmap_policy_programs(struct tmap_program **programs, const struct tmap_policy *policy,
			 const char *launcher, struct tmap_error *err);

/** The value of @p option is wrong: TMAP_USAGE instead of TMAP_INPUT. Returns -1. */
int tmap_policy_refuse_word(const char *option, struct tmap_error *err);

/** The value of variable @p name, the last one that is given; NULL: none is. */
const char *tmap_policy_env(const struct tmap_policy *policy, const char *name);

/** Does every --env name one of the variables, or one that placements keep (kept_env.h)? */
bool tmap_policy_has_env(const struct tmap_launcher_policy *row, const struct tmap_policy *policy);

/** Refuse (TMAP_USAGE) what is no NAME=VALUE, or neither one of @p variables, which @p name follows
 *  (NULL: none), nor one that placements keep. */
int tmap_policy_check_env(const char *const *env, size_t count, const char *name,
			  const struct tmap_keywords *variables, struct tmap_error *err);

/** Append " --option value" unless the value is NULL. */
void tmap_policy_add_option(struct tmap_str *text, const char *option, const char *value);

/** How many ranks follow each other on the node of rank 0, from it on. */
int tmap_policy_first_run(const struct tmap_placement *p);

/** "ppr:2:socket" as word @p number of the trials, where the ranks of the fullest node are that many for
 *  each of its objects; none where they are not. */
void tmap_policy_add_ppr(struct tmap_policy_trials *trials, int number,
			 const struct tmap_locals *locals, const char *name, enum tmap_type type);

#endif
