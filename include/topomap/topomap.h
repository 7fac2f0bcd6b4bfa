/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topomap.h - where the ranks of an MPI job are, how far apart, and what follows from it.
 *
 *     machine ──► placement ──► distances ──► tree, ring
 *                     ├───────► hierarchy, lanes
 *                     ├───────► score ◄── profile, call ──► messages (a visitor)
 *                     └───────► suggestion ◄── traffic
 *
 *     struct topomap_error err;
 *     struct topomap_placement *job = topomap_placement_read("job.json", &err);
 *     struct topomap_distances *far = job ? topomap_distances_new(job, NULL, NULL, &err) : NULL;
 *     struct topomap_tree *tree = far ? topomap_tree_new(far, 0, &err) : NULL;
 *
 *     if (!tree)
 *             fprintf(stderr, "%s\n", err.text);
 *
 *     cc program.c $(pkg-config --cflags --libs topomap)
 *
 * A handle is what a function returns as a pointer to a struct of this header that is not const:
 * it is the caller's, NULL where the function fails, and released by the function of that struct
 * that ends in _free, which takes NULL. What a handle was made from may be released before it. A
 * NULL handle where one is wanted is an error of its own, which takes the place of the one before
 * it in *err; so are a handle of another kind, a rank that is not there and a word that is not
 * known, as is memory that the system refuses.
 *
 * Functions that return int return -1 where they fail. Where they fail, they describe the reason
 * in *err; @p err may be NULL. Arrays and strings that are returned as const belong to the
 * handle and are there as long as it is.
 *
 * Threads may use different handles at a time, and one handle as long as all of them only read
 * it: every parameter that is a pointer to const. The library keeps no state of its own, prints
 * nothing, and leaves signals, file descriptors, environment and locale of the process alone.
 * Numbers are written and read with a decimal point in every locale.
 *
 * Each function has a manual page. Words (scales, algorithms, launchers, ...) are those of the
 * command line; topomap_word() and topomap_algorithm() list them. Times are predictions by the
 * costs of a profile.
 */
#ifndef TOPOMAP_TOPOMAP_H
#define TOPOMAP_TOPOMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** Counts releases whose header has more than the one before. */
#define TOPOMAP_API 1

/** "No such thing": a rank, a node, a communicator. */
#define TOPOMAP_NONE (-1)

/** What is to blame. */
enum topomap_status {
	TOPOMAP_OK = 0,
	TOPOMAP_INPUT = 1, /**< the input is malformed, or the request is impossible on it */
	TOPOMAP_USAGE = 2, /**< an argument is wrong: NULL, another kind of handle, a word */
	TOPOMAP_SYSTEM = 3 /**< the system refused: a file, memory */
};

/** What went wrong, and where. It lies on the caller's stack and is never released; a function
 *  that succeeds leaves it alone. */
struct topomap_error {
	int status;       /**< enum topomap_status */
	int line, column; /**< of path, from 1; 0: unknown */
	char text[1280];  /**< "job.json:3:7: ranks.node: ...", the whole of it in one line, but for
			       a specification in one line, which is shown with a caret */
	char reason[512]; /**< the sentence alone */
	char path[4097];  /**< the file or the specification; "": none */
};

struct topomap_machine;
struct topomap_placement;
struct topomap_distances;
struct topomap_tree;
struct topomap_ring;
struct topomap_hierarchy;
struct topomap_lanes;
struct topomap_profile;
struct topomap_call;
struct topomap_score;
struct topomap_traffic;
struct topomap_suggestion;

/** The version of the library: "MAJOR.MINOR.PATCH". */
const char *topomap_version(void);

/** Word @p index of a table, from 0: "collective", "scale", "election", "launcher" (of
 *  suggestions), "launcher read", "launcher imitated", "profile", "mapper", "objective", "slots",
 *  "library", "tree", "ring", "traffic format". NULL past its end, and for a table that there is
 *  not. */
const char *topomap_word(const char *table, int index);

/** Name @p index of the algorithms of a collective, likewise. */
const char *topomap_algorithm(const char *collective, int index);

/* ---- machines: the nodes of a job, and the switches above them ---- */

