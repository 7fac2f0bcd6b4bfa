/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint_rules.h - the functions behind the rows of lint_rules.c, and what they share.
 */
#ifndef TMAP_CORE_LINT_LINT_RULES_H
#define TMAP_CORE_LINT_LINT_RULES_H

#include "core/lint/lint.h"
#include "core/lint/pick.h"

#define TMAP_LINT_CHECK(name) \
	enum tmap_lint_answer name(struct tmap_finding *, const struct tmap_inspection *, \
				   struct tmap_error *)

/* what ranks are bound to */
TMAP_LINT_CHECK(tmap_lint_unbound);
TMAP_LINT_CHECK(tmap_lint_oversubscribed);
TMAP_LINT_CHECK(tmap_lint_shared_pu);
TMAP_LINT_CHECK(tmap_lint_idle_cores);
TMAP_LINT_CHECK(tmap_lint_shared_core);
TMAP_LINT_CHECK(tmap_lint_two_packages);
TMAP_LINT_CHECK(tmap_lint_two_numa);
TMAP_LINT_CHECK(tmap_lint_far_memory);

/* what ranks leave idle */
TMAP_LINT_CHECK(tmap_lint_idle_memory);
TMAP_LINT_CHECK(tmap_lint_idle_l3);

/* what ranks were started as, threads first */
TMAP_LINT_CHECK(tmap_lint_many_threads);
TMAP_LINT_CHECK(tmap_lint_piled_threads);
TMAP_LINT_CHECK(tmap_lint_sibling_threads);
TMAP_LINT_CHECK(tmap_lint_loose_threads);
TMAP_LINT_CHECK(tmap_lint_isolated_threads);
TMAP_LINT_CHECK(tmap_lint_fewer_cpus);
TMAP_LINT_CHECK(tmap_lint_thread_limit);

/* what the system leaves to the job, and kinds of cores and pages */
TMAP_LINT_CHECK(tmap_lint_cpu_quota);
TMAP_LINT_CHECK(tmap_lint_disallowed_pus);
TMAP_LINT_CHECK(tmap_lint_system_core);
TMAP_LINT_CHECK(tmap_lint_memory_limit);
TMAP_LINT_CHECK(tmap_lint_slow_cores);
TMAP_LINT_CHECK(tmap_lint_unequal_cores);
TMAP_LINT_CHECK(tmap_lint_huge_pages);

/* adapters and GPUs */
TMAP_LINT_CHECK(tmap_lint_far_adapter);
TMAP_LINT_CHECK(tmap_lint_one_adapter);
TMAP_LINT_CHECK(tmap_lint_far_gpu);

/* ranks over nodes */
TMAP_LINT_CHECK(tmap_lint_idle_nodes);
TMAP_LINT_CHECK(tmap_lint_uneven);
TMAP_LINT_CHECK(tmap_lint_unequal_nodes);
TMAP_LINT_CHECK(tmap_lint_not_consecutive);
TMAP_LINT_CHECK(tmap_lint_long_mapping);
TMAP_LINT_CHECK(tmap_lint_no_common_switch);
TMAP_LINT_CHECK(tmap_lint_split_switches);

/* what the MPI library will do */
TMAP_LINT_CHECK(tmap_lint_slow_order);

/** Add the ranks that sit on the places marked in @p marked to the finding. O(p). */
int tmap_lint_collect(struct tmap_finding *finding, const struct tmap_placement *p,
		      const bool *marked, struct tmap_error *err);

/** The same of the ranks on places for which @p is is true. O(p + places). */
int tmap_lint_collect_places(struct tmap_finding *finding, const struct tmap_inspection *it,
			     bool (*is)(const struct tmap_topology *, const struct tmap_place *),
			     struct tmap_error *err);

/** A fix of constant words and numbers, with what stands in braces in the words of the launchers
 *  (fix.h); the caller's to free. */
char *tmap_lint_fix(const struct tmap_finding *finding, const char *text, struct tmap_error *err);

/** Is one launcher known, and has it no words for what such a text has in braces? */
bool tmap_lint_lacks_words(const struct tmap_finding *finding, const char *text);

/** The same as tmap_lint_fix(); where the only launcher has no words for it, @p plain with cores that are named
 *  for @p each ranks on every node that has some. The caller's. */
char *tmap_lint_worded_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const char *text, const char *plain, int each, int cores,
			   struct tmap_error *err);

/** "{: |fewer 32 16 2|}" behind @p text: as many ranks on each used node as the smallest has cores,
 *  in the words of the launchers, and how many more nodes have room for the rest; the caller's. */
char *tmap_lint_fewer(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      const char *text, struct tmap_error *err);

