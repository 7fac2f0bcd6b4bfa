/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/profile_sources.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"

#include <stdlib.h>
#include <string.h>

/* What has no colon is a form, maybe with parameters, or a file. */
static int refuse_part(const struct tmap_opt *opt, const char *value, struct tmap_error *err)
{
	size_t length = strcspn(value, ":,");
	const struct tmap_keyword *form;

	for (size_t i = 0; (form = tmap_keywords_at(opt->words, i)) != NULL; i++)
		if (tmap_keyword_is(value, length, form->name))
			return tmap_fail(err, TMAP_USAGE, "'%s' has no FILE: FORM:FILE is expected",
					 value);
	return tmap_fail(err, TMAP_USAGE, "'%s' has no FORM: FORM:FILE is expected, such as %s:%s",
			 value, tmap_keywords_at(opt->words, 0)->name, value);
}

static int parse_from(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	struct tmap_profile_sources *sources = member;
	size_t length = strcspn(value, ":");
	struct tmap_profile_source source = { .path = value + length + 1 };
	char *form;
	int status;

	if (!value[length] || !value[length + 1])
		return refuse_part(opt, value, err);
	form = tmap_strndup(value, length, err);
	if (!form)
		return -1;
	status = tmap_spec_parse(&source.form, opt->words, form, err);
	free(form);
	if (status < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return -1;
	}
	if (tmap_grow(&sources->source, &sources->capacity, (size_t)sources->count + 1,
		      sizeof *sources->source, err) < 0)
		return -1;
	sources->source[sources->count++] = source;
	return 0;
}

static void sources_fini(void *member)
{
	struct tmap_profile_sources *sources = member;

	free(sources->source);
	*sources = (struct tmap_profile_sources){ 0 };
}

const struct tmap_opt_type tmap_opt_profile_sources = {
	.collects = true,
	.hint = TMAP_HINT_WORDS,
	.parse = parse_from,
	.fini = sources_fini,
};

/* Of one file: "; osu,distance=1 of shared.txt (2 tables of times, fitted together; 1 of bandwidth)". */
static int add_source(struct tmap_str *str, const struct tmap_profile_source *source,
		      const struct tmap_profile_draft *made, struct tmap_error *err)
{
	char *form = tmap_spec_print(&source->form, err);

	if (!form)
		return -1;
	tmap_str_addf(str, "%s%s of ", str->length ? "; " : "", form);
	tmap_str_add_printable(str, tmap_input_name(source->path));
	if (made->tables > 1)
		tmap_str_addf(str, " (%d tables of times, fitted together", made->tables);
	if (made->tables > 1 && made->bandwidth_tables)
		tmap_str_addf(str, "; %d of bandwidth", made->bandwidth_tables);
	if (made->tables > 1)
		tmap_str_add(str, ")");
	free(form);
	return 0;
}

/* "; all else of gigabit: two Xeons ..." */
static void add_base(struct tmap_str *str, const struct tmap_profile *base)
{
	if (!base)
		return;
	tmap_str_addf(str, "; all else of %s", base->word.name);
	if (*base->source)
		tmap_str_addf(str, ": %s", base->source);
}

int tmap_profile_sources_read(struct tmap_profile_draft *draft, char **source,
			      const struct tmap_profile_sources *sources, const char *name,
			      const struct tmap_profile *base, struct tmap_error *err)
{
	struct tmap_profile_draft made = { .row = NULL };
	struct tmap_str str = TMAP_STR_INIT;
	char *text = NULL;
	int status = tmap_profile_draft_init(&made, base, err);

	for (int i = 0; status == 0 && i < sources->count; i++) {
		const struct tmap_profile_source *it = &sources->source[i];

		status = tmap_costs_read(&made, &it->form, it->path, err);
		if (status < 0)
			tmap_wrap(err, "--from");
		else
			status = add_source(&str, it, &made, err);
	}
	if (status == 0) {
		add_base(&str, base);
		text = tmap_str_take(&str, err);
		status = text ? 0 : -1;
	}
	tmap_str_fini(&str);
	if (status == 0 && !made.profile.row_count)
		status = tmap_fail(err, TMAP_USAGE,
				   "the files do not say what messages cost: name a PROFILE whose "
				   "costs hold besides");
	if (status == 0) {
		made.profile.word = (struct tmap_keyword){ name, "" };
		made.profile.source = text;
		made.profile.date = NULL;
		status = tmap_profile_check(&made.profile, err);
	}
	if (status < 0) {
		tmap_profile_draft_fini(&made);
		free(text);
		return -1;
	}
	*draft = made;
	*source = text;
	return 0;
}