/** The nodes that @p spec[count] describe, as for topomap-place(1): "4*node.xml", hwloc's file
 *  of a node, or "node:4 package:2 core:8". */
struct topomap_machine *topomap_machine_read(const char *const *spec, size_t count,
					     struct topomap_error *err);
void topomap_machine_free(struct topomap_machine *machine);

/** Give the nodes names; @p count must be their number. For a machine that nothing was made
 *  from yet, as topomap_machine_add_switches(). */
int topomap_machine_rename(struct topomap_machine *machine, const char *const *name, int count,
			   struct topomap_error *err);

/** Add a level of switches on top: node i hangs on switch switch_of[i], one of 0 .. count - 1, or
 *  TOPOMAP_NONE where it is not known. The leaves come first; nodes of one switch of the level
 *  below must be under one switch. */
int topomap_machine_add_switches(struct topomap_machine *machine, const int *switch_of, int count,
				 struct topomap_error *err);

int topomap_machine_node_count(const struct topomap_machine *machine, struct topomap_error *err);

/** The name of a node; NULL with *err set. */
const char *topomap_machine_node_name(const struct topomap_machine *machine, int node,
				      struct topomap_error *err);

/* ---- placements: which rank is where ---- */

/** The placement document @p path ("-": standard input), as topomap-probe(1) and topomap-place(1)
 *  write it, or that inside a tree, ring or suggestion. O(length). */
struct topomap_placement *topomap_placement_read(const char *path, struct topomap_error *err);

/** The same from a text in memory. */
struct topomap_placement *topomap_placement_parse(const char *text, size_t length,
						  struct topomap_error *err);

/** Ranks that the caller knows the places of: rank r runs on the PUs pus[r] ("0-3,8", OS
 *  indexes; NULL: on any, unbound) of node node[r]. O(size x distinct places). */
struct topomap_placement *topomap_placement_new(const struct topomap_machine *machine, int size,
						const int *node, const char *const *pus,
						struct topomap_error *err);

/** The options of a launcher, as for topomap-place(1). Numbers that are 0 and words that are NULL
 *  are not given. */
struct topomap_launch {
	size_t struct_size;   /**< sizeof(struct topomap_launch), as TOPOMAP_LAUNCH_INIT has it */
	const char *launcher; /**< "openmpi4", "hydra", "slurm", ...; NULL: the first of these */
	int ranks;            /**< one for each slot */
	int slots;            /**< of each node */
	int cpus_per_task;    /**< Slurm's */
	int hwthreads;        /**< not 0: hardware threads are cpus */
	const char *map_by;   /**< Slurm's distribution */
	const char *rank_by;
	const char *bind_to; /**< Slurm's cpu-bind */
};

#define TOPOMAP_LAUNCH_INIT \
	{ \
		sizeof(struct topomap_launch), NULL, 0, 0, 0, 0, NULL, NULL, NULL \
	}

/** Where a launcher puts the ranks. No job is started. */
struct topomap_placement *topomap_placement_launch(const struct topomap_machine *machine,
						   const struct topomap_launch *launch,
						   struct topomap_error *err);

/** Where a file of a launcher puts them, as for place --from: "openmpi4" and a rankfile. The nodes
 *  take the names of the file's hosts if they have others, so nothing may have been made from the
 *  machine yet. @p ranks 0: all. */
struct topomap_placement *topomap_placement_read_launcher(struct topomap_machine *machine,
							  const char *launcher, const char *path,
							  int ranks, struct topomap_error *err);

/** A sub-communicator: its rank r is rank rank[r] of @p placement, each at most once. O(count). */
struct topomap_placement *topomap_placement_subset(const struct topomap_placement *placement,
						   const int *rank, int count,
						   struct topomap_error *err);
void topomap_placement_free(struct topomap_placement *placement);

/** Number of ranks. */
int topomap_placement_size(const struct topomap_placement *placement, struct topomap_error *err);

/** The node of a rank, and its name. */
int topomap_placement_node(const struct topomap_placement *placement, int rank,
			   struct topomap_error *err);
const char *topomap_placement_node_name(const struct topomap_placement *placement, int rank,
					struct topomap_error *err);