/** "share the ranks by cores, 36 on c1, 12 on d1", with the words that put so many of them on each node,
 *  each on so many cores of its own, 0: one for each of its threads; fewer ranks where there is no room
 *  for all. *fix is NULL where nodes have as many cores, there are several programs, or ranks run
 *  different numbers of threads; else the caller's. O(N). */
int tmap_lint_share_fix(char **fix, const struct tmap_finding *finding,
			const struct tmap_inspection *it, int cores, struct tmap_error *err);

/** The same for nodes of as many cores, on which the ranks do not divide: "put 33 or 34 ranks on each
 *  node". */
int tmap_lint_share_evenly_fix(char **fix, const struct tmap_finding *finding,
			       const struct tmap_inspection *it, int cores, struct tmap_error *err);

/** Nodes of the job without ranks, idle-nodes. O(N). */
int tmap_lint_idle_nodes_count(const struct tmap_inspection *it);

/** Threads that the rank runs on PUs which all are isolated, where its environment binds none,
 *  isolated-threads; else 0. More of them than PUs are another finding. */
int tmap_lint_isolated_count(const struct tmap_placement *p, int rank);

/** PUs of a node that isolcpus or nohz_full leave the system, system-core. */
int tmap_lint_system_pus(const struct tmap_inspection *it, int node);

/** *is_found: is a rank bound to slow cores while faster ones are idle, slow-cores? O(p + PUs). */
int tmap_lint_is_on_slow_cores(bool *is_found, const struct tmap_inspection *it,
			       struct tmap_error *err);

/** *is_found: have small nodes more threads than cores, and large ones not? O(p + kinds of nodes). */
int tmap_lint_is_unequal(bool *is_found, const struct tmap_inspection *it, struct tmap_error *err);

/** The only node with another number of ranks than all others, if it has twice as many: somebody wrote
 *  its name twice. TMAP_NONE: there is none. O(kinds of nodes). */
int tmap_lint_twice(const struct tmap_inspection *it);

/** The fix, which it takes and which may be NULL, behind that question. The caller's. */
char *tmap_lint_ask_twice_take(const struct tmap_inspection *it, char *fix_take,
			       struct tmap_error *err);

/** [node_count]: threads of the ranks of each node, one of a rank of which that is not known; the
 *  caller's. O(p + N). */
int64_t *tmap_lint_count_threads(const struct tmap_placement *p, struct tmap_error *err);

/** @p text ("bind each to as many cores as it has threads") with the words for that, if each rank can
 *  have so many cores; else to run as many threads as there are cores for each; @p otherwise where
 *  their threads are not known, or differ. The caller's. */
char *tmap_lint_threads_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    const char *text, const char *otherwise, struct tmap_error *err);

/** @p text ("distribute the ranks of a node over its NUMA nodes") with the words for that, each rank
 *  with so many cores, where there are as many; @p type is L3, NUMA or PACKAGE. The caller's. */
char *tmap_lint_spread_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   enum tmap_type type, const char *text, int cores,
			   struct tmap_error *err);

/** "put 50 ranks on every node" of so many, with so many cores for each, and none of its NUMA nodes or packages
 *  left idle where they can be spread. The caller's. */
char *tmap_lint_even_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int each, int nodes, int cores, struct tmap_error *err);

/** @p text with the words that put neighboring ranks on different objects of a type, L3, NUMA or
 *  PACKAGE, with as many cores as they need, where there are as many. The caller's. */
char *tmap_lint_turns_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  enum tmap_type type, const char *text, struct tmap_error *err);

/** @p text with the words that give each rank so many cores of its own, all at one memory, and leave
 *  no memory idle, where that can be, and each node its ranks; without words where there are not so
 *  many cores. @p any_memory: what a launcher does that has no word for memory is well, too. The
 *  caller's. */
char *tmap_lint_cores_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const char *text, int cores, bool any_memory, struct tmap_error *err);

/** The fix of ranks in another order: node after node, or in turn, with the words that keep as many
 *  cores for each rank as it has. The caller's. */
char *tmap_lint_order_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  bool by_turns, struct tmap_error *err);

/** The advice of the inspection; where it has none, one that is made into *own, which is zeroed before
 *  and the caller's to release. NULL: it failed. */
const struct tmap_advice *tmap_lint_advice(const struct tmap_inspection *it,
					   struct tmap_advice *own, struct tmap_error *err);

/** @p plain ("bind ranks that use GPUs close to them") with so many cores for each rank of a node near a GPU,
 *  by the NUMA nodes that have one, or by cores that are named. The caller's. */
