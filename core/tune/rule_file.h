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
 */
#ifndef TMAP_CORE_TUNE_RULE_FILE_H
#define TMAP_CORE_TUNE_RULE_FILE_H

#include "core/base/error.h"
#include "core/machine/placement_digest.h"
#include "core/tune/rule_collectives.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the library is to do from so many bytes on. */
struct tmap_rule {
	int64_t bytes;
	int64_t algorithm; /**< its number; 0: what it takes by itself */
	int64_t fan;       /**< children of a rank, where the algorithm asks for them */
	int64_t segment;   /**< bytes; 0: messages are whole */
	int64_t requests;  /**< at once, in files of version 2; TMAP_NONE: it is not said */
	int line, end;     /**< of a file that was read: where its numbers begin and end */
	char *note;        /**< a comment, owned; NULL: none */
};

/** The rules of communicators of at least so many ranks. */
struct tmap_rule_size {
	int64_t ranks;
	int line, count_line; /**< where that number, and that of its rules, are in the file */
	char *note;
	int count;
	size_t capacity;
	struct tmap_rule *rule; /**< [count] */
};

struct tmap_rule_collective {
	int64_t number; /**< the library's */
	int line, count_line;
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

struct tmap_rule_file {
	int64_t version;  /**< 1; or 2, which has requests */
	int version_line; /**< of the line that says so; 0: there is none */
	int count_line;   /**< where the number of collectives is */
	int rest_line;    /**< where a number is behind the last rule; 0: there is none */
	char *heading;    /**< comments before all, lines ended by LF, owned; NULL: none */
	struct tmap_rule_origin origin; /**< of a file that was read */
	int count;
	size_t capacity;
	struct tmap_rule_collective *collective; /**< [count] */
	int last[TMAP_RULE_COLLECTIVES]; /**< the last ones of each number: index + 1; 0: none */
};

/** One more, zeroed but for its number, which is a row of the collectives; borrowed until the next
 *  one; NULL with *err set. */
struct tmap_rule_collective *tmap_rule_file_add(struct tmap_rule_file *file, int64_t number,
						struct tmap_error *err);
struct tmap_rule_size *tmap_rule_collective_add(struct tmap_rule_collective *collective,
						int64_t ranks, struct tmap_error *err);
int tmap_rule_size_add(struct tmap_rule_size *size, const struct tmap_rule *rule,
		       struct tmap_error *err);
void tmap_rule_file_fini(struct tmap_rule_file *file);

/** The rules that the library has for a collective: the last ones, where a file has them twice;
 *  NULL: it has none. */
const struct tmap_rule_collective *tmap_rule_file_find(const struct tmap_rule_file *file,
						       int64_t number);

/** Those for communicators of so many ranks: sizes are looked through up to the first one that is
 *  larger, and the first one is for all that are smaller. NULL: there are none. */
const struct tmap_rule_size *
tmap_rule_collective_find(const struct tmap_rule_collective *collective, int64_t ranks);

/** The one for so many bytes, found alike; NULL: there is none. */
const struct tmap_rule *tmap_rule_size_find(const struct tmap_rule_size *size, int64_t bytes);

/** All three. NULL, or algorithm 0: the library does what it does by itself. */
const struct tmap_rule *tmap_rule_find(const struct tmap_rule_file *file, int64_t number,
				       int64_t ranks, int64_t bytes);

/** Does it say the same, comments and lines apart? */
bool tmap_rule_file_is_equal(const struct tmap_rule_file *a, const struct tmap_rule_file *b);

#endif