/** The PUs that a rank may run on, "0-3,8", cut to @p size bytes; returns the length that the
 *  whole has, as snprintf() does. */
int topomap_placement_pus(const struct topomap_placement *placement, int rank, char *text,
			  size_t size, struct topomap_error *err);

/** 1 if the rank is bound, 0 if not. */
int topomap_placement_is_bound(const struct topomap_placement *placement, int rank,
			       struct topomap_error *err);

/** Write the placement document and flush. What came before an error stays written; a file that
 *  must be whole is written under another name first. So for all functions called _write. */
int topomap_placement_write(const struct topomap_placement *placement, FILE *out,
			    struct topomap_error *err);

/* ---- distances ---- */

/** How far apart ranks are on a scale: "process" (1: they share a cache, ... 7: they are on
 *  different nodes), "level", or "latency", which takes its seconds from @p profile (else unused;
 *  NULL: the one for the placement). @p scale NULL: "process". O(levels x (nodes + objects)),
 *  whatever the number of ranks. */
struct topomap_distances *topomap_distances_new(const struct topomap_placement *placement,
						const char *scale,
						const struct topomap_profile *profile,
						struct topomap_error *err);

/** Distances that were measured: value[i * size + j] from i to j, the same both ways; the diagonal
 *  is not read. What is linear on a machine is quadratic here. */
struct topomap_distances *topomap_distances_new_measured(int size, const double *value,
							 struct topomap_error *err);
void topomap_distances_free(struct topomap_distances *distances);

/** *value = the distance of two ranks; 0 for a rank with itself. O(levels). */
int topomap_distances_get(const struct topomap_distances *distances, int a, int b, double *value,
			  struct topomap_error *err);

/** row[size] = the distances of a rank to all. O(size x levels). */
int topomap_distances_row(const struct topomap_distances *distances, int rank, double *row,
			  struct topomap_error *err);

/** How many pairs of ranks there are at each distance: value[i], rising, and pairs[i], for i below
 *  the number returned, of which there are at most @p room. O(size x levels); O(size^2 log size)
 *  where they were measured. */
int topomap_distances_count(const struct topomap_distances *distances, double *value,
			    int64_t *pairs, int room, struct topomap_error *err);

/** What ranks at a distance have in common, "same package, different memory controllers", cut to
 *  @p size bytes; returns the whole length. Not where they were measured. */
int topomap_distances_meaning(const struct topomap_distances *distances, double value, char *text,
			      size_t size, struct topomap_error *err);

/* ---- broadcast trees and allgather rings ---- */

/** The distance-aware broadcast tree from a root: the minimum spanning tree under the distances.
 *  O(size x levels). */
struct topomap_tree *topomap_tree_new(const struct topomap_distances *distances, int root,
				      struct topomap_error *err);

/** The tree of a library: "binomial_near", "knomial,radix=8" (topomap_word("tree", i)). */
struct topomap_tree *topomap_tree_new_shape(const struct topomap_distances *distances,
					    const char *shape, int root, struct topomap_error *err);
void topomap_tree_free(struct topomap_tree *tree);

/** [size]: the parent of each rank, TOPOMAP_NONE for the root. */
const int *topomap_tree_parents(const struct topomap_tree *tree, struct topomap_error *err);

/** Number of children of a rank; *child = them, rising. */
int topomap_tree_children(const struct topomap_tree *tree, int rank, const int **child,
			  struct topomap_error *err);

/** Sum of the distances, edges on the longest path, largest number of children; each may be
 *  NULL. O(size log size). */
int topomap_tree_measure(const struct topomap_tree *tree, double *weight, int *depth, int *fanout,
			 struct topomap_error *err);

/** Write it as "json" (the tree document), "dot" or "text"; the last two not where distances were
 *  measured. */
int topomap_tree_write(const struct topomap_tree *tree, const char *format, FILE *out,
		       struct topomap_error *err);

/** The distance-aware allgather ring; for distances that were measured see
 *  topomap_distances_new_measured(). */
struct topomap_ring *topomap_ring_new(const struct topomap_distances *distances,
				      struct topomap_error *err);

/** That of a library: "ring", ... (topomap_word("ring", i)). */
struct topomap_ring *topomap_ring_new_shape(const struct topomap_distances *distances,
					    const char *shape, struct topomap_error *err);
