/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/candidate.h"

#include "core/base/mem.h"
#include "core/guidelines/guidelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NATIVE "native"
#define NATIVE_ALL "native:all"
#define NATIVE_NAME "native:"

/* What the words are for. */
struct search {
	struct tmap_candidates *candidates;
	enum tmap_collective collective;
	int size;
	const struct tmap_candidate_library *library;
};

bool tmap_candidates_set_knobs(const char *const *word, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word[i], "all") == 0 ||
		    strncmp(word[i], NATIVE_NAME, strlen(NATIVE_NAME)) == 0)
			return true;
	return false;
}

bool tmap_candidate_is_native(const char *word)
{
	return strcmp(word, NATIVE) == 0 || strncmp(word, NATIVE_NAME, strlen(NATIVE_NAME)) == 0 ||
		strncmp(word, TMAP_MOCKUP, strlen(TMAP_MOCKUP)) == 0 || strcmp(word, "all") == 0;
}

void tmap_candidates_fini(struct tmap_candidates *candidates)
{
	for (int i = 0; i < candidates->count; i++) {
		free(candidates->item[i].name);
		free(candidates->item[i].words);
	}
	free(candidates->item);
	*candidates = (struct tmap_candidates){ 0 };
}

/* Takes name and words; one that is there already is not added. */
static int candidate_add_take(struct tmap_candidates *all, struct tmap_candidate *it,
			      struct tmap_error *err)
{
	int status = it->name ? 0 : -1;

	for (int i = 0; i < all->count && status == 0; i++)
		if (strcmp(all->item[i].name, it->name) == 0) {
			all->item[i].is_named = all->item[i].is_named || it->is_named;
			status = 1;
		}
	if (status == 0)
		status = tmap_grow(&all->item, &all->capacity, (size_t)all->count + 1,
				   sizeof *all->item, err);
	if (status == 0) {
		all->item[all->count++] = *it;
		return 0;
	}
	free(it->name);
	free(it->words);
	return status < 0 ? -1 : 0;
}

static int own_add(const struct search *it, const struct tmap_spec *choice, bool is_named,
		   struct tmap_error *err)
{
	struct tmap_candidate candidate = { .name = tmap_spec_print(choice, err),
					    .is_named = is_named,
					    .choice = *choice };

	return candidate_add_take(it->candidates, &candidate, err);
}

static int native_add(const struct search *it, bool is_named, struct tmap_error *err)
{
	struct tmap_candidate candidate = { .name = tmap_strdup(NATIVE, err),
					    .is_native = true,
					    .is_named = is_named,
					    .choice = tmap_spec_preset(
						    tmap_algorithms(it->collective), 0) };

	return candidate_add_take(it->candidates, &candidate, err);
}

/* *words = how the library is set to a choice; NULL: it cannot be. */
static int native_words(const struct search *it, const struct tmap_spec *choice, char **words,
			struct tmap_error *err)
{
	const struct tmap_library_whole whole =
		tmap_library_whole(it->collective, it->library->order);
	struct tmap_knobs knobs;
	const char *knob;
	int status = 0;

	*words = NULL;
	if (it->library->index == TMAP_NONE)
		return 0;
	if (tmap_library_algorithm_knobs(&knobs, choice, &whole, err) < 0)
		return -1;
	knob = tmap_library_knob(it->library->index, &knobs, choice);
	if (knob) {
		*words = tmap_strdup(knob, err);
		status = *words ? 0 : -1;
	}
	tmap_library_knobs_fini(&knobs);
	return status;
}

static int native_add_choice(const struct search *it, const struct tmap_spec *choice, bool is_named,
			     struct tmap_error *err)
{
	struct tmap_candidate candidate = { .is_native = true,
					    .is_named = is_named,
					    .choice = *choice };
	char *name = tmap_spec_print(choice, err);
	int status = name ? native_words(it, choice, &candidate.words, err) : -1;

	if (status == 0 && candidate.words) {
		candidate.name = tmap_format(err, NATIVE_NAME "%s", name);
		status = candidate_add_take(it->candidates, &candidate, err);
	} else if (status == 0 && is_named) {
		status = tmap_fail(err, TMAP_INPUT, "it is not known how %s is set to %s of %s",
				   it->library->name, name,
				   tmap_collective_rows[it->collective].word.name);
	}
	free(name);
	return status;
}

