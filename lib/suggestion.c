/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/launchers/launch.h"
#include "formats/machine/json_placement.h"
#include "formats/report/suggestion/json_suggestion.h"
#include "lib/handles.h"

#include <stdlib.h>

/* Bytes of struct topomap_search in the first release. */
enum { SEARCH_FIRST = offsetof(struct topomap_search, seed) + sizeof(uint64_t) };

/* What a suggestion is made from, and needs no longer once it is made. */
struct ingredients {
	struct tmap_slots slots;
	struct tmap_metric metric; /* process distances, for calls that follow them */
	struct tmap_pattern_builder builder;
	struct tmap_pattern pattern;
	struct tmap_call *call;
	struct tmap_traffic traffic;
	struct tmap_profile costs;
	struct tmap_routes routes;
	struct tmap_suggestion_request request;
};

static void ingredients_fini(struct ingredients *it)
{
	tmap_slots_fini(&it->slots);
	tmap_metric_fini(&it->metric);
	tmap_pattern_builder_fini(&it->builder);
	tmap_pattern_fini(&it->pattern);
	tmap_routes_fini(&it->routes);
	free(it->call);
}

/* The traffic of a handle, which stays as it is. */
static int traffic_copy(struct ingredients *it, const struct topomap_traffic *traffic,
			struct tmap_error *err)
{
	const struct tmap_pattern_builder *from = &traffic->builder;

	if (!from->count && !traffic->call_count)
		return tmap_fail(err, TMAP_USAGE, "no rank sends anything to another");
	if (from->count) {
		if (tmap_pattern_builder_init(&it->builder, from->size, err) < 0)
			return -1;
		for (size_t i = 0; i < from->count; i++)
			if (tmap_pattern_add(&it->builder, from->entry[i].from, from->entry[i].to,
					     from->entry[i].bytes, err) < 0)
				return -1;
		if (tmap_pattern_finish(&it->pattern, &it->builder, err) < 0)
			return -1;
		it->traffic.pattern = &it->pattern;
	}
	it->call = tmap_alloc((size_t)traffic->call_count + 1, sizeof *it->call, err);
	if (!it->call)
		return -1;
	for (int i = 0; i < traffic->call_count; i++) {
		it->call[i] = traffic->call[i]->call;
		it->call[i].metric = &it->metric;
		if (tmap_call_check(&it->call[i], err) < 0)
			return -1;
	}
	it->traffic.call_count = traffic->call_count;
	it->traffic.call = it->call;
	it->traffic.weight = traffic->times;
	return 0;
}

static int search_read(struct tmap_suggestion_request *request, int *slots,
		       const struct topomap_search *given, bool has_traffic, struct tmap_error *err)
{
	struct topomap_search search = TOPOMAP_SEARCH_INIT;
	int goal;

	if (given &&
	    tmap_public_struct(&search, sizeof search, SEARCH_FIRST, given, "topomap_search", err) <
		    0)
		return -1;
	request->mapper = tmap_word_find(&tmap_mappers,
					 search.mapper       ? search.mapper :
						 has_traffic ? "best" :
							       "walk",
					 0, err);
	if (request->mapper == TMAP_NONE)
		return -1;
	if (tmap_mapper_at(request->mapper)->serves == TMAP_FOR_GRIDS)
		return tmap_fail(err, TMAP_USAGE,
				 "mapper %s is for grids of ranks, and there is none",
				 search.mapper);
	goal = tmap_word_find(&tmap_goals, search.objective,
			      has_traffic ? TMAP_GOAL_SECONDS : TMAP_GOAL_DISTANCE, err);
	*slots = goal == TMAP_NONE ? TMAP_NONE :
				     tmap_word_find(&tmap_slot_kinds, search.slots, 0, err);
	if (*slots == TMAP_NONE)
		return -1;
	if (search.effort < 0)
		return tmap_fail(err, TMAP_USAGE, "an effort of %lld steps",
				 (long long)search.effort);
	request->criteria.goal = (enum tmap_goal)goal;
	request->effort = search.effort ? search.effort : TMAP_NONE;
	request->seed = search.seed;
	return 0;
}