void topomap_ring_free(struct topomap_ring *ring);

/** [size]: the ranks round the ring, from 0. */
const int *topomap_ring_order(const struct topomap_ring *ring, struct topomap_error *err);

/** *weight = the sum of the distances round it. */
int topomap_ring_measure(const struct topomap_ring *ring, double *weight,
			 struct topomap_error *err);
int topomap_ring_write(const struct topomap_ring *ring, const char *format, FILE *out,
		       struct topomap_error *err);

/* ---- communicators: hierarchies and lanes ---- */

/** The communicators that repeated hardware splits give, and their conduits: at @p levels
 *  ("node,numa"; NULL: all that separate ranks), the root a conduit wherever it is, the others
 *  elected as @p elect says (topomap_word("election", i); NULL: the first rank). Communicator 0 is
 *  the whole job. O(size x levels). */
struct topomap_hierarchy *topomap_hierarchy_new(const struct topomap_placement *placement,
						const char *levels, int root, const char *elect,
						struct topomap_error *err);
void topomap_hierarchy_free(struct topomap_hierarchy *hierarchy);

/** Number of levels, outermost first, and their names. */
int topomap_hierarchy_level_count(const struct topomap_hierarchy *hierarchy,
				  struct topomap_error *err);
const char *topomap_hierarchy_level_name(const struct topomap_hierarchy *hierarchy, int level,
					 struct topomap_error *err);

/** Number of communicators, the whole job included. */
int topomap_hierarchy_count(const struct topomap_hierarchy *hierarchy, struct topomap_error *err);

/** *comm = the communicator of a rank at a level, TOPOMAP_NONE where it has none. */
int topomap_hierarchy_find(const struct topomap_hierarchy *hierarchy, int level, int rank,
			   int *comm, struct topomap_error *err);

/** Number of ranks of a communicator; *rank = them, rising; *conduit = the one that represents
 *  it in the communicator above. Either may be NULL. */
int topomap_hierarchy_members(const struct topomap_hierarchy *hierarchy, int comm, const int **rank,
			      int *conduit, struct topomap_error *err);

/** Write it as "json" (the hierarchy document), "text", "csv", "dot", or "c", the source that makes
 *  these communicators. */
int topomap_hierarchy_write(const struct topomap_hierarchy *hierarchy, const char *format,
			    FILE *out, struct topomap_error *err);

/** Node communicators and, across them, lanes; @p count virtual lanes, 0: as many as the fullest
 *  node has ranks. */
struct topomap_lanes *topomap_lanes_new(const struct topomap_placement *placement, int count,
					struct topomap_error *err);
void topomap_lanes_free(struct topomap_lanes *lanes);

/** Number of lanes; *nodes = the number of nodes that hold ranks, which is that of the longest lane
 *  (NULL: not wanted). */
int topomap_lanes_count(const struct topomap_lanes *lanes, int *nodes, struct topomap_error *err);

/** Number of ranks in a lane, which go to rank[], rising: there is @p room for so many. */
int topomap_lanes_members(const struct topomap_lanes *lanes, int lane, int *rank, int room,
			  struct topomap_error *err);

/** *reason = why published implementations do not find these lanes, a sentence; NULL: they do. */
int topomap_lanes_reason(const struct topomap_lanes *lanes, const char **reason,
			 struct topomap_error *err);

/** Write them as "json" (the lanes document), "text" or "dot". */
int topomap_lanes_write(const struct topomap_lanes *lanes, const char *format, FILE *out,
			struct topomap_error *err);

/* ---- costs, schedules and scores ---- */

/** What messages cost: a published profile (topomap_word("profile", i)) or the file of one. */
struct topomap_profile *topomap_profile_read(const char *name, struct topomap_error *err);
void topomap_profile_free(struct topomap_profile *profile);

/** A collective call of @p size ranks: "allgather" by "bruck,radix=4" (NULL: by none yet, for a
 *  score of all), @p bytes as the MPI call has them, 0 for a barrier, @p root 0 where it has
 *  none. */
struct topomap_call *topomap_call_new(const char *collective, const char *algorithm, int size,
				      int64_t bytes, int root, struct topomap_error *err);
