/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the exact messages, added up literally, rank by rank; and for the least, that no
 * algorithm of the catalogue does with less, and which of them are known to need no more.
 */
#include "core/algorithms/catalogue.h"
#include "core/guidelines/forms.h"
#include "core/schedule/emit.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { MOST = 24, NODES = 4 };

/* Ranks on nodes: in a row or shuffled, equally many or not. */
static void draw(struct tmap_placement *p, struct dice *dice, bool in_a_row)
{
	struct tmap_machine *machine = machine_regular(
		NODES, (const struct test_level[]){ { TMAP_PACKAGE, 2 }, { TMAP_CORE, 3 }, { 0 } });
	int seat[MOST], size = 1 + dice_roll(dice, MOST);

	for (int i = 0; i < MOST; i++)
		seat[i] = i;
	if (!in_a_row)
		dice_shuffle(dice, seat, MOST);
	placement_seats_take(p, machine, seat, size);
}

struct sums {
	const struct tmap_placement *p;
	const int *adapter;
	int64_t rounds, out[4][MOST], in[4][MOST]; /* of ranks, nodes, lanes, adapters */
	int64_t heard[MOST], said[MOST]; /* the last round of each rank's messages, plus 1 */
	bool has_several;                /* messages of one rank in a round */
};

static int add(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct sums *sums = context;
	int from = message->from, to = message->to;
	int node_from = sums->p->node[from], node_to = sums->p->node[to];

	(void)e;
	if (message->round + 1 > sums->rounds)
		sums->rounds = message->round + 1;
	sums->has_several = sums->has_several || sums->heard[to] == message->round + 1 ||
		sums->said[from] == message->round + 1;
	sums->heard[to] = sums->said[from] = message->round + 1;
	sums->out[0][from] += message->bytes;
	sums->in[0][to] += message->bytes;
	if (node_from == node_to)
		return 0;
	sums->out[1][node_from] += message->bytes;
	sums->in[1][node_to] += message->bytes;
	sums->out[2][from] += message->bytes;
	sums->in[2][to] += message->bytes;
	sums->out[3][sums->adapter[from]] += message->bytes;
	sums->in[3][sums->adapter[to]] += message->bytes;
	return 0;
}

static int64_t largest(const struct sums *sums, int what)
{
	int64_t most = 0;

	for (int i = 0; i < MOST; i++) {
		most = sums->out[what][i] > most ? sums->out[what][i] : most;
		most = sums->in[what][i] > most ? sums->in[what][i] : most;
	}
	return most;
}

static void check_row(struct tmap_call *call, const struct tmap_placement *p, const int *adapter)
{
	const char *name = call->choice.row->word.name;
	const struct tmap_drive drive = { MOST, adapter };
	struct sums sums = { .p = p, .adapter = adapter };
	struct tmap_visitor visitor = { .message = add, .context = &sums };
	struct tmap_volume volume, least;

	if (tmap_call_check(call, &err) < 0)
		return;
	ck_assert_int_eq(tmap_schedule(call, &visitor, &err), 0);
	ck_assert_int_eq(tmap_volume_find(&volume, call, p, &drive, &err), 0);
	ck_assert_int_eq(tmap_volume_least(&least, call, p, &err), 0);
	ck_assert_msg(volume.rank_bytes == largest(&sums, 0) &&
			      volume.node_bytes == largest(&sums, 1) &&
			      volume.lane_bytes == largest(&sums, 2) &&
			      volume.adapter_bytes == largest(&sums, 3),
		      "%s, %d ranks, %lld bytes", name, call->size, (long long)call->bytes);
	/* rounds of folded messages may end with empty ones */
	ck_assert_int_ge(volume.rounds, sums.rounds);
	ck_assert_msg(volume.rank_bytes >= least.rank_bytes,
		      "%s: a rank moves %lld, less than "
		      "%lld",
		      name, (long long)volume.rank_bytes, (long long)least.rank_bytes);
	ck_assert_msg(volume.node_bytes >= least.node_bytes,
		      "%s: a node moves %lld, less than "
		      "%lld",
		      name, (long long)volume.node_bytes, (long long)least.node_bytes);
	if (call->bytes >= call->size && !sums.has_several)
		ck_assert_msg(sums.rounds >= least.rounds, "%s: %lld rounds", name,
			      (long long)sums.rounds);
}

