#include "cli/base/view.h"

#include "formats/base/file.h"
#include "formats/draw/picture.h"

#include <langinfo.h>
#include <locale.h>
#include <strings.h>

enum { MOST_TEXT = 64, MOST_PICTURE = 256 };

static const struct tm_word rows[] = {
	[TM_FOLD_AUTO] = { "auto", "where there are many ranks" },
	[TM_FOLD_ALWAYS] = { "always", "equal parts are said once" },
	[TM_FOLD_NEVER] = { "never", "every rank is shown" },
	{ NULL, NULL },
};

const struct tm_words tm_foldings = TM_WORDS("folding", rows);

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
	return format == TM_FORMAT_SVG || format == TM_FORMAT_PNG;
}

int tm_view_choose(struct tm_view *view, enum tm_folding folding, int format,
		   struct tm_error *err)
{
	int size = view->placement->size;

	if (folding == TM_FOLD_NEVER && is_picture(format) && size > TM_PICTURE_MOST)
		return tm_fail(err, TM_INPUT, "a picture of %d ranks is more than Graphviz can lay "
			       "out (at most %d): leave --fold at auto, or write the graph with "
			       "-f dot", size, TM_PICTURE_MOST);
	view->fold = folding == TM_FOLD_ALWAYS ||
		     (folding == TM_FOLD_AUTO && format == TM_FORMAT_TEXT && size > MOST_TEXT) ||
		     (folding == TM_FOLD_AUTO && is_picture(format) && size > MOST_PICTURE);
	view->utf8 = is_utf8();
	return 0;
}

static int write_format(const struct tm_show *show, int format, FILE *out, const void *subject,
			struct tm_error *err)
{
	if (is_picture(format))
		return tm_picture_write(out, tm_words_at(&tm_formats, (size_t)format)->name,
					show->dot, subject, err);
	return (format == TM_FORMAT_JSON ? show->json :
		format == TM_FORMAT_DOT ? show->dot : show->text)(out, subject, err);
}

int tm_show(const struct tm_show *show, int format, const char *path, const void *subject,
	    struct tm_error *err)
{
	struct tm_output out = { 0 };
	int status = tm_output_init(&out, path, err);

	if (status == 0)
		status = write_format(show, format, out.file, subject, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
	tm_output_fini(&out);
	return status;
}
