#include "core/mappers/mapper.h"

#include "core/mappers/rows.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct tm_mapper rows[] = {
	{ { "walk", "neighbouring ranks close together: the machine walked depth first" },
	  true, tm_map_walk },
	{ { "identity", "every rank stays where it is" }, false, tm_map_identity },
	{ { "block", "one node filled after the other" }, true, tm_map_block },
	{ { "cyclic", "a rank for each node in turn" }, true, tm_map_cyclic },
	{ { "plane", "so many ranks for each node in turn: the best number" },
	  true, tm_map_plane },
	{ { "radix", "the best order in which ranks can count through the levels" },
	  true, tm_map_radix },
	{ { NULL, NULL }, false, NULL },
};

const struct tm_words tm_mappers = TM_WORDS("mapper", rows);

const struct tm_mapper *tm_mapper_at(int index)
{
	return &rows[index];
}

void tm_mapping_fini(struct tm_mapping *mapping)
{
	free(mapping->slot_of);
	free(mapping->how);
	*mapping = (struct tm_mapping){ 0 };
}

static int take_best(struct tm_mapping *mapping, struct tm_quest *quest, int64_t effort,
		     struct tm_error *err)
{
	int *slot_of = tm_alloc_raw((size_t)quest->size, sizeof *slot_of, err);

	if (!slot_of)
		return -1;
	memcpy(slot_of, quest->best, (size_t)quest->size * sizeof *slot_of);
	*mapping = (struct tm_mapping){ quest->size, slot_of, quest->best_measures,
					quest->best_row, quest->best_how, effort - quest->left };
	quest->best_how = NULL;
	return 0;
}

int tm_map(struct tm_mapping *mapping, struct tm_objective *objective, int mapper, int64_t effort,
	   uint64_t seed, struct tm_error *err)
{
	struct tm_quest quest;
	int status;

	if (tm_quest_init(&quest, objective, effort, seed, err) < 0)
		return -1;
	quest.row = mapper;
	status = rows[mapper].map(&quest, err);
	if (status == 0)
		status = take_best(mapping, &quest, effort, err);
	tm_quest_fini(&quest);
	return status;
}

/* Rank r talks to r + 1, the last one to the first. */
static int make_ring(struct tm_pattern *ring, int size, struct tm_error *err)
{
	struct tm_pattern_builder builder;
	int status;

	if (tm_pattern_builder_init(&builder, size, err) < 0)
		return -1;
	status = 0;
	for (int r = 0; r < size && status == 0; r++)
		status = tm_pattern_add(&builder, r, (r + 1) % size, 1, err);
	if (status == 0)
		status = tm_pattern_finish(ring, &builder, err);
	tm_pattern_builder_fini(&builder);
	return status;
}

static int map_ring(struct tm_mapping *mapping, int mapper, const struct tm_placement *p,
		    const struct tm_pattern *ring, struct tm_error *err)
{
	static const struct tm_slots_spared none;
	struct tm_traffic traffic = { .pattern = ring };
	struct tm_aim aim = { TM_GOAL_DISTANCE, tm_profile_at(0), TM_SCALE_PROCESS, NULL, 0 };
	struct tm_objective objective;
	struct tm_slots slots;
	int status;

	if (tm_slots_init(&slots, p, 0, &none, err) < 0)
		return -1;
	status = tm_objective_init(&objective, &slots, &traffic, &aim, err);
	if (status == 0) {
		status = tm_map(mapping, &objective, mapper, TM_EFFORT, 1, err);
		tm_objective_fini(&objective);
	}
	tm_slots_fini(&slots);
	return status;
}

int *tm_mapper_run(int index, const struct tm_placement *p, struct tm_error *err)
{
	struct tm_mapping mapping = { 0 };
	struct tm_pattern ring;
	int *slot_of;

	if (make_ring(&ring, p->size, err) < 0)
		return NULL;
	if (map_ring(&mapping, index, p, &ring, err) < 0)
		mapping.slot_of = NULL;
	tm_pattern_fini(&ring);
	slot_of = mapping.slot_of;
	mapping.slot_of = NULL;
	tm_mapping_fini(&mapping);
	return slot_of;
}
