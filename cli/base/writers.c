/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/writers.h"

#include "formats/base/output.h"
#include "formats/draw/picture.h"

#include <langinfo.h>
#include <locale.h>
#include <strings.h>

enum { MOST_TEXT = 64, MOST_PICTURE = 256 };

static const struct tmap_keyword rows[] = {
	[TMAP_FOLD_AUTO] = { "auto", "where there are many ranks" },
	[TMAP_FOLD_ALWAYS] = { "always", "equal parts are shown once" },
	[TMAP_FOLD_NEVER] = { "never", "every rank is shown" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_foldings = TMAP_KEYWORDS("folding", rows);

/* Does the reader's locale have lines to draw with? Asked without changing the program's. */
static bool is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool found;

	if (!locale)
		return false;
	found = strcasecmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return found;
}

static bool is_picture(int format)
{
	return format == TMAP_FORMAT_SVG || format == TMAP_FORMAT_PNG;
}

int tmap_view_choose(struct tmap_view *view, enum tmap_folding folding, int format,
		     struct tmap_error *err)
{
	int size = view->placement->size;

	if (folding == TMAP_FOLD_NEVER && is_picture(format) && size > TMAP_PICTURE_MOST)
		return tmap_fail(err, TMAP_INPUT,
				 "a picture of %d ranks is more than Graphviz can lay "
				 "out (at most %d): leave --fold at auto, or write the graph with "
				 "-f dot",
				 size, TMAP_PICTURE_MOST);
	view->fold = folding == TMAP_FOLD_ALWAYS ||
		(folding == TMAP_FOLD_AUTO && format == TMAP_FORMAT_TEXT && size > MOST_TEXT) ||
		(folding == TMAP_FOLD_AUTO && is_picture(format) && size > MOST_PICTURE);
	view->utf8 = is_utf8();
	return 0;
}

static int write_format(const struct tmap_writers *show, int format, FILE *out, const void *subject,
			struct tmap_error *err)
{
	if (is_picture(format))
		return tmap_picture_write(out,
					  tmap_keywords_at(&tmap_formats, (size_t)format)->name,
					  show->dot, subject, err);
	return (format == TMAP_FORMAT_JSON        ? show->json :
			format == TMAP_FORMAT_DOT ? show->dot :
						    show->text)(out, subject, err);
}

int tmap_writers(const struct tmap_writers *show, int format, const char *path, const void *subject,
		 struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, path, err);

	if (status == 0)
		status = write_format(show, format, out.file, subject, err);
	return tmap_output_end(&out, status, err);
}
