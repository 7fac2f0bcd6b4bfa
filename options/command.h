/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.h - a command is one constant: its words, its option table, its function.
 *
 * From the table come the parser, `topomap NAME --help`, the shells' completions and the options
 * in topomap-NAME(1), whose other parts are in man/topomap-NAME.1.in; the tests execute its
 * examples. topomap-probe, a program of its own, is
 * described the same way. The whole of a command:
 *
 *     #include "options/command.h"
 *     ...
 *
 *     struct tree_args {
 *             const char *input, *output;
 *             int format;
 *             int root;
 *     };
 *
 *     static const struct tmap_opt operands[] = {
 *             { TMAP_OPERAND_PLACEMENT(struct tree_args, input) },
 *             TMAP_OPT_END
 *     };
 *
 *     static const struct tmap_opt options[] = {
 *             { TMAP_OPT_INT(struct tree_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
 *                          "rank that the tree starts from") },
 *             { TMAP_OPT_FORMAT(struct tree_args, format, "text",
 *                             TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON)) },
 *             { TMAP_OPT_OUTPUT(struct tree_args, output) },
 *             TMAP_OPT_END
 *     };
 *
 *     static const struct tmap_example examples[] = {
 *             { "the tree of a job from rank 5", "topomap tree --root 5 job.json", NULL },
 *             { NULL, NULL, NULL }
 *     };
 *
 *     static int run(const void *data, struct tmap_error *err)
 *     {
 *             const struct tree_args *args = data;
 *             struct tmap_placement placement = { 0 };
 *             struct tmap_output out = { 0 };
 *             int status = -1;
 *
 *             if (tmap_placement_read(&placement, args->input, err) < 0 || ...)
 *                     goto out;
 *             if (tmap_output_init(&out, args->output, err) == 0)
 *                     status = writers[args->format](&tree, out.file, err);
 *     out:
 *             status = tmap_output_end(&out, status, err);
 *             ...
 *             return status;
 *     }
 *
 *     const struct tmap_command tmap_cmd_tree = {
 *             .name = "tree",
 *             .summary = "show the distance-aware broadcast tree of a placement",
 *             .description = "What users must know before they read the options.",
 *             .operands = operands,
 *             .options = options,
 *             .args_size = sizeof(struct tree_args),
 *             .examples = examples,
 *             .run = run,
 *     };
 *
 * run() prints nothing on standard error: it returns -1 with a sentence in *err, which
 * main() prints after "topomap NAME: "; its kind is the exit status.
 */
#ifndef TMAP_OPTIONS_COMMAND_H
#define TMAP_OPTIONS_COMMAND_H

#include "core/base/string.h"
#include "options/opt.h"

/** One example: help and manual show it, tests execute it. */
struct tmap_example {
	const char *what;    /**< one lower-case line without full stop; NULL ends the table */
	const char *line;    /**< for sh; begins with "topomap", or ends in a pipe to it */
	const char *not_run; /**< why tests cannot execute it; NULL if they do. They run in a
	                              directory with job.json, a placement of 32 ranks on 4 nodes
	                              of 2 packages x 4 cores, node.xml, one such node,
	                              traffic.csv, what these ranks send each other, and
	                              osu.txt and stream.txt, which other programs printed. */
};

/** A list of what a table has, for `topomap help NAME` and for the manual page. */
struct tmap_topic {
	struct tmap_keyword word; /**< what the user types, and what the list is of */
	const char *text;         /**< a paragraph before it */
	/** Row @p index: add its text to *text, sentences with full stops, and return its name; NULL
	 *  past the end. Memory that is refused shows in *text. */
	const char *(*row)(size_t index, struct tmap_str *text);
};

struct tmap_command {
	const char *name;
	const char *invocation;  /**< what the user types; NULL: "topomap NAME" */
	const char *summary;     /**< what the user gets: begins with a verb; no full stop */
	const char *description; /**< one paragraph, which makes at most nine lines of help; the
	                              rest is in man/topomap-NAME.1.in */
	const struct tmap_opt *operands; /**< ends with TMAP_OPT_END; NULL if there are none */
	const struct tmap_opt *options;  /**< the same; --help and --version come by themselves */
	size_t args_size;                /**< of the struct that the rows fill and run() gets */
	const struct tmap_example *examples;
	/** NULL, or lists up to one without a name; the page has a line @TOPIC NAME@ for each. */
	const struct tmap_topic *topics;

	/** Do it. 0, or -1 with *err set. NULL where main() does more than this. */
	int (*run)(const void *args, struct tmap_error *err);
};

#endif
