/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/origin.h"

#include "core/library/library.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RELEASE_ROOM = 24 };

/* A release in the text of a document. */
struct release {
	char text[RELEASE_ROOM]; /* "4.1.4"; "": there is none */
	int number;              /* TMAP_RELEASE(4, 1), or 0 */
};

/* How well a mark fits; the larger the better. */
struct fit {
	const struct tmap_launcher_mark *mark; /* NULL: only the name of the row says so */
	const struct tmap_launcher *made_for;  /* by topomap place; NULL: the probe ran */
	bool is_by_launcher;                   /* else by the library alone */
	bool is_of_library;                    /* the release is the library's */
	struct release release;
	int merit;
};

/* What stands behind the beginning of the text; NULL: it begins otherwise. */
static const char *text_behind(const char *text, const char *beginning)
{
	size_t length = beginning ? strlen(beginning) : 0;

	return text && length && strncmp(text, beginning, length) == 0 ? text + length : NULL;
}

/* " 4.1.4", "4.1.4-rc2": digits and points. */
static struct release release_parse(const char *text)
{
	struct release release = { 0 };
	size_t length = 0;
	char *end;
	long major, minor;

	text += *text == ' ';
	if (!isdigit((unsigned char)*text))
		return release;
	while (length + 1 < sizeof release.text &&
	       (isdigit((unsigned char)text[length]) ||
		(text[length] == '.' && isdigit((unsigned char)text[length + 1]))))
		length++;
	memcpy(release.text, text, length);
	major = strtol(release.text, &end, 10);
	minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	release.number =
		TMAP_RELEASE(major > 9999 ? 9999 : (int)major, minor > 99 ? 99 : (int)minor);
	return release;
}

/* Something started the ranks, and the probe did not know what. */
static bool is_nameless(const char *launcher)
{
	return !launcher || text_behind(launcher, "a PMI");
}

/* The row whose files a row's jobs take. */
static const struct tmap_launcher *writer_of(const struct tmap_launcher *row)
{
	return row && row->writer ? tmap_launcher_find(row->writer) : row;
}

/* Does the placement have the mark? Where topomap place was asked, rows of one launcher differ by the
 * release of the library alone. */
static bool mark_fits(struct fit *fit, const struct tmap_launcher_mark *mark,
		      const struct tmap_origin *origin, const struct tmap_launcher *made_for)
{
	const char *behind = text_behind(origin->launcher, mark->launcher);
	const char *library = text_behind(origin->mpi, mark->library);

	if (made_for && library && writer_of(made_for)->mark[0].launcher &&
	    strcmp(writer_of(made_for)->mark[0].launcher, mark->launcher) == 0)
		behind = "";
	*fit = (struct fit){ .mark = mark, .made_for = made_for, .is_by_launcher = behind != NULL };
	if (behind && *behind && *behind != ' ')
		return false;
	if (!behind && !(library && is_nameless(origin->launcher)))
		return false;
	if (mark->is_library_only && !library)
		return false;
	if (behind)
		fit->release = release_parse(behind);
	if (!fit->release.number && library) {
		fit->release = release_parse(library);
		fit->is_of_library = true;
	}
	if (fit->release.number < mark->since ||
	    (mark->before && fit->release.number >= mark->before))
		return false;
	fit->merit = 2 + 2 * mark->since + mark->is_library_only;
	return true;
}

/* The best of a row's marks; merit 0: it has none that fits. */
static struct fit row_fit(const struct tmap_launcher *row, const struct tmap_origin *origin)
{
	const struct tmap_launcher *made_for =
		origin->launcher ? tmap_launcher_find(origin->launcher) : NULL;
	struct fit best = { 0 }, fit;

	if (writer_of(made_for) == row)
		best = (struct fit){ .made_for = made_for, .merit = 1 };
	for (const struct tmap_launcher_mark *mark = row->mark; mark->launcher; mark++)
		if (mark_fits(&fit, mark, origin, made_for) && fit.merit > best.merit)
			best = fit;
	return best;
}

/* "the probe ran under Hydra with MPICH 4.0.2", "the placement was made for hydra with MPICH 4.1.2" */
static void fit_print(char why[TMAP_ORIGIN_WHY], const struct fit *fit)
{
	const struct tmap_launcher_mark *mark = fit->mark;
	bool is_own = fit->is_of_library && fit->is_by_launcher &&
		!text_behind(mark->library, mark->name);

	if (fit->made_for)
		snprintf(why, TMAP_ORIGIN_WHY, "the placement was made for %s%s%s%s",
			 fit->made_for->word.name, fit->release.text[0] ? " with " : "",
			 fit->release.text[0] ? mark->library : "", fit->release.text);
	else if (!fit->is_by_launcher)
		snprintf(why, TMAP_ORIGIN_WHY, "the MPI of the job is %s%s", mark->library,
			 fit->release.text);
	else if (is_own)
		snprintf(why, TMAP_ORIGIN_WHY, "the probe ran under %s with %s%s", mark->name,
			 mark->library, fit->release.text);
	else
		snprintf(why, TMAP_ORIGIN_WHY, "the probe ran under %s%s%s", mark->name,
			 fit->release.text[0] ? " " : "", fit->release.text);
}

