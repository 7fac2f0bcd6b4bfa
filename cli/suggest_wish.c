#include "cli/suggest_wish.h"

#include "cli/base/level_costs.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PRESET_SEED = 1 };

bool tm_suggest_wish_asks(const struct tm_suggest_wish_args *args)
{
	const struct tm_suggest_traffic_args *traffic = &args->traffic;
	const struct tm_suggest_slots_args *slots = &args->slots;

	return traffic->calls.count || traffic->matrices.count || traffic->cart ||
	       traffic->stencil || traffic->periods || traffic->bytes != TM_NONE ||
	       traffic->matrix_format != TM_NONE || slots->pins.count || slots->together.count ||
	       slots->leave_free || slots->kind != 0 || slots->ranks != TM_NONE ||
	       args->mapper != TM_NONE || args->goal != TM_NONE || args->level_costs ||
	       args->effort != TM_EFFORT || args->seed != PRESET_SEED;
}

/* Mapper and objective depend on whether it is known what the ranks say. */
static int choose(struct tm_wish *wish, const struct tm_suggest_wish_args *args,
		  struct tm_error *err)
{
	wish->mapper = args->mapper == TM_NONE ?
		       tm_words_find(&tm_mappers, wish->traffic ? "best" : "walk", err) :
		       args->mapper;
	wish->aim.goal = args->goal != TM_NONE ? (enum tm_goal)args->goal :
			 wish->traffic ? TM_GOAL_SECONDS : TM_GOAL_DISTANCE;
	if (args->level_costs && !wish->traffic)
		return tm_fail(err, TM_USAGE, "--level-costs weighs what the ranks say: --for, --cart, "
			       "--stencil or --matrix is missing");
	if (wish->mapper != TM_NONE && tm_mapper_at(wish->mapper)->serves == TM_FOR_GRIDS &&
	    (!wish->traffic || !wish->traffic->grid))
		return tm_fail(err, TM_USAGE, "--mapper %s is of a grid of ranks: --cart is missing",
			       tm_words_at(&tm_mappers, (size_t)wish->mapper)->name);
	return wish->mapper == TM_NONE ? -1 : 0;
}

/* What was asked, as options. */
static char *say_request(const struct tm_suggest_wish_args *args, int mapper, struct tm_error *err)
{
	struct tm_str text = TM_STR_INIT;

	tm_suggest_traffic_say(&text, &args->traffic);
	tm_suggest_slots_say(&text, &args->slots);
	if (args->level_costs)
		tm_str_addf(&text, "--level-costs %s ", args->level_costs);
	if (args->goal != TM_NONE)
		tm_str_addf(&text, "--objective %s ",
			    tm_words_at(&tm_goals, (size_t)args->goal)->name);
	if (args->effort != TM_EFFORT)
		tm_str_addf(&text, "--effort %" PRId64 " ", args->effort);
	if (args->seed != PRESET_SEED)
		tm_str_addf(&text, "--seed %" PRId64 " ", args->seed);
	tm_str_addf(&text, "--mapper %s", tm_words_at(&tm_mappers, (size_t)mapper)->name);
	return tm_str_take(&text, err);
}

static int read_costs(struct tm_suggest_wish *it, const char *text,
		      const struct tm_machine *machine, struct tm_error *err)
{
	struct tm_levels levels;
	int status;

	if (!text)
		return 0;
	if (tm_levels_init(&levels, machine, err) < 0)
		return -1;
	status = tm_level_costs_parse(&it->level_costs, text, &levels, err);
	it->wish.aim.level_cost = it->level_costs;
	it->wish.aim.level_cost_count = levels.count;
	tm_levels_fini(&levels);
	return status < 0 ? tm_wrap(err, "--level-costs") : 0;
}

int tm_suggest_wish_init(struct tm_suggest_wish *it, const struct tm_suggest_wish_args *args,
			 const struct tm_placement *job, struct tm_error *err)
{
	*it = (struct tm_suggest_wish){ .wish = { .effort = args->effort,
						  .seed = (uint64_t)args->seed,
						  .by = "topomap suggest-rankfile" } };
	if (tm_profile_choose(&it->profile, args->profile, err) < 0)
		return tm_wrap(err, "--profile");
	it->wish.aim.profile = &it->profile.profile;
	it->wish.aim.scale = TM_SCALE_PROCESS;
	if (tm_suggest_slots_init(&it->slots, &args->slots, job, err) < 0)
		return -1;
	it->wish.slots = &it->slots.slots;
	it->wish.before = it->slots.launched;
	if (tm_suggest_traffic_init(&it->traffic, &args->traffic, it->wish.before, err) < 0)
		return -1;
	if (it->traffic.is_known)
		it->wish.traffic = &it->traffic.traffic;
	if (choose(&it->wish, args, err) < 0 ||
	    read_costs(it, args->level_costs, job->machine, err) < 0)
		return -1;
	it->wish.request = it->request = say_request(args, it->wish.mapper, err);
	return it->request ? 0 : -1;
}

void tm_suggest_wish_fini(struct tm_suggest_wish *it)
{
	free(it->request);
	free(it->level_costs);
	tm_suggest_traffic_fini(&it->traffic);
	tm_suggest_slots_fini(&it->slots);
	tm_profile_choice_fini(&it->profile);
	*it = (struct tm_suggest_wish){ 0 };
}
