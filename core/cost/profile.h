/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - what a message costs on a kind of machine: the one description that every clock
 * reads, published or calibrated.
 *
 *     seconds = latency_s + bytes x byte_s
 *
 * of the row for the largest distance that is not above the message's, and there of the
 * first size that it is below (libraries send short, eager and rendezvous messages in
 * different ways). Distances beyond the last row cost as that one does. 7 is another node under
 * the same leaf switch, 8 one whose innermost common switch is one level farther from the nodes,
 * and so on: so rows may differ by the innermost common switch.
 *
 * What ranks share is a link: the adapters of a node, a memory controller, what leaves a package
 * or a switch. An object of a link is busy with what crosses it
 *
 *     seconds = the larger of bytes x byte_s and messages x message_s
 *
 * in one direction; where both directions share it, with the sum of the two. 0 in either is
 * nothing known, and nothing is charged. Of several links of one level, the first that fits a node
 * holds there.
 *
 * What each member does:
 *
 *     row[].latency_s, .byte_s    a message by itself
 *     row[].overhead_s            a rank's own time for each message that it sends or receives;
 *                                 the latency has that of both ranks in it
 *     row[].copier                whose time bytes take: both ranks' (through shared memory, or
 *                                 unknown), the receiver's or the sender's alone
 *     row[].protocol              a rendezvous begins when the later of the two ranks is ready,
 *                                 eager messages leave at once
 *     link, adapter, memory       objects that are shared (core/cost/cost_model.h makes them)
 *     copy_byte_s                 what a rank moves within its own memory
 *     reduce_byte_s               what a rank combines
 *     shared_core_s               what a message waits for each other rank on its receiver's core
 *     datatype_byte_s, row[].residual, .r2, .latency_low_s .. .byte_high_s, point, calibration,
 *     source, date                carried, printed and written; no prediction uses them yet, but
 *                                 by calibration.rho and .choices a profile is called poor
 *
 * datatype_byte_s is what a rank packs or unpacks by a derived datatype, besides.
 */
#ifndef TMAP_CORE_COST_PROFILE_H
#define TMAP_CORE_COST_PROFILE_H

#include "core/base/keyword.h"
#include "core/machine/topology.h"

#include <stdbool.h>
#include <stdint.h>

/** Pieces of one distance in a document: short, eager, rendezvous. */
#define TMAP_PROFILE_PIECES_MAX 3

/** Points of one distance in a document, and sentences of a calibration. */
#define TMAP_PROFILE_POINTS_MAX 1024
#define TMAP_PROFILE_NOTES_MAX 64

/** The distance of two nodes under one leaf switch; one more a level (core/distance/distance.h). */
#define TMAP_PROFILE_OTHER_NODE 7

/** The level of a link that all messages between nodes cross, both ways together: a bridge, the
 *  backbone of a small network. */
#define TMAP_PROFILE_NETWORK "network"

/** How the bytes of a message come from one rank's memory into the other's. */
enum tmap_copier {
	TMAP_COPIER_UNKNOWN,  /**< within a node as through shared memory, else the adapter */
	TMAP_COPIER_RECEIVER, /**< it pulls: KNEM, CMA, XPMEM */
	TMAP_COPIER_SENDER,   /**< it pushes */
	TMAP_COPIER_SHARED,   /**< both, in and out of shared memory */
	TMAP_COPIER_ADAPTER   /**< RDMA: neither rank's own time */
};

enum tmap_protocol { TMAP_PROTOCOL_UNKNOWN, TMAP_PROTOCOL_EAGER, TMAP_PROTOCOL_RENDEZVOUS };

/** Their words in documents, in the order of the enums. */
extern const struct tmap_keywords tmap_copiers, tmap_protocols;

struct tmap_profile_row {
	int distance;        /**< from this process distance on */
	int64_t below_bytes; /**< messages of fewer bytes; INT64_MAX: of any size */
	double latency_s;
	double byte_s;
	double overhead_s;
	enum tmap_copier copier;
	enum tmap_protocol protocol;
	double residual; /**< root mean square of the fit, relative; 0: unknown */
	double r2;       /**< of the fit; 0: unknown */
	/** Confidence intervals of 95 % of the fit; 0 and 0: unknown. */
	double latency_low_s, latency_high_s, byte_low_s, byte_high_s;
};

/** What one message took, by itself. */
struct tmap_profile_point {
	int distance;
	int64_t bytes;
	double seconds;
	bool is_outlier; /**< the fit does not follow it */
};

/** What lies around each object of a level, on the nodes that it fits. */
struct tmap_profile_link {
	const char *level;  /**< "package", "switch1", "network"; NULL of adapters and memory */
	const char *nodes;  /**< fits these hosts (core/base/hostlist.h); NULL: all */
	const char *device; /**< fits nodes with an adapter whose name begins so; NULL: all */
	int cores;          /**< fits nodes of so many cores; 0: all */
	double byte_s;
	double message_s;
	double oversubscription; /**< of a switch: what the adapters below it can send is so many
				      times what leaves it; 0: byte_s holds */
	bool both_ways;          /**< the two directions share it */
	bool is_each;            /**< of adapters: the numbers are one adapter's, not the node's */
};

