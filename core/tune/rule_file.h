/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_file.h - Open MPI's rules for coll/tuned, as its file has them.
 *
 *     collective 0 (allgather)
 *        communicators of 8 ranks                  up to those of the next size; the first one's
 *           from 0 bytes on      algorithm 0       also for fewer ranks than it says
 *           from 65536           algorithm 4       bytes up to those of the next rule
 *
 * Algorithm 0 is what the library takes by itself. What bytes are is another thing for each collective
 * (rule_collectives.h).
 *
 * From 6.0 on there are also files with ranges, of which the first one that fits is taken, and where none
 * fits the library does what it does by itself:
 *
 *     collective 0 (allgather)
 *        communicators of 4 to 8 ranks, all on one node
 *           0 to 65535 bytes     algorithm 3
 *
 * The file of coll/han has the same lists, for levels of communicators, and components in the place of
 * algorithms (han_rules.h).
 */
#ifndef TMAP_CORE_TUNE_RULE_FILE_H
#define TMAP_CORE_TUNE_RULE_FILE_H

#include "core/base/error.h"
#include "core/machine/placement_digest.h"
#include "core/tune/rule_collectives.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How the ranks of a communicator lie. */
enum tmap_rule_spread {
	TMAP_SPREAD_ANY,
	TMAP_SPREAD_NODE,  /**< all on one node */
	TMAP_SPREAD_NODES, /**< each on a node of its own */
	TMAP_SPREADS
};

/** By the library's names. */
extern const struct tmap_keywords tmap_rule_spreads;

/** What rules tell communicators apart by. */
struct tmap_rule_comm {
	int64_t ranks;
	enum tmap_rule_spread spread;
};

/** Which rules are for a communicator or a size of messages. */
enum tmap_rule_lookup {
	TMAP_LOOKUP_NEAREST, /**< those of the largest number that is at most that */
	TMAP_LOOKUP_BELOW, /**< so for bytes; but communicators have those of the next larger number:
				  what 6.0 makes of a file without ranges */
	TMAP_LOOKUP_RANGES, /**< the first ones whose ranges it is in */
	TMAP_LOOKUP_HAN     /**< the last ones whose number is at most that: a file of coll/han */
};

/** What the library is to do from so many bytes on. */
struct tmap_rule {
	int64_t bytes;
	int64_t most; /**< of ranges: the last bytes; INT64_MAX: there is no end */
	bool is_void; /**< of ranges: the library passes over it, as it has no such algorithm */
	int64_t algorithm; /**< its number; 0: what it takes by itself. Of coll/han: row of
				tmap_han_components */
	int64_t fan; /**< children of a rank, where the algorithm asks for them; of coll/han its own
				algorithm, 0: its default */
	int64_t segment;  /**< bytes; 0: messages are whole */
	int64_t requests; /**< at once, in files of version 2; TMAP_NONE: it is not said */
	int line, end;    /**< of a file that was read: where its numbers begin and end */
	char *note;       /**< a comment, owned; NULL: none */
};

/** The rules of communicators of at least so many ranks. */
struct tmap_rule_size {
	enum tmap_rule_lookup lookup; /**< of the file */
	int64_t ranks;
	int64_t most_ranks;           /**< of ranges: at most so many; INT64_MAX: there is no end */
	enum tmap_rule_spread spread; /**< of ranges */
	int line, count_line; /**< where that number, and that of its rules, are in the file */
	char *note;
	int count;
	size_t capacity;
	struct tmap_rule *rule; /**< [count] */
};

struct tmap_rule_collective {
	enum tmap_rule_lookup lookup; /**< of the file */
	int64_t number;               /**< the library's */
	int line, count_line;
	int level, level_line; /**< of a file of coll/han, which has such a list for each: row of
				    tmap_han_levels */
	bool level_is_word;    /**< it is written as a name */
	char *note;
	int count;
	size_t capacity;
	struct tmap_rule_size *size; /**< [count] */
};