START_TEST(busiest_is_who_moves_most_and_none_moves_less_than_the_least)
{
	static const int64_t bytes[] = { 96, 37, 5 };
	const struct tmap_keywords *words = tmap_algorithms((enum tmap_collective)_i);
	struct dice dice = { 31 };

	for (int round = 0; round < 60; round++) {
		struct tmap_call call = { .bytes = bytes[round % 3] };
		struct tmap_placement p;
		struct tmap_metric metric;
		int adapter[MOST];

		draw(&p, &dice, round % 2);
		ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
		call.size = p.size;
		call.metric = &metric;
		if (tmap_collective_rows[_i].has_root)
			call.root = dice_roll(&dice, p.size);
		for (int r = 0; r < MOST; r++)
			adapter[r] = r < p.size ? 2 * p.node[r] + dice_roll(&dice, 2) : 0;
		for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
			call.choice = tmap_spec_preset(words, row);
			check_row(&call, &p, adapter);
		}
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* Four nodes of four ranks, two adapters on each, at either package. */
static struct tmap_placement dual(void)
{
	struct tmap_machine *machine = machine_regular(
		4, (const struct test_level[]){ { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0 } });
	struct tmap_placement p;

	for (int i = 0; i < 2; i++) {
		struct tmap_device device = { .type = TMAP_NETWORK, .name = "mlx5_0" };

		device.name[5] = (char)('0' + i);
		device.object = tmap_topology_find(&machine->topology[0], TMAP_PACKAGE, i);
		ck_assert_int_eq(tmap_topology_add_device(&machine->topology[0], &device, &err), 0);
	}
	placement_block_take(&p, machine);
	return p;
}

static const struct tmap_form *form_of(const struct tmap_forms *forms, const char *name)
{
	for (int i = 0; i < forms->count; i++)
		if (strcmp(forms->form[i].name, name) == 0)
			return &forms->form[i];
	ck_abort_msg("there is no %s", name);
	return NULL;
}

/* By lanes half of a node's bytes go through each adapter; by one leader all through one. */
START_TEST(lanes_gain_of_several_adapters_and_leaders_do_not)
{
	struct tmap_placement p = dual();
	struct tmap_forms_request request = { .collective = TMAP_ALLREDUCE,
					      .bytes = 1 << 24,
					      .lanes = TMAP_NONE,
					      .adapters = TMAP_NONE,
					      .profile = tmap_profile_at(0) };
	const struct tmap_form *lane, *leader, *two;
	struct tmap_forms forms;

	ck_assert_msg(tmap_forms_init(&forms, &p, &request, &err) == 0, "%s", err.text);
	lane = form_of(&forms, "lane");
	leader = form_of(&forms, "lane,lanes=1");
	two = form_of(&forms, "lane,lanes=2");
	ck_assert_int_eq(forms.adapters, 2);
	ck_assert(forms.is_known);
	ck_assert_int_eq(lane->volume.node_bytes, forms.least.node_bytes);
	ck_assert_int_eq(lane->volume.adapter_bytes, lane->volume.node_bytes / 2);
	ck_assert_int_eq(lane->volume.lane_bytes, lane->volume.node_bytes / 4);
	ck_assert_int_eq(two->volume.adapter_bytes, two->volume.node_bytes / 2);
	ck_assert_int_eq(leader->volume.adapter_bytes, leader->volume.node_bytes);
	ck_assert_double_eq(lane->spread, 2);
	ck_assert(!forms.gains); /* the published figures of Summit are a node's */
	ck_assert_double_eq(lane->lane_seconds, lane->seconds);
	for (int i = 1; i < forms.applicable; i++)
		ck_assert_double_le(forms.form[i - 1].lane_seconds, forms.form[i].lane_seconds);
	tmap_forms_fini(&forms);
	request.adapters = 2; /* each as fast as those figures */
	ck_assert_int_eq(tmap_forms_init(&forms, &p, &request, &err), 0);
	lane = form_of(&forms, "lane");
	leader = form_of(&forms, "lane,lanes=1");
	ck_assert(forms.gains);
	ck_assert_double_eq(leader->lane_seconds, leader->seconds);
	ck_assert_double_lt(lane->lane_seconds, lane->seconds);
	tmap_forms_fini(&forms);
	request.adapters = 4; /* whatever is known */
	ck_assert_int_eq(tmap_forms_init(&forms, &p, &request, &err), 0);
	lane = form_of(&forms, "lane");
	ck_assert_int_eq(lane->volume.adapter_bytes, lane->volume.node_bytes / 4);
	tmap_forms_fini(&forms);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(what_moves_nothing_has_no_forms)
{
	struct tmap_placement p = dual();
	struct tmap_forms_request request = { .collective = TMAP_BARRIER,
					      .lanes = TMAP_NONE,
					      .adapters = TMAP_NONE,
					      .profile = tmap_profile_at(0) };
	struct tmap_forms forms;

	ck_assert_int_eq(tmap_forms_init(&forms, &p, &request, &err), -1);
	ck_assert_str_eq(err.text, "a barrier moves nothing over lanes");
	request.collective = TMAP_BCAST;
	request.root = 16;
	ck_assert_int_eq(tmap_forms_init(&forms, &p, &request, &err), -1);
	ck_assert_str_eq(err.text, "root 16 is not one of the 16 ranks");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(more_bytes_than_can_be_counted_are_refused)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm;
	} rows[] = {
		{ TMAP_BCAST, "flat" },      { TMAP_REDUCE, "flat" },    { TMAP_ALLREDUCE, "ring" },
		{ TMAP_ALLTOALL, "linear" }, { TMAP_ALLGATHER, "ring" },
	};
	static const int adapter[16];
	const struct tmap_drive drive = { 1, adapter };
	struct tmap_placement p = dual();

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct tmap_call call = { .size = 16, .bytes = INT64_MAX };
		struct tmap_volume volume;

		ck_assert_int_eq(
			tmap_call_parse(&call, rows[i].collective, rows[i].algorithm, &err), 0);
		ck_assert_int_eq(tmap_volume_least(&volume, &call, &p, &err), 0);
		ck_assert_int_eq(volume.rank_bytes, INT64_MAX);
		ck_assert_int_eq(tmap_volume_find(&volume, &call, &p, &drive, &err), -1);
		ck_assert_int_eq((int)err.kind, TMAP_INPUT);
		ck_assert_str_eq(err.text, "the schedule moves more than 2^63 - 1 bytes");
	}
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("volume");
	TCase *tests = tcase_create("volume");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, busiest_is_who_moves_most_and_none_moves_less_than_the_least, 0,
			    TMAP_BARRIER);
	tcase_add_test(tests, lanes_gain_of_several_adapters_and_leaders_do_not);
	tcase_add_test(tests, what_moves_nothing_has_no_forms);
	tcase_add_test(tests, more_bytes_than_can_be_counted_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
