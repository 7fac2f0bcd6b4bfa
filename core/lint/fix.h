/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fix.h - what a finding asks for, in the words of the launcher that started the job.
 *
 *     "bind them{: |bind|}; for threads, ..."  with the words of Hydra alone
 *     "bind them: -bind-to core (Hydra); for threads, ..."
 *
 * Where {before|NAME|after} stands, the words of each launcher are put between before and after;
 * where no launcher has words for it, nothing is. {before|NAME A B|after} has whole numbers: in the
 * words $1 stands for the first, $2 for the second, and $m and $u for what ranks are mapped by and
 * bound to one by one: core, or hwthread where nodes have no cores. What is in brackets, "[:PE=$1]",
 * is left out where $1 is 1; "$[" and "$]" are brackets. Words that need a number that nodes do not
 * share, -1, are left out; so are those with the sign # where cores that follow one another by OS
 * index are not near each other.
 * {topomap lanes --fix} is that command of the job that is meant (job_command.h).
 * "{{" is a brace.
 */
#ifndef TMAP_CORE_LINT_FIX_H
#define TMAP_CORE_LINT_FIX_H

#include "core/base/error.h"
#include "core/lint/job_command.h"

#include <stdbool.h>

/** What can be asked for; the names are in the rows of core/lint/fix.c. */
enum tmap_fix {
	TMAP_FIX_BIND,     /**< bind: each rank to a core */
	TMAP_FIX_APART,    /**< apart: to a core of its own */
	TMAP_FIX_CORES,    /**< cores: fill cores before hardware threads */
	TMAP_FIX_PACKAGES, /**< packages: $2 ranks on each package, $1 cores, $3 PUs, of it for each */
	TMAP_FIX_NUMAS,    /**< numas: the same of NUMA nodes */
	/** package: over the packages in turn, each bound to all of one; $1 is 1 where no two ranks are on
	 *  one, and else there is none */
	TMAP_FIX_PACKAGE,
	TMAP_FIX_NUMA,   /**< numa: the same of NUMA nodes */
	TMAP_FIX_SPREAD, /**< spread: over the NUMA nodes in turn, each to $1 cores */
	/** spread-threads: the same, and over the packages where the launcher knows no better */
	TMAP_FIX_SPREAD_THREADS,
	TMAP_FIX_CACHES, /**< caches: the same of L3 caches */
	TMAP_FIX_FEWER,  /**< fewer: $1 ranks, $2 on each of $3 nodes, each to a core */
	TMAP_FIX_MEMORY, /**< memory: of the NUMA nodes that are close */
	TMAP_FIX_TURNS,  /**< turns: the same of packages */
	TMAP_FIX_GPUS,   /**< gpus: each to all of a NUMA node of the list $1 */
	TMAP_FIX_NEAR, /**< near: the only rank of a node to PUs $1, by OS index, of NUMA node $2 */
	TMAP_FIX_EVEN, /**< even: $1 cores a rank, $2 ranks on each of $3 nodes, $4 in all, $5 PUs a
				rank */
	/** even-numas: $2 ranks on each NUMA node, else as even, and $6 on each node */
	TMAP_FIX_EVEN_NUMAS,
	TMAP_FIX_EVEN_PACKAGES,    /**< even-packages: the same of packages */
	TMAP_FIX_EVEN_CACHES,      /**< even-caches: the same of L3 caches */
	TMAP_FIX_EVEN_SPREAD,      /**< even-spread: $6 on each node, over the NUMA nodes in turn */
	TMAP_FIX_EVEN_TURNS,       /**< even-turns: the same of packages */
	TMAP_FIX_EVEN_CACHE_TURNS, /**< even-cache-turns: the same of L3 caches */
	TMAP_FIX_BLOCK, /**< block: node after node, $1 cores a rank, $2 ranks a node, $3 PUs a rank */
	TMAP_FIX_PACKED,  /**< packed: the same, core after core */
	TMAP_FIX_CYCLIC,  /**< cyclic: over the nodes in turn, likewise */
	TMAP_FIX_THREADS, /**< threads: $1 cores a rank, core after core, $2 ranks a node, $3 PUs a
				rank */
	TMAP_FIX_WIDE_THREADS, /**< wide-threads: the same where no package has so many cores */
	/** package-threads: $1 cores a rank, $2 ranks on each package, $3 PUs a rank, $4 ranks a
	 *  node; they may be on fewer packages where the launcher knows no better. A launcher that binds
	 *  core after core leaves none idle with $5 cores, $6 PUs, a rank, as it does in spread, turns and
	 *  caches; -1 where there is no such number */
	TMAP_FIX_PACKAGE_THREADS,
	TMAP_FIX_NUMA_THREADS, /**< numa-threads: the same of NUMA nodes */
	TMAP_FIX_EACH_PACKAGE, /**< each-package: the same as package-threads, and nothing else */
	TMAP_FIX_EACH_NUMA,    /**< each-numa: the same of NUMA nodes */
	TMAP_FIX_EACH_CACHE,   /**< each-cache: the same of L3 caches */
	/** pus: each rank of a node to one PU of a list, whose numbers stand between commas in $1, colons
	 *  in $2, semicolons in $3; $4 ranks, $5 on each of $6 nodes. Only where the launcher has no file
	 *  for places that no rank had */
	TMAP_FIX_PUS,
	/** sets: each rank of a node to the PUs of one set; sets stand between commas in $1 as masks
	 *  ("0x3,0xc"), colons in $2 ("0,1:2,3"), semicolons in $3; else as pus */
	TMAP_FIX_SETS,
	/** share: $3 ranks of $1 cores, $4 PUs, to each node of the list of hosts $2, "a:36,b:12", as many as
	 *  it says; $5 is $3 where no node has room for more, and else there is none; $6 nodes */
	TMAP_FIX_SHARE,
	TMAP_FIX_SHARE_SPREAD, /**< share-spread: the same, over the NUMA nodes in turn */
	TMAP_FIXES
};

struct tmap_fix_words {
	const char *launcher;         /**< for people */
	const char *word[TMAP_FIXES]; /**< NULL: it has no words for that */
	const char *pu;  /**< its words for $u where nodes have no cores; NULL: hwthread */
	bool counts_pus; /**< no words where cores have not all as many PUs, which it counts */
};

/** What the nodes have. */
struct tmap_fix_nodes {
	bool has_cores;   /**< else hardware threads stand for cores */
	bool equal_cores; /**< as many PUs in each of a node */
	bool in_order; /**< those of a package, NUMA node or L3 cache follow one another by OS index */
};

/** The text, which nothing of the user's is part of, in the words of @p launchers, which NULL ends;
 *  and commands of the job that @p job calls so; the caller's to free. What two launchers say with the
 *  same words is written once. */
char *tmap_fix_print(const char *text, const struct tmap_fix_words *const *launchers,
		     const struct tmap_fix_nodes *nodes, const struct tmap_job_words *job,
		     struct tmap_error *err);

/** Has a launcher words for anything in braces of such a text, on these nodes? */
bool tmap_fix_has_words(const char *text, const struct tmap_fix_words *launcher,
			const struct tmap_fix_nodes *nodes);

/** @p text, which may be the user's, as part of such a text: it stays as it is. The caller's. */
char *tmap_fix_escape(const char *text, struct tmap_error *err);

#endif