static int gather(struct ingredients *it, const struct topomap_placement *placement,
		  const struct topomap_traffic *traffic, const struct topomap_profile *profile,
		  const struct topomap_search *search, struct tmap_error *err)
{
	const struct tmap_placement *job;
	int slots = 0;

	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, err) < 0 ||
	    (traffic && tmap_handle_check(traffic, TMAP_HANDLE_TRAFFIC, err) < 0) ||
	    (profile && tmap_handle_check(profile, TMAP_HANDLE_PROFILE, err) < 0))
		return -1;
	job = &placement->placement;
	if (traffic && traffic->builder.size != job->size)
		return tmap_fail(err, TMAP_USAGE, "traffic among %d ranks for a placement of %d",
				 traffic->builder.size, job->size);
	if (search_read(&it->request, &slots, search, traffic, err) < 0 ||
	    tmap_metric_init(&it->metric, job, TMAP_SCALE_PROCESS, err) < 0 ||
	    (traffic && traffic_copy(it, traffic, err) < 0) ||
	    tmap_slots_init(&it->slots, job, slots, &(struct tmap_slots_excluded){ 0 }, err) < 0 ||
	    tmap_slots_resolve(&it->slots, err) < 0)
		return -1;
	it->request.slots = &it->slots;
	it->request.before = job;
	it->request.traffic = traffic ? &it->traffic : NULL;
	it->costs = tmap_public_profile(profile, job);
	it->request.criteria.profile = &it->costs;
	it->request.criteria.scale = TMAP_SCALE_PROCESS;
	if (tmap_goal_has_hops(it->request.criteria.goal)) {
		if (tmap_routes_init_machine(&it->routes, job->machine, err) < 0)
			return -1;
		it->request.criteria.routes = &it->routes;
	}
	it->request.minimum_gain = TMAP_LEAST_GAIN;
	it->request.by = it->request.request = "libtopomap";
	return 0;
}

struct topomap_suggestion *topomap_suggestion_new(const struct topomap_placement *placement,
						  const struct topomap_traffic *traffic,
						  const struct topomap_profile *profile,
						  const struct topomap_search *search,
						  struct topomap_error *err)
{
	struct ingredients with = { 0 };
	struct tmap_error why;
	struct topomap_suggestion *made =
		tmap_handle_new(TMAP_HANDLE_SUGGESTION, sizeof *made, &why);
	int status = made ? gather(&with, placement, traffic, profile, search, &why) : -1;

	if (status == 0) {
		made->placement = tmap_handle_hold(placement);
		made->profile = tmap_handle_hold(profile);
		made->costs = with.costs;
		with.request.criteria.profile = &made->costs;
		status = tmap_suggestion_init(&made->suggestion, &with.request, &why);
		if (status == 0) /* its document says so */
			status = tmap_suggestion_ask_others(&made->suggestion, &with.request, &why);
	}
	ingredients_fini(&with);
	if (status == 0)
		return made;
	topomap_suggestion_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_suggestion_free(struct topomap_suggestion *suggestion)
{
	if (!suggestion || !tmap_handle_release(suggestion, TMAP_HANDLE_SUGGESTION))
		return;
	tmap_suggestion_fini(&suggestion->suggestion);
	topomap_placement_free(suggestion->placement);
	topomap_profile_free(suggestion->profile);
	free(suggestion);
}

int topomap_suggestion_gain(const struct topomap_suggestion *suggestion, double *gain,
			    struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) < 0 ||
	    tmap_argument_check(gain, "gain", &why) < 0)
		return tmap_public_error(err, &why);
	*gain = suggestion->suggestion.gain;
	return 0;
}

const int *topomap_suggestion_place_of(const struct topomap_suggestion *suggestion,
				       struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) == 0) {
		if (suggestion->suggestion.place_of)
			return suggestion->suggestion.place_of;
		tmap_fail(&why, TMAP_INPUT, "ranks go to places that no rank had");
	}
	tmap_public_error(err, &why);
	return NULL;
}

