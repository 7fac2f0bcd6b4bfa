/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.h - what a rank was started as: which program, with how many threads, and what its
 * environment says of them.
 *
 *     setting 0   part 0 "ocean"        OMP_NUM_THREADS=4 OMP_PLACES=cores
 *     setting 1   part 1 "atmosphere"   OMP_NUM_THREADS=1
 *
 * Most jobs have one setting; a placement has each once, as it has places. Of the environment the
 * variables of tmap_variables count and no others, so that nothing else of a user's is kept.
 */
#ifndef TMAP_CORE_MACHINE_SETTING_H
#define TMAP_CORE_MACHINE_SETTING_H

#include "core/base/keyword.h"

enum tmap_variable {
	TMAP_OMP_NUM_THREADS,
	TMAP_OMP_THREAD_LIMIT,
	TMAP_OMP_MAX_ACTIVE_LEVELS,
	TMAP_OMP_NESTED,
	TMAP_OMP_DYNAMIC,
	TMAP_OMP_PLACES,
	TMAP_OMP_PROC_BIND,
	TMAP_GOMP_CPU_AFFINITY,
	TMAP_KMP_AFFINITY,
	TMAP_KMP_HW_SUBSET,
	TMAP_MKL_NUM_THREADS,
	TMAP_OPENBLAS_NUM_THREADS,
	TMAP_BLIS_NUM_THREADS,
	TMAP_SLURM_CPUS_PER_TASK,
	TMAP_SRUN_CPUS_PER_TASK,
	TMAP_I_MPI_PIN,
	TMAP_VARIABLE_COUNT
};

/** [TMAP_VARIABLE_COUNT], and a row without a name: each with what it says. */
extern const struct tmap_keyword tmap_variables[];

/** Values and names that are longer are cut by who records them, and refused by readers. */
enum { TMAP_VALUE_LENGTH = 1023, TMAP_PROGRAM_LENGTH = 255 };

/** The largest number of a part and of threads, beyond any machine. */
#define TMAP_MOST_PARTS 1048575
#define TMAP_MOST_THREADS 1048576

struct tmap_setting {
	int part;      /**< which of the commands of one launch, from 0; TMAP_NONE: unknown */
	char *program; /**< NULL: unknown */
	int threads;   /**< that it runs, where somebody said so; 0: see tmap_setting_threads() */
	bool environment;                    /**< were the variables looked at? */
	char *variable[TMAP_VARIABLE_COUNT]; /**< NULL: not set */
};

#define TMAP_SETTING_INIT \
	{ \
		.part = TMAP_NONE \
	}

void tmap_setting_fini(struct tmap_setting *setting);
int tmap_setting_copy(struct tmap_setting *copy, const struct tmap_setting *setting,
		      struct tmap_error *err);

/** A copy of the text, cut to @p most bytes, that can be recorded: "_" stands for each control
 *  character, which could steer a terminal. */
char *tmap_setting_text(const char *text, size_t most, struct tmap_error *err);

/** < 0, 0, > 0, as for strcmp(). */
int tmap_setting_compare(const struct tmap_setting *a, const struct tmap_setting *b);

/** Threads of a rank: what was said, else the most that a variable asks OpenMP or a BLAS for, whose
 *  name *why is; 0 with NULL where none says so. Of a list as "4,2" they multiply, as deep as
 *  OMP_MAX_ACTIVE_LEVELS and OMP_NESTED let regions nest, up to OMP_THREAD_LIMIT. @p why may be
 *  NULL. */
int tmap_setting_threads(const struct tmap_setting *setting, const char **why);

/** Threads that OMP_NUM_THREADS asks for, whatever OMP_THREAD_LIMIT leaves of them; 0: there is no number. */
int tmap_setting_asked_threads(const struct tmap_setting *setting);

/** PUs that Slurm was asked for a rank, and the variable that says so; 0: none does. */
int tmap_setting_cpus(const struct tmap_setting *setting, const char **why);

/** The whole number, at least 1, that a value begins with; 0: there is none. */
int tmap_setting_number(const char *value);

/** Does it say that Intel MPI is not to bind its ranks, whatever else is asked of it? */
bool tmap_setting_is_unpinned(const struct tmap_setting *setting);

/** The variable that says that OpenMP is to bind no threads, whatever else is asked of it: OMP_PROC_BIND,
 *  or KMP_AFFINITY, which Intel's and LLVM's read first; TMAP_VARIABLE_COUNT: none does. */
enum tmap_variable tmap_setting_looses_threads(const struct tmap_setting *setting);

/** Does anything in the environment say where threads are to run? */
bool tmap_setting_binds_threads(const struct tmap_setting *setting);

#endif
