/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writers.h - how trees and rings are shown: what the commands that show them share.
 */
#ifndef TMAP_CLI_BASE_WRITERS_H
#define TMAP_CLI_BASE_WRITERS_H

#include "core/base/keyword.h"
#include "formats/base/format.h"
#include "formats/base/view.h"

#include <stdio.h>

/** When equal things are said once: "auto", "always", "never". */
enum tmap_folding { TMAP_FOLD_AUTO, TMAP_FOLD_ALWAYS, TMAP_FOLD_NEVER };

extern const struct tmap_keywords tmap_foldings;

#define TMAP_OPT_FOLD(args, member) \
	TMAP_OPT_CHOICE( \
		args, member, 0, "fold", "WHEN", "auto", &tmap_foldings, TMAP_KEYWORDS_ALL, \
		"show equal parts once (auto: in texts of more than 64 ranks and pictures " \
		"of more than 256)")

/** Set view->fold and view->utf8 for a document of @p format. Refuses a picture of more ranks
 *  than Graphviz can lay out (TMAP_INPUT) where @p folding is "never". */
int tmap_view_choose(struct tmap_view *view, enum tmap_folding folding, int format,
		     struct tmap_error *err);

/** The ways to write one thing; the graph is also what pictures are drawn from. */
typedef int tmap_writers_find(FILE *out, const void *subject, struct tmap_error *err);

struct tmap_writers {
	tmap_writers_find *text, *json, *dot;
};

#define TMAP_REPORT_FORMATS \
	(TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(DOT) | TMAP_FORMATS(SVG) | \
	 TMAP_FORMATS(PNG))

/** Write @p subject as @p format to the file @p path, whole or not at all. */
int tmap_writers(const struct tmap_writers *show, int format, const char *path, const void *subject,
		 struct tmap_error *err);

#endif
