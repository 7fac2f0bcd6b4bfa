/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest_request.h"

#include "cli/base/level_costs.h"
#include "core/base/mem.h"
#include "core/cost/profile_choice.h"
#include "core/record/record_computing.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PRESET_SEED = 1,
	PRESET_MINIMUM_GAIN = 3,
	ROUTED_NODES = 4096, /* of so many nodes hops are counted though nobody asks for them */
};

bool tmap_suggest_request_asks(const struct tmap_suggest_request_args *args)
{
	const struct tmap_suggest_traffic_args *traffic = &args->traffic;
	const struct tmap_suggest_slots_args *slots = &args->slots;

	return traffic->calls.count || traffic->matrices.count || traffic->record.phase ||
		traffic->record.added.count || traffic->cart || traffic->stencil ||
		traffic->periods || traffic->bytes != TMAP_NONE ||
		traffic->matrix_format != TMAP_NONE || traffic->first || slots->pins.count ||
		slots->together.count || slots->leave_free || slots->kind != 0 ||
		slots->ranks != TMAP_NONE || args->mapper != TMAP_NONE || args->goal != TMAP_NONE ||
		args->level_costs || args->near.count || args->routes ||
		args->minimum_gain != PRESET_MINIMUM_GAIN || args->effort != TMAP_NONE ||
		args->seed != PRESET_SEED;
}

/* Mapper and objective depend on whether it is known what the ranks say. */
static int choose(struct tmap_suggestion_request *request,
		  const struct tmap_suggest_request_args *args, struct tmap_error *err)
{
	request->mapper = args->mapper == TMAP_NONE ?
		tmap_keywords_find(&tmap_mappers, request->traffic ? "best" : "walk", err) :
		args->mapper;
	request->criteria.goal = args->goal != TMAP_NONE ? (enum tmap_goal)args->goal :
		request->traffic                         ? TMAP_GOAL_SECONDS :
							   TMAP_GOAL_DISTANCE;
	if (args->level_costs && !request->traffic)
		return tmap_fail(
			err, TMAP_USAGE,
			"--level-costs needs communication: --for, --cart, --stencil or --matrix "
			"is missing, or a record");
	if (request->mapper != TMAP_NONE &&
	    tmap_mapper_at(request->mapper)->serves == TMAP_FOR_GRIDS &&
	    (!request->traffic || (!request->traffic->grid && !request->traffic->pattern)))
		return tmap_fail(
			err, TMAP_USAGE,
			"--mapper %s needs a grid of ranks: --cart is missing, or a matrix",
			tmap_keywords_at(&tmap_mappers, (size_t)request->mapper)->name);
	return request->mapper == TMAP_NONE ? -1 : 0;
}

/* What was asked, as options. */
static char *say_request(const struct tmap_suggest_request_args *args, int mapper,
			 struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_suggest_traffic_describe(&text, &args->traffic);
	tmap_suggest_slots_describe(&text, &args->slots);
	if (args->level_costs)
		tmap_str_addf(&text, "--level-costs %s ", args->level_costs);
	for (size_t i = 0; i < args->near.count; i++)
		tmap_str_addf(&text, "--near %s ", args->near.items[i]);
	if (args->routes)
		tmap_str_addf(&text, "--routes %s ", args->routes);
	if (args->goal != TMAP_NONE)
		tmap_str_addf(&text, "--objective %s ",
			      tmap_keywords_at(&tmap_goals, (size_t)args->goal)->name);
	if (args->minimum_gain != PRESET_MINIMUM_GAIN)
		tmap_str_addf(&text, "--minimum-gain %d ", args->minimum_gain);
	if (args->effort != TMAP_NONE)
		tmap_str_addf(&text, "--effort %" PRId64 " ", args->effort);
	if (args->seed != PRESET_SEED)
		tmap_str_addf(&text, "--seed %" PRId64 " ", args->seed);
	tmap_str_addf(&text, "--mapper %s", tmap_keywords_at(&tmap_mappers, (size_t)mapper)->name);
	return tmap_str_take(&text, err);
}

static int read_costs(struct tmap_suggest_request *it, const char *text,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_levels levels;
	int status;

	if (!text)
		return 0;
	if (tmap_levels_init(&levels, machine, err) < 0)
		return -1;
	status = tmap_level_costs_parse(&it->level_costs, text, &levels, err);
	it->request.criteria.level_cost = it->level_costs;
	it->request.criteria.level_cost_count = levels.count;
	tmap_levels_fini(&levels);
	return status < 0 ? tmap_wrap(err, "--level-costs") : 0;
}