void topomap_call_free(struct topomap_call *call);

/** The bytes of an element, such as 8 of a vector of double, which divide those of the call:
 *  vectors are then cut as MPI libraries cut them, and the rules of the libraries count elements of
 *  that size. 0, as at first: not said; vectors are cut by bytes, and the rules count elements of 8
 *  bytes in what is reduced, else of 1. */
int topomap_call_set_element(struct topomap_call *call, int64_t bytes, struct topomap_error *err);

/** For algorithms that follow the distances of the ranks, of which there must be as many. */
int topomap_call_set_distances(struct topomap_call *call, const struct topomap_distances *distances,
			       struct topomap_error *err);

/** For neighborhood collectives: the neighbors of a rank, "cart", "moore:1" or
 *  "offsets:1,0;-1,0", in a grid "8x8", periodic as "1,0" says. NULL where not given. */
int topomap_call_set_neighbors(struct topomap_call *call, const char *stencil, const char *cart,
			       const char *periods, struct topomap_error *err);

/** Units of data first, first + stride, ..., count of them: the blocks of an allgather, ... */
struct topomap_run {
	int64_t first, count, stride;
};

/** In a round every rank sends from what it held when the round began. */
struct topomap_message {
	int64_t round; /**< from 0 */
	int from, to;
	int64_t bytes;
	int combine;   /**< not 0: the receiver reduces it into its own; else it stores it */
	int buffer;    /**< of scans: 0 the vector, else what topomap-json(5) says of "on" */
	int run_count; /**< the units that it carries; 0: a word, or what the receiver has
			    already */
	const struct topomap_run *run; /**< borrowed for the call */
};

/** Number of units that the data of the call are: of an allgather the blocks of the ranks, of a
 *  broadcast or a reduction the pieces that the vector is cut into (of a reduction whose root
 *  gathers, the vectors of the ranks), of an alltoall unit s * size + d is what rank s has for rank
 *  d. -1 with *err set, also where the algorithm cannot run. */
int64_t topomap_call_unit_count(const struct topomap_call *call, struct topomap_error *err);

/** The bytes of a unit: from *first on, *bytes of them, in the vector that is cut, or in all blocks
 *  in the order of their numbers. */
int topomap_call_unit(const struct topomap_call *call, int64_t unit, int64_t *first, int64_t *bytes,
		      struct topomap_error *err);

/** Emit the messages of the call to @p visit, rounds ascending, and nothing is kept. Where
 *  @p visit returns a number above 0 that is the end, and what is returned; else 0, or -1 with *err
 *  set. A number below 0 is refused. */
int topomap_call_visit(const struct topomap_call *call,
		       int (*visit)(void *context, const struct topomap_message *message),
		       void *context, struct topomap_error *err);

/** Only those that @p rank sends or receives; most algorithms take no longer for it than that
 *  rank's own messages. */
int topomap_call_visit_rank(const struct topomap_call *call, int rank,
			    int (*visit)(void *context, const struct topomap_message *message),
			    void *context, struct topomap_error *err);

/** The algorithms of a call's collective on a placement, fastest first by @p profile (NULL: the
 *  published one for the adapters of its nodes): all of them, or that of the call where it has
 *  one. */
struct topomap_score *topomap_score_new(const struct topomap_placement *placement,
					const struct topomap_call *call,
					const struct topomap_profile *profile,
					struct topomap_error *err);
void topomap_score_free(struct topomap_score *score);

/** Number of algorithms. */
int topomap_score_count(const struct topomap_score *score, struct topomap_error *err);

/** Algorithm @p index, from 0, with its predicted time; *reason = NULL, or why it cannot run
 *  here: those come last, and *seconds is not set. Either may be NULL. */
const char *topomap_score_algorithm(const struct topomap_score *score, int index, double *seconds,
				    const char **reason, struct topomap_error *err);

/** What a library ("openmpi4", ...) takes by itself, with its predicted time. NULL with *err set
 *  where it is not known. */
const char *topomap_score_default(const struct topomap_score *score, const char *library,
				  double *seconds, struct topomap_error *err);

