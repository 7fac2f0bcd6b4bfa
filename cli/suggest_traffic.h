/*
 * suggest_traffic.h - what the ranks of a job say to each other: what the command line says of it.
 */
#ifndef TM_CLI_SUGGEST_TRAFFIC_H
#define TM_CLI_SUGGEST_TRAFFIC_H

#include "core/map/objective.h"
#include "core/base/string.h"
#include "formats/traffic/traffic.h"
#include "options/opt.h"

/** What the options say; a member of a command's args. */
struct tm_suggest_traffic_args {
	struct tm_opt_list calls, matrices;
	const char *cart, *stencil, *periods;
	int64_t bytes;
	int matrix_format;
};

#define TM_OPT_SUGGEST_TRAFFIC(args, traffic) \
	{ TM_OPT_LIST(args, traffic.calls, 0, "for", "COLLECTIVE:ALGORITHM:BYTES[@WEIGHT]", \
		      "a collective that the program calls, such as \"allgather:bruck:64KiB\"; for " \
		      "ALGORITHM also openmpi4, openmpi5, mpich or ucc: what that library takes; " \
		      "WEIGHT is how often") }, \
	{ TM_OPT_STRING(args, traffic.cart, 0, "cart", "DIMS", NULL, \
			"the program is a grid of ranks, the last coordinate counting fastest: " \
			"\"8x8x8\"; a 0 is chosen, as close to the others as it goes") }, \
	{ TM_OPT_STRING(args, traffic.stencil, 0, "stencil", "STENCIL", NULL, \
			"who are neighbours in it: cart, vonneumann:R, moore:R, full, or those " \
			"listed, with a weight behind @: \"offsets:1,0,0@2;-1,0,0@2\"; cart by " \
			"default") }, \
	{ TM_OPT_STRING(args, traffic.periods, 0, "periods", "LIST", NULL, \
			"which dimensions of the grid are periodic: \"1,0,1\"; none by default") }, \
	{ TM_OPT_SIZE(args, traffic.bytes, 'b', "bytes", "BYTES", NULL, \
		      "what a rank of the grid sends each of its neighbours; 64KiB by default") }, \
	{ .name = "matrix", .metavar = "FILE", \
	  .help = "measured traffic: who sends how much to whom; a folder stands for the .prof " \
		  "files in it; several add up", \
	  .type = &tm_opt_files, \
	  .offset = TM_MEMBER(args, traffic.matrices, struct tm_opt_list) }, \
	{ TM_OPT_CHOICE(args, traffic.matrix_format, 0, "matrix-format", "FORMAT", NULL, \
			&tm_traffic_formats, TM_WORDS_ALL, \
			"how these files are written; recognised by default") }

struct tm_suggest_traffic {
	bool is_known;       /**< the command line says something */
	struct tm_traffic traffic; /**< what it says; borrows from the rest */
	struct tm_pattern pattern;
	struct tm_call *call;
	double *weight;
	struct tm_neighborhood grid;
	struct tm_metric metric;
};

/** The traffic among the ranks of @p launched, which must outlive it; it must stay where it is.
 *  TM_USAGE for options that do not go together. Release in any case. */
int tm_suggest_traffic_init(struct tm_suggest_traffic *it,
			    const struct tm_suggest_traffic_args *args,
			    const struct tm_placement *launched, struct tm_error *err);
void tm_suggest_traffic_fini(struct tm_suggest_traffic *it);

/** Append the options that were given, as they were: "--for allgather:ring:64KiB ". */
void tm_suggest_traffic_say(struct tm_str *text, const struct tm_suggest_traffic_args *args);

#endif
