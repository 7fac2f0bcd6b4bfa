/*
 * view.h - how trees and rings are shown: what the commands that show them share.
 */
#ifndef TM_CLI_VIEW_H
#define TM_CLI_VIEW_H

#include "core/base/keyword.h"
#include "formats/base/format.h"
#include "formats/base/view.h"

#include <stdio.h>

/** When equal things are said once: "auto", "always", "never". */
enum tm_folding { TM_FOLD_AUTO, TM_FOLD_ALWAYS, TM_FOLD_NEVER };

extern const struct tm_words tm_foldings;

#define TM_OPT_FOLD(args, member) \
	TM_OPT_CHOICE(args, member, 0, "fold", "WHEN", "auto", &tm_foldings, TM_WORDS_ALL, \
		      "say equal parts once: auto is for texts of more than 64 ranks and " \
		      "pictures of more than 256")

/** Set view->fold and view->utf8 for a document of @p format. Refuses a picture of more ranks
 *  than Graphviz can lay out (TM_INPUT) where @p folding is "never". */
int tm_view_choose(struct tm_view *view, enum tm_folding folding, int format,
		   struct tm_error *err);

/** The ways to write one thing; the graph is also what pictures are drawn from. */
typedef int tm_show_writer(FILE *out, const void *subject, struct tm_error *err);

struct tm_show {
	tm_show_writer *text, *json, *dot;
};

#define TM_SHOW_FORMATS (TM_FORMATS(TEXT) | TM_FORMATS(JSON) | TM_FORMATS(DOT) | \
			 TM_FORMATS(SVG) | TM_FORMATS(PNG))

/** Write @p subject as @p format to the file @p path, whole or not at all. */
int tm_show(const struct tm_show *show, int format, const char *path, const void *subject,
	    struct tm_error *err);

#endif
