/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/profile_sources.h"

#include "core/base/mem.h"
#include "formats/base/input.h"

#include <stdlib.h>
#include <string.h>

static int parse_from(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	struct tmap_profile_sources *sources = member;
	size_t length = strcspn(value, ":");
	struct tmap_profile_source source = { .path = value + length + 1 };
	char *form;
	int status;

	if (!value[length] || !value[length + 1])
		return tmap_fail(err, TMAP_USAGE, "'%s' has no file: FORM:FILE is expected", value);
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

/* "osu,distance=1 of shared.txt; stream of s.txt; all else of gigabit: two Xeons ..." */
static char *print_source(const struct tmap_profile_sources *sources,
			  const struct tmap_profile *base, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int i = 0; i < sources->count; i++) {
		char *form = tmap_spec_print(&sources->source[i].form, err);

		if (!form) {
			tmap_str_fini(&str);
			return NULL;
		}
		tmap_str_addf(&str, "%s%s of ", i ? "; " : "", form);
		tmap_str_add_printable(&str, tmap_input_name(sources->source[i].path));
		free(form);
	}
	if (base) {
		tmap_str_addf(&str, "; all else of %s", base->word.name);
		if (*base->source)
			tmap_str_addf(&str, ": %s", base->source);
	}
	return tmap_str_take(&str, err);
}

int tmap_profile_sources_read(struct tmap_profile_draft *draft, char **source,
			      const struct tmap_profile_sources *sources, const char *name,
			      const struct tmap_profile *base, struct tmap_error *err)
{
	struct tmap_profile_draft made = { .row = NULL };
	char *text = print_source(sources, base, err);
	int status = text ? tmap_profile_draft_init(&made, base, err) : -1;

	for (int i = 0; status == 0 && i < sources->count; i++) {
		status = tmap_costs_read(&made, &sources->source[i].form, sources->source[i].path,
					 err);
		if (status < 0)
			tmap_wrap(err, "--from");
	}
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