static int read_near(struct tmap_suggest_request *it, const struct tmap_opt_list *list, int ranks,
		     struct tmap_error *err)
{
	it->near = tmap_alloc(list->count, sizeof *it->near, err);
	if (!it->near)
		return -1;
	if (list->count && !it->request.traffic)
		return tmap_fail(err, TMAP_USAGE,
				 "--near needs communication: --for, --cart, --stencil or --matrix "
				 "is missing, or a record");
	it->request.criteria.near = it->near;
	for (size_t i = 0; i < list->count; i++) {
		struct tmap_near *near = &it->near[i];
		int last = TMAP_NONE;

		if (tmap_near_parse(near, list->items[i], err) < 0)
			return tmap_wrap(err, "--near %s", list->items[i]);
		it->request.criteria.near_count++;
		for (int r = tmap_idset_next(&near->ranks, TMAP_NONE); r != TMAP_NONE && r < ranks;
		     r = tmap_idset_next(&near->ranks, r))
			last = r;
		last = tmap_idset_next(&near->ranks, last);
		if (last != TMAP_NONE) {
			tmap_fail(err, TMAP_INPUT, "rank %d is not one of the %d ranks", last,
				  ranks);
			return tmap_wrap(err, "--near %s", list->items[i]);
		}
	}
	return 0;
}

/* Those that are asked for, else the torus of the machine's network, if it is in one. */
static int read_routes(struct tmap_suggest_request *it, const char *text,
		       const struct tmap_machine *machine, struct tmap_error *err)
{
	bool is_asked = text || tmap_goal_has_hops(it->request.criteria.goal);

	if (text && !it->request.traffic)
		return tmap_fail(err, TMAP_USAGE,
				 "--routes needs communication: --for, --cart, --stencil or "
				 "--matrix is missing, or a record");
	if (!text && (!machine->torus.place || (!is_asked && machine->node_count > ROUTED_NODES)))
		return 0;
	if (text ? tmap_routes_parse(&it->routes, text, machine, err) < 0 :
		   tmap_routes_init_machine(&it->routes, machine, err) < 0)
		return text ? tmap_wrap(err, "--routes %s", text) : -1;
	it->request.criteria.routes = &it->routes;
	return 0;
}

/* Of the record that is mapped, where the costs are those of its machine. */
static int read_run(struct tmap_suggest_request *it, const struct tmap_suggest_request_args *args,
		    const struct tmap_record *record, struct tmap_error *err)
{
	const struct tmap_profile *profile = it->request.criteria.profile;

	if (!record || tmap_suggest_traffic_is_given(&args->traffic) || !profile->calibration ||
	    tmap_profile_is_guessed(profile))
		return 0;
	return tmap_record_run_time(
		&it->request.run, record,
		tmap_record_library(args->traffic.library, record, it->request.before).library,
		profile, err);
}

int tmap_suggest_request_init(struct tmap_suggest_request *it,
			      const struct tmap_suggest_request_args *args,
			      const struct tmap_record *record, const struct tmap_placement *job,
			      struct tmap_error *err)
{
	*it = (struct tmap_suggest_request){ .request = { .effort = args->effort,
							  .seed = (uint64_t)args->seed,
							  .minimum_gain =
								  args->minimum_gain / 100.0,
							  .by = "topomap suggest-rankfile" } };
	if (tmap_profile_option(&it->profile, args->profile, job, err) < 0)
		return -1;
	it->request.criteria.profile = &it->profile.profile;
	it->request.criteria.scale = TMAP_SCALE_PROCESS;
	if (tmap_suggest_slots_init(&it->slots, &args->slots, job, err) < 0)
		return -1;
	it->request.slots = &it->slots.slots;
	it->request.before = it->slots.launched;
	if (tmap_suggest_traffic_init(&it->traffic, &args->traffic, record, it->request.before,
				      err) < 0)
		return -1;
	if (it->traffic.is_known)
		it->request.traffic = &it->traffic.traffic;
	if (choose(&it->request, args, err) < 0 || read_run(it, args, record, err) < 0 ||
	    read_costs(it, args->level_costs, job->machine, err) < 0 ||
	    read_near(it, &args->near, it->request.before->size, err) < 0 ||
	    read_routes(it, args->routes, job->machine, err) < 0)
		return -1;
	it->request.request = it->options = say_request(args, it->request.mapper, err);
	return it->options ? 0 : -1;
}

void tmap_suggest_request_fini(struct tmap_suggest_request *it)
{
	free(it->options);
	free(it->level_costs);
	for (int i = 0; i < it->request.criteria.near_count; i++)
		tmap_near_fini(&it->near[i]);
	free(it->near);
	tmap_routes_fini(&it->routes);
	tmap_suggest_traffic_fini(&it->traffic);
	tmap_suggest_slots_fini(&it->slots);
	tmap_profile_request_fini(&it->profile);
	*it = (struct tmap_suggest_request){ 0 };
}