/* The words of the launchers whose policies are known, where it may be any of them. */
static void list_fixes(struct tmap_origin_launcher *made)
{
	int count = 0;

	if (made->is_known || made->is_asked) {
		made->fixes[0] = tmap_launcher_at(made->row)->fixes;
		return;
	}
	for (int i = 0; tmap_launcher_at(i)->word.name && count < TMAP_ORIGIN_FIXES - 1; i++) {
		const struct tmap_fix_words *words = tmap_launcher_at(i)->fixes;
		int known = 0;

		while (known < count && made->fixes[known] != words)
			known++;
		if (tmap_launcher_at(i)->places && words && known == count)
			made->fixes[count++] = words;
	}
}

struct tmap_origin_launcher tmap_origin_launcher(const struct tmap_origin *origin)
{
	struct tmap_origin_launcher made = { 0 };
	struct fit best = { 0 };

	for (int i = 0; tmap_launcher_at(i)->word.name; i++) {
		const struct tmap_launcher *row = tmap_launcher_at(i);
		struct fit fit = row_fit(row, origin);

		if (!row->writes || fit.merit <= best.merit)
			continue;
		best = fit;
		made.row = i;
		made.is_known = true;
	}
	made.mark = best.mark;
	made.has_file = origin->request &&
		(strstr(origin->request, " --from ") || strstr(origin->request, " --rankfile "));
	if (made.is_known)
		fit_print(made.why, &best);
	else if (is_nameless(origin->launcher))
		snprintf(made.why, sizeof made.why, "the placement names no launcher");
	else
		snprintf(made.why, sizeof made.why,
			 "the placement's launcher is none that files are known of");
	list_fixes(&made);
	return made;
}

/* Is the row for documents of this launcher, as far as that can be said? */
static bool is_other(const struct tmap_origin_launcher *found, const struct tmap_origin *origin,
		     int row)
{
	const struct tmap_launcher *asked = tmap_launcher_at(row);
	const struct tmap_launcher_mark *mine = tmap_launcher_at(found->row)->mark;

	if (!found->is_known || !asked->mark[0].launcher || row_fit(asked, origin).merit)
		return false;
	return found->mark || !mine[0].launcher ||
		strcmp(mine[0].launcher, asked->mark[0].launcher) != 0;
}

struct tmap_origin_launcher tmap_origin_launcher_or(const struct tmap_origin *origin, int asked)
{
	struct tmap_origin_launcher made = tmap_origin_launcher(origin);

	if (asked == TMAP_NONE)
		return made;
	made.is_other = is_other(&made, origin, asked);
	made.is_asked = true;
	made.row = asked;
	memset(made.fixes, 0, sizeof made.fixes);
	list_fixes(&made);
	if (made.is_other) {
		made.mark = NULL;
		return made;
	}
	snprintf(made.why, sizeof made.why, "it was asked for");
	return made;
}

struct tmap_library_assumed tmap_origin_library(const struct tmap_origin_launcher *launcher)
{
	struct tmap_library_assumed made = { 0, NULL };
	const struct tmap_launcher *row = tmap_launcher_at(launcher->row);

	if (!launcher->is_known)
		return made;
	for (int i = 0; row->library && tmap_keywords_at(&tmap_libraries, (size_t)i); i++)
		if (strcmp(tmap_keywords_at(&tmap_libraries, (size_t)i)->name, row->library) == 0)
			made = (struct tmap_library_assumed){ i, row->library_why };
	return made;
}

void tmap_origin_launcher_write(FILE *out, const struct tmap_origin_launcher *launcher)
{
	const char *name = tmap_launcher_at(launcher->row)->word.name;

	if (launcher->is_other)
		fprintf(out, "Note: this is for %s (%s), but %s.\n", name,
			tmap_launcher_at(launcher->row)->word.summary, launcher->why);
	else if (!launcher->is_asked)
		fprintf(out, "This is for %s%s, as %s.\n", name,
			launcher->is_known ? "" : ", the default", launcher->why);
}

void tmap_json_put_launcher(struct tmap_json_writer *w, const struct tmap_origin_launcher *launcher)
{
	char reason[TMAP_ORIGIN_WHY + 32];

	tmap_json_put_string(w, "launcher", tmap_launcher_at(launcher->row)->word.name);
	snprintf(reason, sizeof reason, "%s%s",
		 launcher->is_other                               ? "it was asked for, but " :
			 launcher->is_known || launcher->is_asked ? "" :
								    "by default: ",
		 launcher->why);
	tmap_json_put_string(w, "launcher_reason", reason);
}