char *tmap_lint_gpus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 const char *plain, int cores, struct tmap_error *err);

/** "put ranks near all GPUs, as many on each NUMA node", or L3 cache, and words, with so many cores as each can
 *  have. @p type is NUMA or PACKAGE. The caller's. */
char *tmap_lint_all_gpus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			     enum tmap_type type, struct tmap_error *err);

/** Are there as many GPUs as a node has ranks? Then they are perhaps one for each. O(devices). */
bool tmap_lint_has_gpu_each(const struct tmap_inspection *it);

/** *has: are there ranks with more threads than PUs, many-threads? -1: it failed. */
int tmap_lint_has_many_threads(const struct tmap_inspection *it, bool *has, struct tmap_error *err);

/** [size]: the ranks whose threads OpenMP puts on cores of others, piled-threads; none where that takes
 *  more than TMAP_LINT_STEPS. The caller's; NULL: it failed. */
bool *tmap_lint_find_piled(const struct tmap_inspection *it, struct tmap_error *err);

/** Is one launcher known that has words for a list of PUs, rather than a file? */
bool tmap_lint_has_list_words(const struct tmap_finding *finding);

/** The same of words for a list of sets of PUs. */
bool tmap_lint_has_set_words(const struct tmap_finding *finding);

/** "TEXT: --cpu-bind list:1:2 (Cray MPICH)": @p each ranks of every node to these PUs, by those words. The
 *  caller's. */
char *tmap_lint_list_fix(const struct tmap_finding *finding, const char *text,
			 const struct tmap_idset *pus, int each, struct tmap_error *err);

/** @p text with what binds the ranks of each node, which are alike, to the cores that begin with these
 *  PUs, one to each: such words, or "topomap suggest-rankfile ...". The caller's. */
char *tmap_lint_pick_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 const char *text, const struct tmap_idset *pus, struct tmap_error *err);

/** The same of @p each ranks on so many nodes and cores that are as far apart as can be, evenly on packages,
 *  NUMA nodes and L3 caches; of ranks that need several cores for L3 caches, or NUMA nodes, one to each.
 *  Only @p text where that cannot be, or nodes are not alike. O(objects x objects). The caller's. */
char *tmap_lint_apart_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const char *text, int each, int nodes, int cores, struct tmap_error *err);

/** *fix: where ranks that are fewer than NUMA nodes, or packages, are far from an adapter without reason, what
 *  puts them apart and one of them near it; else NULL. The caller's. */
int tmap_lint_apart_at_adapter(char **fix, const struct tmap_finding *finding,
			       const struct tmap_inspection *it, struct tmap_error *err);

/** The same in a part of each node. */
char *tmap_lint_inside_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const char *text, const struct tmap_spot *spot, int each, int nodes,
			   int cores, struct tmap_error *err);

/** Set the number that the rule's row calls @p name. */
void tmap_lint_figure(struct tmap_finding *finding, const char *name, double value);

/** Number of ranks of the finding. */
int tmap_lint_ranks(const struct tmap_finding *finding);

/** Where it is so: "n0"; "each node", where it is so of all, and with @p is_alike they are so in the same
 *  way; "n0 (one of 3 such nodes)". The caller's. O(ranks + N). */
char *tmap_lint_where(const struct tmap_finding *finding, int example, bool is_alike,
		      struct tmap_error *err);

/** FOUND: the reason is @p what_take, which it takes, and the rule's why; FAILED where it is
 *  NULL. */
enum tmap_lint_answer tmap_lint_found_take(struct tmap_finding *finding, char *what_take,
					   struct tmap_error *err);

/** SKIPPED, with its reason; FAILED where that is NULL. */
enum tmap_lint_answer tmap_lint_skipped_take(struct tmap_finding *finding, char *reason_take);

/** Cores of a node that no rank may run on, and on no PU of which the system runs; TMAP_NONE: it
 *  failed. O(objects + its ranks' PUs). */
int tmap_lint_spare_cores(const struct tmap_inspection *it, int node, struct tmap_error *err);

/** The same where nothing is known of the systems of the nodes. */
enum tmap_lint_answer tmap_lint_skip_system(struct tmap_finding *finding, struct tmap_error *err);

/** Steps of rules that look at every PU of each place; at every place of one node of a class; at
 *  every device for each place. */
double tmap_lint_place_steps(const struct tmap_inspection *it);
double tmap_lint_class_steps(const struct tmap_inspection *it);
double tmap_lint_device_steps(const struct tmap_inspection *it);
/** And of those that follow the threads of each rank to their cores. */
double tmap_lint_pile_steps(const struct tmap_inspection *it);

#endif