/* Which mock-ups there are. */
static int fail_mockup(enum tmap_collective collective, struct tmap_error *err)
{
	const char *const what = tmap_collective_rows[collective].word.name;
	char names[256] = "";

	for (int row = 0; row < tmap_guideline_rows(); row++) {
		char *name = tmap_guideline_native(row) == collective ?
			tmap_guideline_mockup(row, err) :
			NULL;
		size_t length = strlen(names);

		if (name && strncmp(name, TMAP_MOCKUP, strlen(TMAP_MOCKUP)) == 0)
			snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
				 name + strlen(TMAP_MOCKUP));
		free(name);
	}
	return *names ? tmap_fail(err, TMAP_USAGE, "there is no such mock-up of %s (one of: %s)",
				  what, names) :
			tmap_fail(err, TMAP_USAGE, "there is no mock-up of %s", what);
}

static int mockup_add(const struct search *it, const char *name, struct tmap_error *err)
{
	const struct tmap_mockup *mockup = tmap_mockup_find(it->collective, name);
	struct tmap_candidate candidate = { .is_native = true,
					    .is_named = true,
					    .mockup = mockup,
					    .choice = tmap_spec_preset(
						    tmap_algorithms(it->collective), 0) };

	if (!mockup)
		return fail_mockup(it->collective, err);
	candidate.name = tmap_format(err, TMAP_MOCKUP "%s", name);
	return candidate_add_take(it->candidates, &candidate, err);
}

/* All algorithms that the library is set to by the knobs of a row. */
static int native_add_row(const struct search *it, struct tmap_spec choice, struct tmap_error *err)
{
	const char *texts = it->library->index == TMAP_NONE ?
		NULL :
		tmap_library_knob(it->library->index, &choice.row->knobs, &choice);

	for (int i = 0; tmap_spec_fit(&choice, texts, i); i++)
		if (native_add_choice(it, &choice, false, err) < 0)
			return -1;
	return 0;
}

static int rows_add(const struct search *it, bool is_native, struct tmap_error *err)
{
	for (int i = 0; i < tmap_algorithms_tried(it->collective); i++) {
		const struct tmap_spec choice =
			tmap_spec_preset(tmap_algorithms(it->collective), i);

		if ((is_native ? native_add_row(it, choice, err) :
				 own_add(it, &choice, false, err)) < 0)
			return -1;
	}
	return 0;
}

/* No algorithm of topomap's: what else there is beside those that *err lists. */
static int fail_algorithm(const struct search *it, const char *word, struct tmap_error *err)
{
	size_t length = strlen(err->text);
	char name[64];
	struct tmap_error ignored;

	if (err->kind == TMAP_INPUT)
		err->kind = TMAP_USAGE;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ","), word);
	if (it->library->also &&
	    tmap_keywords_find(tmap_algorithms(it->collective), name, &ignored) == TMAP_NONE)
		snprintf(err->text + length, sizeof err->text - length, " (also: %s)",
			 it->library->also);
	return -1;
}

static int word_add(const struct search *it, const char *word, struct tmap_error *err)
{
	bool is_native = strncmp(word, NATIVE_NAME, strlen(NATIVE_NAME)) == 0;
	struct tmap_call call = { .size = it->size };

	if (strcmp(word, "all") == 0)
		return rows_add(it, false, err) < 0 || native_add(it, false, err) < 0 ?
			-1 :
			rows_add(it, true, err);
	if (strcmp(word, NATIVE) == 0)
		return native_add(it, true, err);
	if (strcmp(word, NATIVE_ALL) == 0)
		return rows_add(it, true, err);
	if (strncmp(word, TMAP_MOCKUP, strlen(TMAP_MOCKUP)) == 0)
		return mockup_add(it, word + strlen(TMAP_MOCKUP), err);
	if (tmap_call_parse(&call, it->collective, is_native ? word + strlen(NATIVE_NAME) : word,
			    err) < 0)
		return fail_algorithm(it, word, err);
	return (is_native ? native_add_choice : own_add)(it, &call.choice, true, err);
}

int tmap_candidates_add(struct tmap_candidates *candidates, enum tmap_collective collective,
			const char *const *word, size_t count, int size,
			const struct tmap_candidate_library *library, struct tmap_error *err)
{
	const struct search it = { candidates, collective, size, library };

	for (size_t i = 0; i < count; i++)
		if (word_add(&it, word[i], err) < 0) {
			tmap_candidates_fini(candidates);
			return tmap_wrap(err, "--algorithm %s", word[i]);
		}
	return 0;
}