/** What rules were made for, as a comment has it: "made for openmpi4, placement 5c1e0a9b77d3f042". */
struct tmap_rule_origin {
	int library; /**< row of tmap_libraries */
	char digest[TMAP_PLACEMENT_DIGEST_ROOM];
	int line; /**< of that comment; 0: there is none */
};

/** What the library reads otherwise than it was meant, or not at all. */
struct tmap_rule_oddity {
	enum tmap_rule_oddity_kind {
		TMAP_ODD_MEMBER,   /**< a member that it does not know */
		TMAP_ODD_SPREAD,   /**< a word that is none of its spreads: it takes any */
		TMAP_ODD_ENDLESS,  /**< a number of ranks without an end, which it takes for -1 */
		TMAP_ODD_NAMELESS, /**< a rule without an algorithm, which is its own choice */
		TMAP_ODD_ALGORITHM, /**< the name of none of its algorithms: it passes over the rule */
	} kind;
	int line;
	char *word; /**< owned */
};

struct tmap_rule_file {
	enum tmap_rule_lookup lookup;
	int64_t version;  /**< 1; or 2, which has requests; or 3, which has ranges */
	int version_line; /**< of the line that says so; 0: there is none */
	int count_line;   /**< where the number of collectives is */
	int rest_line;    /**< where a number is behind the last rule; 0: there is none */
	char *heading;    /**< comments before all, lines ended by LF, owned; NULL: none */
	struct tmap_rule_origin origin; /**< of a file that was read */
	int count;
	size_t capacity;
	struct tmap_rule_collective *collective; /**< [count] */
	int oddity_count;
	size_t oddity_capacity;
	struct tmap_rule_oddity *oddity; /**< [oddity_count], lines rising */
	int last[TMAP_RULE_COLLECTIVES]; /**< the last ones of each number: index + 1; 0: none */
};

/** One more, zeroed but for its number, which is a row of the collectives; borrowed until the next
 *  one; NULL with *err set. Of coll/han: tmap_han_rules_add(). */
struct tmap_rule_collective *tmap_rule_file_add(struct tmap_rule_file *file, int64_t number,
						struct tmap_error *err);
struct tmap_rule_size *tmap_rule_collective_add(struct tmap_rule_collective *collective,
						int64_t ranks, struct tmap_error *err);
int tmap_rule_size_add(struct tmap_rule_size *size, const struct tmap_rule *rule,
		       struct tmap_error *err);
/** One more, of a word that is copied. */
int tmap_rule_file_add_oddity(struct tmap_rule_file *file, enum tmap_rule_oddity_kind kind,
			      int line, const char *word, struct tmap_error *err);

/** Look up otherwise, in all that is there and in what is added. */
void tmap_rule_file_set_lookup(struct tmap_rule_file *file, enum tmap_rule_lookup lookup);
void tmap_rule_file_fini(struct tmap_rule_file *file);

/** The rules that the library has for a collective: the last ones, where a file has them twice;
 *  NULL: it has none. */
const struct tmap_rule_collective *tmap_rule_file_find(const struct tmap_rule_file *file,
						       int64_t number);

/** Those for such communicators: sizes are looked through up to the first one that is
 *  larger, and the first one is for all that are smaller; or the first ranges that fit. NULL: there are
 *  none. */
const struct tmap_rule_size *
tmap_rule_collective_find(const struct tmap_rule_collective *collective,
			  const struct tmap_rule_comm *comm);

/** The one for so many bytes, found alike; NULL: there is none. */
const struct tmap_rule *tmap_rule_size_find(const struct tmap_rule_size *size, int64_t bytes);

/** All three. NULL, or algorithm 0: the library does what it does by itself. */
const struct tmap_rule *tmap_rule_find(const struct tmap_rule_file *file, int64_t number,
				       const struct tmap_rule_comm *comm, int64_t bytes);

/** Does it say the same, comments and lines apart? */
bool tmap_rule_file_is_equal(const struct tmap_rule_file *a, const struct tmap_rule_file *b);

#endif