struct topomap_placement *topomap_suggestion_placement(const struct topomap_suggestion *suggestion,
						       struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	int *same = NULL, size, status = -1;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) == 0 &&
	    (made = tmap_handle_new(TMAP_HANDLE_PLACEMENT, sizeof *made, &why))) {
		size = suggestion->suggestion.after.size;
		same = tmap_alloc_raw((size_t)size, sizeof *same, &why);
		for (int r = 0; same && r < size; r++)
			same[r] = r;
		if (same)
			status = tmap_placement_select(
				&made->placement, &suggestion->suggestion.after, same, size, &why);
	}
	free(same);
	if (status == 0)
		return made;
	topomap_placement_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

/* The mapping as a job of a launcher; *job is released in any case. */
static int launch_init(struct tmap_launch *job, const struct topomap_suggestion *suggestion,
		       const char *launcher, const char *file, struct tmap_error *err)
{
	const struct tmap_suggestion *it = &suggestion->suggestion;
	int row;

	/* that of the placement */
	row = launcher ? tmap_word_find(&tmap_launchers_written, launcher, 0, err) :
			 tmap_origin_launcher(&it->before->origin).row;
	if (row == TMAP_NONE)
		return -1;
	if (!*file)
		return tmap_fail(err, TMAP_USAGE, "the file has no name");
	return tmap_launch_init(job, row, &it->after, it->before, it->place_of, file, err) < 0 ?
		-1 :
		tmap_launch_check(job, err);
}

struct launcher_file {
	const struct topomap_suggestion *suggestion;
	const char *launcher;
};

static int write_file(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct launcher_file *it = handle;
	struct tmap_launch job = { 0 };
	int status = launch_init(&job, it->suggestion, it->launcher, "-", err);

	if (status == 0 && tmap_launch_count_files(&job) > 1)
		status = tmap_fail(err, TMAP_INPUT, "%s needs %d files for this job",
				   job.launcher->word.name, tmap_launch_count_files(&job));
	if (status == 0)
		status = job.launcher->write(out, &job, 0, err);
	tmap_launch_fini(&job);
	return status;
}

int topomap_suggestion_write_launcher(const struct topomap_suggestion *suggestion,
				      const char *launcher, FILE *out, struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = { { "file", write_file }, { 0 } };
	const struct launcher_file file = { suggestion, launcher };
	struct tmap_error why;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) < 0 ||
	    tmap_public_write(writers, "file", out, &file, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}

char *topomap_suggestion_command(const struct topomap_suggestion *suggestion, const char *launcher,
				 const char *file, struct topomap_error *err)
{
	struct tmap_launch job = { 0 };
	struct tmap_error why;
	char *line = NULL;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) == 0 &&
	    tmap_argument_check(file, "file", &why) == 0 &&
	    launch_init(&job, suggestion, launcher, file, &why) == 0)
		line = tmap_launch_command(&job, &why);
	tmap_launch_fini(&job);
	if (!line)
		tmap_public_error(err, &why);
	return line;
}

char *topomap_suggestion_note(const struct topomap_suggestion *suggestion, const char *launcher,
			      const char *file, struct topomap_error *err)
{
	struct tmap_launch job = { 0 };
	struct tmap_error why;
	char *text = NULL;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) == 0 &&
	    tmap_argument_check(file, "file", &why) == 0 &&
	    launch_init(&job, suggestion, launcher, file, &why) == 0)
		text = tmap_launch_advice(&job, &why);
	tmap_launch_fini(&job);
	if (!text)
		tmap_public_error(err, &why);
	return text;
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_suggestion *it = handle;
	const struct tmap_origin_launcher launcher =
		tmap_origin_launcher(&it->suggestion.before->origin);

	return tmap_suggestion_write_json(&it->suggestion, &launcher, NULL, out, err);
}

int topomap_suggestion_write(const struct topomap_suggestion *suggestion, FILE *out,
			     struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = { { "json", write_json }, { 0 } };
	struct tmap_error why;

	if (tmap_handle_check(suggestion, TMAP_HANDLE_SUGGESTION, &why) < 0 ||
	    tmap_public_write(writers, "json", out, suggestion, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
