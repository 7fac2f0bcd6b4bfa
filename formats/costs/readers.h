/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - what the readers of costs have in common, and their prototypes.
 *
 * A reader fills a zeroed struct tmap_costs; what it leaves at 0 its text does not say.
 */
#ifndef TMAP_FORMATS_COSTS_READERS_H
#define TMAP_FORMATS_COSTS_READERS_H

#include "core/base/spec.h"
#include "core/measure/piecewise.h"
#include "formats/base/lines.h"

/** Where a time stands: the how manieth table of the text, from 1, and the line. */
struct tmap_cost_origin {
	int table, line;
};

/** Times of messages between ranks of one distance. */
struct tmap_cost_table {
	int distance;
	int count;
	size_t capacity;
	struct tmap_fit_point *point; /**< in any order */
	struct tmap_cost_origin *origin;
	size_t origin_capacity;
	int tables;      /**< of the text that they are from */
	int piece_count; /**< lines that are known, instead of points */
	struct tmap_piece piece[TMAP_PIECES_MAX];
	double overhead_s;
	int64_t eager; /**< the first size that is not sent eagerly; 0: not known */
};

enum { TMAP_COST_TABLES_MAX = 2, TMAP_COST_POINTS_MAX = 65536 };

struct tmap_costs {
	int table_count;
	struct tmap_cost_table table[TMAP_COST_TABLES_MAX];
	double memory_byte_s;                     /**< of a memory controller */
	double adapter_byte_s, adapter_message_s; /**< of a node's adapters together */
	int bandwidth_tables;                     /**< that were read besides those of times */
};

typedef int tmap_costs_reader(struct tmap_costs *costs, const struct tmap_spec *form,
			      const char *text, struct tmap_error *err);

tmap_costs_reader tmap_costs_osu, tmap_costs_imb, tmap_costs_netgauge, tmap_costs_simgrid,
	tmap_costs_mlc, tmap_costs_stream;

/** One more point, of the table that table->tables counts last. Refuses too many, and times of none. */
int tmap_cost_table_add(struct tmap_cost_table *table, int64_t bytes, double seconds, int line,
			struct tmap_error *err);

/** Refuses (TMAP_INPUT, at a line) tables that are plainly not of one distance: one whose times are more than
 *  twice the least of others at a quarter or more of the sizes that it shares with them. Fewer are noise.
 *  O(points log points). */
int tmap_cost_tables_check(const struct tmap_cost_table *table, const char *form,
			   struct tmap_error *err);

/** *number = the next word of the line, which moves behind it; false where there is none, or it is
 *  no number that is finite and not negative. */
bool tmap_costs_number(struct tmap_line *line, double *number);

/** The same of a whole number up to 2^53. */
bool tmap_costs_whole(struct tmap_line *line, int64_t *number);

/** Does the line have @p part in it, in whatever case? O(length). */
bool tmap_costs_has(const struct tmap_line *line, const char *part);

#endif
