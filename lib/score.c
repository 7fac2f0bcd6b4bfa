/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/score/score_report.h"
#include "lib/handles.h"

#include <stdlib.h>

struct topomap_profile *topomap_profile_read(const char *name, struct topomap_error *err)
{
	struct topomap_profile *made = NULL;
	struct tmap_error why;
	locale_t before;
	int status = -1;

	if (tmap_argument_check(name, "name", &why) == 0 &&
	    (made = tmap_handle_new(TMAP_HANDLE_PROFILE, sizeof *made, &why)) &&
	    (before = tmap_locale_begin(&why))) {
		status = tmap_profile_choose(&made->request, name, NULL, &why);
		tmap_locale_end(before);
	}
	if (status == 0)
		return made;
	topomap_profile_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_profile_free(struct topomap_profile *profile)
{
	if (!profile || !tmap_handle_release(profile, TMAP_HANDLE_PROFILE))
		return;
	tmap_profile_request_fini(&profile->request);
	free(profile);
}

static int score_init(struct topomap_score *it, const struct topomap_placement *placement,
		      const struct topomap_call *call, const struct topomap_profile *profile,
		      struct tmap_error *err)
{
	struct tmap_score_request request;

	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, err) < 0 ||
	    tmap_public_call_check(call, err) < 0 ||
	    (profile && tmap_handle_check(profile, TMAP_HANDLE_PROFILE, err) < 0))
		return -1;
	if (call->call.size != placement->placement.size)
		return tmap_fail(err, TMAP_USAGE, "a call of %d ranks for a placement of %d",
				 call->call.size, placement->placement.size);
	it->placement = tmap_handle_hold(placement);
	it->call = tmap_handle_hold(call);
	it->profile = tmap_handle_hold(profile);
	it->costs = tmap_public_profile(profile, &placement->placement);
	request = (struct tmap_score_request){
		.collective = call->collective,
		.bytes = call->call.bytes,
		.element = call->call.element,
		.root = call->call.root,
		.neighborhood = call->call.neighborhood,
		.algorithm = (const char *const *)&it->call->algorithm,
		.algorithm_count = call->algorithm != NULL,
		.profile = &it->costs,
	};
	return tmap_score_init(&it->score, &placement->placement, &request, err);
}

struct topomap_score *topomap_score_new(const struct topomap_placement *placement,
					const struct topomap_call *call,
					const struct topomap_profile *profile,
					struct topomap_error *err)
{
	struct tmap_error why;
	struct topomap_score *made = tmap_handle_new(TMAP_HANDLE_SCORE, sizeof *made, &why);

	if (made && score_init(made, placement, call, profile, &why) == 0)
		return made;
	topomap_score_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_score_free(struct topomap_score *score)
{
	if (!score || !tmap_handle_release(score, TMAP_HANDLE_SCORE))
		return;
	tmap_score_fini(&score->score);
	topomap_placement_free(score->placement);
	topomap_profile_free(score->profile);
	topomap_call_free(score->call);
	free(score);
}

int topomap_score_count(const struct topomap_score *score, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(score, TMAP_HANDLE_SCORE, &why) < 0)
		return tmap_public_error(err, &why);
	return score->score.count;
}

const char *topomap_score_algorithm(const struct topomap_score *score, int index, double *seconds,
				    const char **reason, struct topomap_error *err)
{
	const struct tmap_score_row *row;
	struct tmap_error why;

	if (tmap_handle_check(score, TMAP_HANDLE_SCORE, &why) < 0 ||
	    tmap_index_check(index, score->score.count, "algorithm", &why) < 0) {
		tmap_public_error(err, &why);
		return NULL;
	}
	row = &score->score.row[index];
	if (seconds && !row->reason)
		*seconds = row->seconds;
	if (reason)
		*reason = row->reason;
	return row->name;
}

const char *topomap_score_default(const struct topomap_score *score, const char *library,
				  double *seconds, struct topomap_error *err)
{
	const struct tmap_score_default *it;
	struct tmap_error why;
	int found;

	if (tmap_handle_check(score, TMAP_HANDLE_SCORE, &why) < 0 ||
	    tmap_argument_check(library, "library", &why) < 0 ||
	    (found = tmap_word_find(&tmap_libraries, library, 0, &why)) == TMAP_NONE)
		goto fail;
	it = &score->score.defaults[found];
	if (it->name) {
		if (seconds)
			*seconds = it->seconds;
		return it->name;
	}
	tmap_fail(&why, TMAP_INPUT, "it is not known what %s takes: %s", library,
		  it->answer.how ? it->answer.how : "no rule is known");
fail:
	tmap_public_error(err, &why);
	return NULL;
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_score *it = handle;

	return tmap_json_write_score(out, &it->score, err);
}

static int write_text(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_score *it = handle;

	return tmap_text_write_score(out, &it->score, err);
}

static int write_csv(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_score *it = handle;

	return tmap_csv_write_score(out, &it->score, err);
}

int topomap_score_write(const struct topomap_score *score, const char *format, FILE *out,
			struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = {
		{ "json", write_json }, { "text", write_text }, { "csv", write_csv }, { 0 }
	};
	struct tmap_error why;

	if (tmap_handle_check(score, TMAP_HANDLE_SCORE, &why) < 0 ||
	    tmap_public_write(writers, format, out, score, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