/** What a calibration says of itself. */
struct tmap_calibration {
	const char *placement; /**< digest of the placement that was measured on */
	const char *mpi;       /**< the library */
	bool has_rho; /**< of some collective three algorithms were compared that do not all take as long */
	double rho;          /**< Spearman's, of predicted and measured collectives; 0 without */
	double regret;       /**< measured time of what was predicted best over the best measured */
	int collectives;     /**< so many were compared */
	int choices;         /**< so many times the best of several algorithms was asked for, */
	int choices_near;    /**< and so often the first choice was within 5 % of it, */
	int choices_tied;    /**< or, so often, not to be told from it by what was measured */
	double worst_regret; /**< the largest regret of these; 0: unknown */
	double largest_ratio; /**< of predicted over measured, or its inverse; 0: unknown */
	double variation; /**< factor by which messages and a rank's own memory differed from one
			     time to another; 0: unknown */
	bool knows_quiet; /**< it says whether the machine was quiet, */
	bool is_quiet;    /**< and it was */
	int sharing_ranks; /**< ranks that had to share a core (tmap_overlap_count()); 0: none, or unknown */
	double seconds; /**< how long it took; 0: unknown */
	int note_count;
	const char *const *note; /**< what was odd, a sentence each without its full stop */
};

/** Why a profile is used. */
enum tmap_profile_reason {
	TMAP_PROFILE_ASKED_FOR,
	TMAP_PROFILE_BY_VARIABLE, /**< the environment names it (TMAP_PROFILE_VARIABLE) */
	TMAP_PROFILE_BY_ADAPTER,  /**< it is of a network that the nodes have adapters of */
	TMAP_PROFILE_BY_DEFAULT,  /**< nothing is known of the network */
	TMAP_PROFILE_ONE_NODE     /**< the same, and there is none between the ranks */
};

/** The variable of the environment that names a profile where no option does. */
#define TMAP_PROFILE_VARIABLE "TOPOMAP_PROFILE"

struct tmap_profile {
	struct tmap_keyword word;
	const char *source; /**< where the numbers come from, as a sentence */
	const char *date;   /**< when that was published or measured; NULL: unknown */
	int row_count;
	const struct tmap_profile_row *row; /**< rising by distance, then by size */
	int point_count;
	const struct tmap_profile_point *point; /**< by distance, then by size: measured alone */
	double memory_byte_s;     /**< of a controller, where no entry of memory[] fits */
	double adapter_byte_s;    /**< of a node, where no entry of adapter[] fits */
	double adapter_message_s; /**< the same for messages */
	double adapter_spread;    /**< so many adapters of each node are used; 0: all of them, and
				       those numbers that are a node's hold as they are */
	double copy_byte_s;
	double reduce_byte_s;
	double datatype_byte_s;
	double shared_core_s;
	int link_count, adapter_count, memory_count;
	const struct tmap_profile_link *link, *adapter, *memory;
	const struct tmap_calibration *calibration; /**< NULL: there was none */
	bool is_published;                          /**< a row of tmap_profiles */
	const char *const *devices; /**< how adapters are called whose network it is of, NULL at the
				       end; NULL: it is chosen by name only */
	enum tmap_link_layer layer; /**< they have no other, where theirs is known */
	int64_t most_bits_per_s;    /**< and are not faster; 0: as fast as may be */
	enum tmap_profile_reason reason; /**< why this one (core/cost/profile_choice.h) */
	const char *reason_device; /**< an adapter that it was chosen by, or that none is of; NULL */
	int reason_nodes, reason_of; /**< so many of so many nodes have such; 0: all */
	int job_least, job_most;     /**< distances of the job that it is asked for; 0: not known */
	bool knows_placement;        /**< it is known whether the calibration is of the job's */
	bool is_same_placement;      /**< placement, and it is (core/cost/profile_trust.h) */
};

/** Published profiles by name; the rows are struct tmap_profile, the first one is the default. */
extern const struct tmap_keywords tmap_profiles;

/** Profile @p index of that table. */
const struct tmap_profile *tmap_profile_at(int index);

/** The row for a message; a checked profile always has one. O(rows). */
const struct tmap_profile_row *tmap_profile_find(const struct tmap_profile *profile,
						 double distance, int64_t bytes);

/** How many points are of exactly @p distance, and the first of them in *first. O(points). */
int tmap_profile_count_points(const struct tmap_profile *profile, int distance, int *first);

/** What a number of a profile may be, so that times are finite and none is lost next to another: 0,
 *  or from least to most. */
struct tmap_profile_limit {
	double least, most;
	const char *rule; /**< "is not in 1e-15 to 1000 seconds" */
};

/** Of latencies, overheads, and seconds a message; of seconds a byte, which are 1 to 1e18 bytes a
 *  second; of oversubscriptions. */
extern const struct tmap_profile_limit tmap_profile_seconds, tmap_profile_byte_seconds,
	tmap_profile_oversubscription;

bool tmap_profile_is_within(const struct tmap_profile_limit *limit, double value);

/** A cost that was measured; what is less than a cost may be is none. */
static inline double tmap_profile_cost(const struct tmap_profile_limit *limit, double cost)
{
	return cost < limit->least ? 0 : cost;
}

/** Refuses rows that are out of order or leave sizes out, and numbers beyond their limits, naming
 *  the row or the link. */
int tmap_profile_check(const struct tmap_profile *profile, struct tmap_error *err);

#endif