/** Write it as "json" (the score document), "text" or "csv". */
int topomap_score_write(const struct topomap_score *score, const char *format, FILE *out,
			struct topomap_error *err);

/* ---- traffic and mappings ---- */

/** Who communicates how much with whom, among @p size ranks: nothing yet. */
struct topomap_traffic *topomap_traffic_new(int size, struct topomap_error *err);
void topomap_traffic_free(struct topomap_traffic *traffic);

/** @p bytes more from a rank to another; what a rank sends to itself does not count. */
int topomap_traffic_add(struct topomap_traffic *traffic, int from, int to, double bytes,
			struct topomap_error *err);

/** A collective call, made @p times times; the call may be released. */
int topomap_traffic_add_call(struct topomap_traffic *traffic, const struct topomap_call *call,
			     double times, struct topomap_error *err);

/** What a file has of it: a matrix, a list, METIS, Scotch, pml_monitoring, ...; @p format NULL: it
 *  is recognised. Nothing is added of a file that is wrong somewhere. */
int topomap_traffic_read(struct topomap_traffic *traffic, const char *path, const char *format,
			 struct topomap_error *err);

/** How to search for a mapping. */
struct topomap_search {
	size_t struct_size;    /**< sizeof(struct topomap_search), as TOPOMAP_SEARCH_INIT has it */
	const char *mapper;    /**< NULL: the best of all; "walk" where there is no traffic */
	const char *objective; /**< NULL: the predicted time; the cost where there is no traffic */
	const char *slots;     /**< NULL: "given", the places that the ranks have */
	int64_t effort;        /**< steps; 0: as many as suit the traffic, seconds to minutes */
	uint64_t seed;
};

#define TOPOMAP_SEARCH_INIT \
	{ \
		sizeof(struct topomap_search), NULL, NULL, NULL, 0, 1 \
	}

/** A better mapping of the ranks for their traffic, by @p profile. @p traffic NULL: each rank
 *  communicates with the next one; @p search may be NULL. @p profile NULL: the one for the placement;
 *  but a predicted time must then be better on all published machines, as nobody said which one it
 *  is. The same arguments give the same mapping. Where nothing is gained, or less than 3 %, every
 *  rank stays where it is. */
struct topomap_suggestion *topomap_suggestion_new(const struct topomap_placement *placement,
						  const struct topomap_traffic *traffic,
						  const struct topomap_profile *profile,
						  const struct topomap_search *search,
						  struct topomap_error *err);
void topomap_suggestion_free(struct topomap_suggestion *suggestion);

/** *gain = the part of the objective that is saved, at most 1; 0 where nothing is, below 0 where ranks
 *  could not stay in their places, or a mapping for all machines costs by the profile of this one. */
int topomap_suggestion_gain(const struct topomap_suggestion *suggestion, double *gain,
			    struct topomap_error *err);

/** [size]: rank r takes the place of rank place_of[r]; NULL with *err set where ranks go to places
 *  that no rank had. */
const int *topomap_suggestion_place_of(const struct topomap_suggestion *suggestion,
				       struct topomap_error *err);

/** A handle of the new placement. */
struct topomap_placement *topomap_suggestion_placement(const struct topomap_suggestion *suggestion,
						       struct topomap_error *err);

/** Write the file that makes a launcher map so (topomap_word("launcher", i); NULL: the one under
 *  which the placement was probed); launchers that need several files for this job are refused. */
int topomap_suggestion_write_launcher(const struct topomap_suggestion *suggestion,
				      const char *launcher, FILE *out, struct topomap_error *err);

/** The command line that uses it, where that file is called @p file; to be released with free(). */
char *topomap_suggestion_command(const struct topomap_suggestion *suggestion, const char *launcher,
				 const char *file, struct topomap_error *err);

/** What a user should know of that command line, as lines of text, "" if nothing: a release that
 *  refuses such a name, options that do the same without a file. To be released with free(). */
char *topomap_suggestion_note(const struct topomap_suggestion *suggestion, const char *launcher,
			      const char *file, struct topomap_error *err);

/** Write the suggestion document. */
int topomap_suggestion_write(const struct topomap_suggestion *suggestion, FILE *out,
			     struct topomap_error *err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
