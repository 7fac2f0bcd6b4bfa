/* SPDX-License-Identifier: BSD-3-Clause */
/* topomap-json(5) documents every member that is written, and no other; its examples are
 * documents. Oracle: the page itself, held against what the writers write when everything
 * that is optional is there. */
#include "core/base/mem.h"
#include "core/group/guided.h"
#include "core/tree/shapes.h"
#include "formats/base/input.h"
#include "formats/launchers/file_lint.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"
#include "formats/report/baseline/baseline_report.h"
#include "formats/report/comparison/comparison_report.h"
#include "formats/report/guidelines/guidelines_read.h"
#include "formats/report/guidelines/guidelines_report.h"
#include "formats/report/hierarchy/json_hierarchy.h"
#include "formats/report/inspection/json_inspection.h"
#include "formats/report/lanes/forms_report.h"
#include "formats/report/lanes/lanes_report.h"
#include "formats/report/lanes/recorded_lanes_report.h"
#include "formats/report/profile/agreement_report.h"
#include "formats/report/ring/json_ring.h"
#include "formats/report/score/score_report.h"
#include "formats/report/suggestion/json_suggestion.h"
#include "formats/report/times/lane_speedups_report.h"
#include "formats/report/times/lane_times_report.h"
#include "formats/report/times/measured_map_report.h"
#include "formats/report/times/measured_report.h"
#include "formats/report/times/times_report.h"
#include "formats/report/tree/json_tree.h"
#include "formats/rules/findings_report.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/rule_comparison_report.h"
#include "tests/support/launches.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "man/topomap-json.5.in"
#define MOST 300

static struct tmap_error err;

/* The ways to members: sorted, each once. */
struct ways {
	int count;
	char *way[MOST];
};

static void add_way(struct ways *ways, const char *way)
{
	int at = ways->count;

	for (int i = 0; i < ways->count; i++)
		if (strcmp(ways->way[i], way) == 0)
			return;
	ck_assert_int_lt(ways->count, MOST);
	while (at > 0 && strcmp(ways->way[at - 1], way) > 0) {
		ways->way[at] = ways->way[at - 1];
		at--;
	}
	ways->way[at] = strdup(way);
	ways->count++;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \n,:");
}

static const char *skip_string(const char *at)
{
	for (at++; *at != '"'; at++)
		at += *at == '\\';
	return at + 1;
}

/* Walks one JSON value of a document that is known to be well formed, way in front. */
static const char *walk(struct ways *ways, const char *at, const char *way)
{
	bool is_object = *at == '{';

	if (*at == '"')
		return skip_string(at);
	if (*at != '{' && *at != '[')
		return at + strcspn(at, ",]} \n");
	for (at = skip_blanks(at + 1); *at != '}' && *at != ']'; at = skip_blanks(at)) {
		char *inner;

		if (!is_object) {
			inner = tmap_format(&err, "%s[]", way);
		} else {
			const char *end = skip_string(at);

			inner = tmap_format(&err, "%s%s%.*s", way, *way ? "." : "",
					    (int)(end - at - 2), at + 1);
			/* a distance is no member, and help lists the figures of findings */
			if (!isdigit((unsigned char)at[1]) && !strstr(inner, ".figures."))
				add_way(ways, inner);
			at = skip_blanks(end);
		}
		at = walk(ways, at, inner);
		free(inner);
	}
	return at + 1;
}

/* What the page lists under ".Ss kind" up to the next heading. */
static void read_page(struct ways *ways, const char *kind)
{
	char *page, *heading = tmap_format(&err, "\n.Ss %s\n", kind), *at, *end;

	ck_assert_msg(tmap_input_read_text(PAGE, TMAP_INPUT_MOST, &page, &err) == 0, "%s",
		      err.text);
	at = strstr(page, heading);
	ck_assert_msg(at != NULL, "the page has no section '%s'", kind);
	at += strlen(heading);
	end = strstr(at, "\n.S");
	ck_assert_ptr_nonnull(end);
	while ((at = strstr(at, "\n.It Li ")) && at < end) {
		char *way;

		at += strlen("\n.It Li ");
		way = tmap_strndup(at, strcspn(at, "\n"), &err);
		add_way(ways, way);
		free(way);
	}
	free(heading);
	free(page);
}

/* A profile that has everything that predictions say of one. */
static const struct tmap_profile *whole_profile(void)
{
	static const struct tmap_calibration calibration = { .has_rho = true,
							     .rho = 0.97,
							     .regret = 1.02,
							     .choices = 4,
							     .choices_near = 2,
							     .choices_tied = 1,
							     .knows_quiet = true,
							     .sharing_ranks = 2 };
	static struct tmap_profile profile;

	profile = *tmap_profile_at(0);
	profile.date = "2026-11-26";
	profile.calibration = &calibration;
	profile.knows_placement = true;
	return &profile;
}

/* The nodes are a torus, too, in a row. */
static void machine_add_torus(struct tmap_machine *machine)
{
	const int dim[TMAP_TORUS_DIMENSIONS] = { machine->node_count, 1, 1 };
	int *place = calloc((size_t)machine->node_count, sizeof *place);

	for (int n = 0; n < machine->node_count; n++)
		place[n] = n;
	ck_assert_int_eq(tmap_machine_set_torus_take(machine, dim, place, &err), 0);
}

/* A placement that has everything: network, memories, devices, memory policy, last PUs. */
static struct tmap_placement whole_placement(void)
{
	static const struct test_level node_levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 1 }, { TMAP_L3, 1 }, { TMAP_CORE, 2 }, { 0 }
	};
	struct tmap_machine *machine = machine_regular(4, node_levels);
	const struct tmap_memory memory = { 0, 1, 1 << 20, "DRAM", false, 1 << 19 };
	const struct tmap_memory other = { 1, 1, 1 << 20, "HBM", false, 1 << 19 };
	const struct tmap_device
		network = { TMAP_NETWORK,          "ib0",        1,        TMAP_LINK_UP,
			    TMAP_LAYER_INFINIBAND, 100000000000, "mlx5_0", TMAP_CHOICE_YES },
		gpu = { .type = TMAP_GPU, .name = "cuda0", .object = 1 };
	struct tmap_system system = { .cpu_quota_thousandths = 1500,
				      .memory_limit_bytes = 1 << 20 };
	struct tmap_setting setting = { .program = (char *)"ocean",
					.threads = 2,
					.environment = true };
	struct tmap_idset pus = { 0 }, fast = { 0 };
	struct tmap_placement p;

	machine_add_switches(machine, 2);
	machine_add_torus(machine);
	ck_assert_int_eq(tmap_idset_add(&pus, 1, &err), 0);
	ck_assert_int_eq(tmap_topology_add_kind(&machine->topology[0], "small", &pus, &err), 0);
	ck_assert_int_eq(tmap_idset_add(&fast, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_add_kind(&machine->topology[0], "big", &fast, &err), 0);
	tmap_idset_fini(&fast);
	system.isolated = system.nohz_full = pus;
	ck_assert_int_eq(tmap_machine_add_system(machine, &system, &err), 0);
	for (int n = 0; n < machine->node_count; n++)
		ck_assert_int_eq(tmap_machine_set_system(machine, n, 0, &err), 0);
	tmap_idset_fini(&pus);
	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		setting.variable[i] = (char *)"4";
	ck_assert_int_eq(tmap_topology_add_memory(&machine->topology[0], &memory, &err), 0);
	ck_assert_int_eq(tmap_topology_add_memory(&machine->topology[0], &other, &err), 0);
	ck_assert_int_eq(tmap_topology_add_device(&machine->topology[0], &network, &err), 0);
	ck_assert_int_eq(tmap_topology_add_device(&machine->topology[0], &gpu, &err), 0);
	for (int i = 0; i < machine->topology[0].object_count; i++)
		machine->topology[0].object[i].size_bytes = 1 << 15;
	placement_block_take(&p, machine);
	ck_assert_int_eq(tmap_idset_add(&p.places[p.place[0]].memory, 0, &err), 0);
	p.last_pu = calloc((size_t)p.size, sizeof *p.last_pu);
	ck_assert_int_eq(tmap_placement_add_setting(&p, &setting, &err), 0);
	p.setting = calloc((size_t)p.size, sizeof *p.setting);
	p.world = calloc((size_t)p.size, sizeof *p.world);
	for (int r = 0; r < p.size; r++)
		p.world[r] = r;
	p.origin = (struct tmap_origin){ strdup("by"),          strdup("request"),
					 strdup("MPICH 4.0.2"), strdup("mpiexec (Hydra) 4.0.2"),
					 strdup("date"),        strdup("node***") };
	return p;
}

static void write_placement(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_placement_json_options options = { .matrix = true };

	ck_assert_int_eq(tmap_placement_write_json(p, out, &options, &err), 0);
}

/* What a comparison needs, and the members that it has: one baseline is built, one not. */
struct scene {
	int *world;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
	struct tmap_load load;
	struct tmap_baselines baselines;
	struct tmap_report report;
};

static void scene_init(struct scene *scene, const struct tmap_placement *p)
{
	*scene = (struct scene){ .world = calloc((size_t)p->size, sizeof *scene->world) };
	ck_assert_int_eq(tmap_metric_init(&scene->metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&scene->levels, p->machine, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&scene->model, p, &scene->metric, &scene->levels,
					      whole_profile(), &err),
			 0);
	scene->load = (struct tmap_load){ .process = &scene->metric,
					  .levels = &scene->levels,
					  .model = &scene->model,
					  .bytes = 1000,
					  .chunk_bytes = 100 };
	scene->baselines.load = &scene->load;
	scene->report = (struct tmap_report){ .scale = "process",
					      .world = scene->world,
					      .placement = p,
					      .baselines = &scene->baselines,
					      .note = "note",
					      .has_accesses = true };
}

static void scene_fini(struct scene *scene)
{
	tmap_baselines_fini(&scene->baselines);
	tmap_cost_model_fini(&scene->model);
	tmap_levels_fini(&scene->levels);
	tmap_metric_fini(&scene->metric);
	free(scene->world);
}

static void write_tree(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_spec choice = tmap_spec_preset(&tmap_tree_shapes, 0);
	struct scene scene;
	struct tmap_tree tree;

	scene_init(&scene, p);
	ck_assert_int_eq(tmap_tree_init(&tree, &scene.metric, 0, &err), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(
			tmap_baselines_add(&scene.baselines, "name", &choice, &tree, NULL, &err),
			0);
	ck_assert_int_eq(tmap_baselines_add_absent(&scene.baselines, "name", &choice, "why", &err),
			 0);
	ck_assert_int_eq(tmap_tree_write_report(&tree, &scene.report, p->machine, out, &err), 0);
	tmap_tree_fini(&tree);
	scene_fini(&scene);
}

static void write_ring(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_spec choice = tmap_spec_preset(&tmap_ring_shapes, 0);
	struct scene scene;
	struct tmap_ring ring;

	scene_init(&scene, p);
	ck_assert_int_eq(tmap_ring_init(&ring, &scene.metric, &err), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(
			tmap_baselines_add(&scene.baselines, "name", &choice, NULL, &ring, &err),
			0);
	ck_assert_int_eq(tmap_baselines_add_absent(&scene.baselines, "name", &choice, "why", &err),
			 0);
	ck_assert_int_eq(tmap_ring_write_report(&ring, &scene.report, p->machine, out, &err), 0);
	tmap_ring_fini(&ring);
	scene_fini(&scene);
}

/* What was recorded, with everything that an account may have. */
static struct tmap_record_account whole_account(void)
{
	static struct tmap_recorded_communicator world = { .size = 2, .name = (char *)"world" };
	static struct tmap_recorded_call call = { .collective = TMAP_RECORDED_BCAST,
						  .bytes = 8,
						  .calls = 1,
						  .seconds_sum = 2,
						  .seconds_max = 1 };
	static struct tmap_record_part phase = { .number = 1, .seconds = 2 };
	static struct tmap_record_totals phase_totals = { .calls = 1, .call_seconds = 1 };
	static const struct tmap_record record = {
		.placement = { .size = 2 },
		.chosen = (char *)"1",
		.phase_count = 1,
		.phase = &phase,
		.program = (char *)"a",
		.mpi = (char *)"MPICH 4.0",
		.date = (char *)"2026-11-27",
		.seconds = 2,
		.is_spawned = true,
		.left_out = { 1, 1, 1 },
		.files = { { .calls = 1, .bytes = 8, .most_bytes = 8, .ranks = 1 } },
		.sent = { { .count = 1 }, { .count = 1 }, { .count = 1 } },
		.communicator_count = 1,
		.communicator = &world,
		.call_count = 1,
		.call = &call
	};
	static struct tmap_record_level level = { .name = "node", .bytes = 8, .all_bytes = 16 };

	return (struct tmap_record_account){
		.record = &record,
		.costs = { .profile = tmap_profile_at(0) },
		.phase = &phase_totals,
		.totals = { .sent = { { .messages = 1, .bytes = 8 } },
			    .bytes = 8,
			    .pairs = 1,
			    .sizes = { 1 } },
		.levels = { .count = 1, .level = &level, .is_counted = true, .has_calls = true },
		.structure = { .kind = TMAP_STRUCTURE_GRID,
			       .share = 1,
			       .dimensions = 1,
			       .dim = { 2 } },
		.longest_count = 1,
		.longest = { { .share = 0.5,
			       .algorithm = "binomial_near",
			       .how = "its rules",
			       .possible_s = 1,
			       .other = (char *)"binary",
			       .knob = (char *)"--mca a 1",
			       .scope = (char *)"for bcast" } }
	};
}

/* The last rank runs another program. */
static void write_inspection(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_setting air = { .part = 1, .program = (char *)"air", .threads = 1 };
	const struct tmap_setting settings[] = { p->settings[0], air };
	struct tmap_placement programs = *p;
	struct tmap_mpmd parts;
	const struct tmap_origin_launcher launcher = tmap_origin_launcher(&p->origin);
	const int ranks[] = { 0, 1 };
	struct tmap_inspection inspection;
	struct tmap_advice advice;
	struct tmap_verdict verdict;
	struct tmap_lint lint;
	const struct tmap_record_account account = whole_account();

	programs.settings = (struct tmap_setting *)settings;
	programs.setting_count = 2;
	programs.setting = calloc((size_t)p->size, sizeof *programs.setting);
	ck_assert_ptr_nonnull(programs.setting);
	programs.setting[p->size - 1] = 1;
	ck_assert_int_eq(tmap_inspection_init(&inspection, &programs, TMAP_SCALE_PROCESS, &err), 0);
	/* of several programs there is no advice */
	parts = inspection.parts;
	inspection.parts.count = 0;
	ck_assert_int_eq(tmap_advice_init(&advice, &inspection, &err), 0);
	inspection.parts = parts;
	ck_assert_int_eq(
		tmap_lint_init(&lint, &inspection,
			       &(struct tmap_lint_request){ launcher.fixes, TMAP_KEYWORDS_BIT(0) },
			       &err),
		0);
	ck_assert_int_eq(tmap_verdict_init(&verdict, &inspection, &lint, &advice, &err), 0);
	/* members that this job has no reason for */
	advice.nodes = 1;
	advice.profile = *whole_profile();
	advice.order = advice.disputed = 0;
	advice.call[0].better_s = 1;
	if (!advice.call[0].knob) {
		advice.call[0].other = tmap_strdup("ring", &err);
		advice.call[0].knob = tmap_strdup("--mca a b", &err);
	}
	ck_assert_int_eq(tmap_json_write_inspection(
				 out, &inspection,
				 &(struct tmap_json_inspection_extras){ .lint = &lint,
									.verdict = &verdict,
									.launcher = &launcher,
									.record = &account,
									.rank = ranks,
									.count = 2,
									.matrix = true },
				 &err),
			 0);
	tmap_lint_fini(&lint);
	tmap_advice_fini(&advice);
	tmap_inspection_fini(&inspection);
	free(programs.setting);
}

static void write_comparison(FILE *out, const struct tmap_placement *p)
{
	struct tmap_comparison comparison;

	ck_assert_int_eq(tmap_comparison_init(&comparison, p, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_json_write_comparison(out, &comparison, &err), 0);
	tmap_comparison_fini(&comparison);
}

/* A gather has a root; one that cannot run needs a number of ranks that is odd. */
static void write_score(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_score_request bcast = { .collective = TMAP_BCAST,
						  .bytes = 8,
						  .profile = whole_profile() };
	const struct tmap_score_request gather = { .collective = TMAP_GATHER, .bytes = 8 };
	const struct tmap_score_request allgather = { .collective = TMAP_ALLGATHER, .bytes = 8 };
	const int odd[] = { 0, 1, 2 };
	struct tmap_placement part;
	struct tmap_score score;

	ck_assert_int_eq(tmap_score_init(&score, p, &gather, &err), 0);
	ck_assert_int_eq(tmap_json_write_score(out, &score, &err), 0);
	tmap_score_fini(&score);
	ck_assert_int_eq(tmap_score_init(&score, p, &bcast, &err), 0);
	ck_assert_int_eq(tmap_json_write_score(out, &score, &err), 0);
	tmap_score_fini(&score);
	ck_assert_int_eq(tmap_placement_subset(&part, p, odd, 3, &err), 0);
	ck_assert_int_eq(tmap_score_init(&score, &part, &allgather, &err), 0);
	ck_assert_int_eq(tmap_json_write_score(out, &score, &err), 0);
	tmap_score_fini(&score);
	tmap_placement_fini(&part);
}

/* Ranks out of order, and groups of them. */
static void write_lanes(FILE *out, const struct tmap_placement *p)
{
	const int order[] = { 0, 4, 1, 5 };
	struct tmap_placement part;
	struct tmap_lanes lanes;
	struct tmap_lanes_order fixed;
	struct tmap_adapters adapters;

	ck_assert_int_eq(tmap_placement_subset(&part, p, order, 4, &err), 0);
	ck_assert_int_eq(tmap_lanes_init(&lanes, &part, 1, &err), 0);
	ck_assert_int_eq(tmap_lanes_order_init(&fixed, &lanes, &err), 0);
	ck_assert_int_eq(tmap_adapters_init(&adapters, &lanes, &err), 0);
	ck_assert_int_eq(
		tmap_json_write_lanes(out, &(struct tmap_lanes_report){ &lanes, &fixed, &adapters },
				      &err),
		0);
	tmap_adapters_fini(&adapters);
	tmap_lanes_order_fini(&fixed);
	tmap_lanes_fini(&lanes);
	tmap_placement_fini(&part);
}

/* The members of "guided" are called as the types are; here all are TYPE. */
static void put_types(FILE *out, char *text)
{
	for (size_t i = 0; tmap_keywords_at(&tmap_resources, i); i++) {
		char *member = tmap_format(&err, "\n    \"%s\": {",
					   tmap_keywords_at(&tmap_resources, i)->name);
		char *at = strstr(text, member);

		ck_assert_ptr_nonnull(at);
		*at = '\0';
		fprintf(out, "%s\n    \"TYPE\": {", text);
		text = at + strlen(member);
		free(member);
	}
	fputs(text, out);
}

static void write_one_hierarchy(FILE *out, const struct tmap_placement *p)
{
	struct tmap_hierarchy h;
	struct tmap_hierarchy_statistics statistics;
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_hierarchy_init(&h, p, NULL, 0, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(tmap_hierarchy_statistics_init(&statistics, &h, &err), 0);
	ck_assert_int_eq(
		tmap_json_write_hierarchy(file,
					  &(struct tmap_hierarchy_view){ .placement = p,
									 .hierarchy = &h,
									 .statistics = &statistics,
									 .world = p->node },
					  &err),
		0);
	fclose(file);
	put_types(out, text);
	free(text);
	tmap_hierarchy_statistics_fini(&statistics);
	tmap_hierarchy_fini(&h);
}

/* Ranks on two cores overlap with those on one; more than 65536 ranks are written otherwise. */
static void write_hierarchy(FILE *out, const struct tmap_placement *p)
{
	const struct test_level node_levels[] = { { TMAP_NUMA, 2 }, { TMAP_CORE, 64 }, { 0 } };
	const struct tmap_device adapter = { .type = TMAP_NETWORK,
					     .name = "ib0",
					     .choice = TMAP_CHOICE_YES };
	struct tmap_placement chain, large;

	(void)p;
	placement_on_take(&chain, machine_regular(1, node_levels), 3);
	ck_assert_int_eq(tmap_topology_add_device(&chain.machine->topology[0], &adapter, &err), 0);
	placement_seat_pu(&chain, 0, 0, 0);
	placement_seat(&chain, 1, 0, 1);
	placement_seat_pu(&chain, 2, 0, 1);
	write_one_hierarchy(out, &chain);
	tmap_placement_fini(&chain);
	placement_block_take(&large, machine_regular(513, node_levels));
	write_one_hierarchy(out, &large);
	tmap_placement_fini(&large);
}

static void write_permutation(FILE *out, const struct tmap_placement *p)
{
	ck_assert_int_eq(write_launch(out, "permutation-json", p, 0, &err), 0);
}

static void write_file_lint(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_origin_launcher launcher = tmap_origin_launcher(&p->origin);
	struct tmap_file_findings findings = { 0 };

	ck_assert_int_eq(tmap_file_findings_add_take(&findings, "overlap", 3, strdup("why"),
						     strdup("what"), &err),
			 0);
	ck_assert_int_eq(tmap_file_findings_write_json(&findings, "F", &launcher, out, &err), 0);
	tmap_file_findings_fini(&findings);
}

static void write_suggestion_of(FILE *out, const struct tmap_placement *p, const char *mapper,
				const struct tmap_traffic *traffic)
{
	static const struct tmap_slots_excluded none;
	const struct tmap_origin_launcher launcher = tmap_origin_launcher(&p->origin);
	struct tmap_slots slots;
	struct tmap_routes routes;
	struct tmap_near near;
	struct tmap_suggestion suggestion;
	const struct tmap_suggestion_request request = {
		.run = { .recorded_s = 2, .computing_s = 1 },
		.slots = &slots,
		.before = p,
		.traffic = traffic,
		.by = "test",
		.request = "",
		.criteria = { .goal = TMAP_GOAL_SECONDS,
			      .profile = whole_profile(),
			      .routes = traffic ? &routes : NULL,
			      .near = &near,
			      .near_count = traffic ? 1 : 0 },
		.effort = 1000000,
		.mapper = tmap_keywords_find(&tmap_mappers, mapper, &err)
	};

	ck_assert_int_eq(tmap_routes_init_machine(&routes, p->machine, &err), 0);
	ck_assert_int_eq(tmap_near_parse(&near, "gpu=0", &err), 0);
	ck_assert_int_eq(tmap_slots_init(&slots, p, 0, &none, &err), 0);
	ck_assert_msg(tmap_suggestion_init(&suggestion, &request, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_suggestion_ask_others(&suggestion, &request, &err), 0);
	/* as where nobody said whose costs it is, beside the calibration of a profile that somebody named;
	 * something else does harm, or saves little in the mean */
	suggestion.robust = (struct tmap_robust){
		.machines = 7,
		.costs = 74,
		.other[TMAP_ROBUST_SEARCHED] = { .is_there = true,
						 .is_harmless = !traffic,
						 .own_gain = 2,
						 .beside_launched.part = traffic ? 0.1 : 0 },
	};
	ck_assert_int_eq(tmap_suggestion_write_json(&suggestion, &launcher, "mpirun", out, &err),
			 0);
	tmap_suggestion_fini(&suggestion);
	tmap_slots_fini(&slots);
	tmap_routes_fini(&routes);
	tmap_near_fini(&near);
}

/* With traffic, of two ranks on different nodes, and without. */
static void write_suggestion(FILE *out, const struct tmap_placement *p)
{
	struct tmap_pattern_builder builder;
	struct tmap_pattern pattern;
	const struct tmap_traffic traffic = { .pattern = &pattern };

	ck_assert_int_eq(tmap_pattern_builder_init(&builder, p->size, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&builder, 0, 4, 1e6, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &builder, &err), 0);
	write_suggestion_of(out, p, "radix", &traffic);
	write_suggestion_of(out, p, "walk", NULL);
	tmap_pattern_fini(&pattern);
}

/* A gather has a root; a thousand lanes do not exist. */
static void write_forms(FILE *out, const struct tmap_placement *p)
{
	const char *const algorithm[] = { "lane", "lane,lanes=1000" };
	const struct tmap_forms_request request = { .collective = TMAP_GATHER,
						    .bytes = 8,
						    .lanes = TMAP_NONE,
						    .adapters = TMAP_NONE,
						    .algorithm = algorithm,
						    .algorithm_count = 2,
						    .profile = whole_profile() };
	struct tmap_forms forms;

	ck_assert_int_eq(tmap_forms_init(&forms, p, &request, &err), 0);
	ck_assert_int_eq(tmap_json_write_forms(out, &forms, &err), 0);
	tmap_forms_fini(&forms);
}

/* A program in whose phases some calls are compared, and some are not. */
static void write_recorded_lanes(FILE *out, const struct tmap_placement *p)
{
	struct tmap_recorded_communicator world = { .size = p->size, .name = (char *)"world" };
	struct tmap_recorded_call call = {
		.collective = TMAP_RECORDED_BCAST, .calls = 1, .seconds_sum = 2, .seconds_max = 1
	};
	const struct tmap_record record = { .placement = *p,
					    .program = (char *)"lmp",
					    .mpi = (char *)"Open MPI v4.1.4",
					    .date = (char *)"2026-11-27T10:00:00Z",
					    .seconds = 10,
					    .communicator_count = 1,
					    .communicator = &world,
					    .call_count = 1,
					    .call = &call,
					    .chosen = (char *)"1" };
	struct tmap_recorded_lanes_place place = { .adapters = 1, .reason = (char *)"none" };
	struct tmap_recorded_lanes_call compared = { .algorithm = "binary",
						     .form = (char *)"lane" };
	struct tmap_recorded_lanes_left left = { .reason = (char *)"none", .kinds = 1 };
	const struct tmap_recorded_lanes lanes = { .record = &record,
						   .request = { .profile = whole_profile() },
						   .place_count = 1,
						   .place = &place,
						   .count = 1,
						   .call = &compared,
						   .left_count = 1,
						   .left = &left };

	ck_assert_int_eq(tmap_json_write_recorded_lanes(out, &lanes, &err), 0);
}

/* With all repetitions, as of two launches, and on a virtual topology. */
static void write_times(FILE *out, const struct tmap_placement *p)
{
	double seconds[2] = { 1e-6, 1e-6 };
	struct tmap_box box[2] = { { 0 } };
	struct tmap_experiment experiment = {
		.collective = TMAP_COLLECTIVE_COUNT,
		.on = { TMAP_VIRTUAL_NEIGHBOR_ALLGATHER,
			{ .stencil = TMAP_STENCIL_VONNEUMANN, .radius = 1, .dimensions = 1 } },
		.algorithm = (char *)"native",
		.repetitions = 1,
		.seconds = { .has_interval = true },
		.run_count = 2,
		.run = seconds,
		.box = box,
		.raw = seconds,
		.like[TMAP_LIKE_OSU] = { .repetitions = 1 },
	};
	struct tmap_left_out left_out = { experiment, (char *)"no memory" };
	int64_t seeds[] = { 0, 1 };
	const struct tmap_times times = { .placement = *p,
					  .mpi = (char *)"MPICH 4.0.2",
					  .date = (char *)"2026-01-01T00:00:00Z",
					  .sync = (char *)"clock",
					  .clock = { .clocks = 1 },
					  .off_cache = 1,
					  .neighborhood = { (char *)"moore:1", (char *)"2x2",
							    (char *)"1,1", (char *)"fmaj" },
					  .by_rounds = true,
					  .says_rounds = true,
					  .has_seed = true,
					  .seeds = seeds,
					  .seed_count = 2,
					  .is_interrupted = true,
					  .count = 1,
					  .experiment = &experiment,
					  .left_out_count = 1,
					  .left_out = &left_out };

	ck_assert_int_eq(tmap_json_write_times(out, &times, &err), 0);
}

/* As topomap-bench writes it with --raw, and what lanes --times says of it. */
static struct tmap_lane_times lanes_measured(const struct tmap_times *job)
{
	static double seconds = 1e-6;
	static struct tmap_lane_experiment experiment = {
		.lanes = 1,
		.repetitions = 1,
		.seconds = { .has_interval = true },
		.time = &seconds,
		.has_speedup = true,
		.speedup = { .ratio = 1, .has_interval = true },
	};

	return (struct tmap_lane_times){
		.job = job, .exchanges = 1, .count = 1, .experiment = &experiment
	};
}

static void write_lane_times(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_times job = { .placement = *p,
					.mpi = (char *)"MPICH 4.0.2",
					.date = (char *)"2026-01-01T00:00:00Z",
					.sync = (char *)"clock",
					.clock = { .clocks = 1 },
					.has_seed = true,
					.is_interrupted = true };
	const struct tmap_lane_times times = lanes_measured(&job);

	ck_assert_int_eq(tmap_json_write_lane_times(out, &times, true, &err), 0);
}

static void write_lane_speedups(FILE *out, const struct tmap_placement *p)
{
	const struct tmap_times job = { .placement = *p,
					.mpi = (char *)"MPICH 4.0.2",
					.is_interrupted = true };
	const struct tmap_lane_times times = lanes_measured(&job);
	struct tmap_lane_prediction prediction = { 0 };
	const struct tmap_lane_predictions predictions = { .prediction = &prediction };
	const struct tmap_lane_speedups speedups = { &times, &predictions, whole_profile() };

	ck_assert_int_eq(tmap_json_write_lane_speedups(out, &speedups, &err), 0);
}

static void measured_write(FILE *out, const struct tmap_placement *p, bool is_one)
{
	struct tmap_experiment experiment = { .algorithm = (char *)"ring" };
	struct tmap_measured_row row = { .experiment = &experiment, .is_own = true };
	struct tmap_measured_size size = { .count = 1, .row = &row, .own_count = 1 };
	const struct tmap_times times = {
		.placement = *p,
		.is_interrupted = true,
		.by_rounds = true,
		.says_rounds = true,
		.neighborhood = { .stencil = is_one ? NULL : (char *)"cross",
				  .cart = (char *)"2x4",
				  .periods = (char *)"1,0",
				  .order = (char *)"row-major" },
	};
	const struct tmap_measured measured = { .collective = is_one ? TMAP_ALLGATHER :
								       TMAP_NEIGHBOR_ALLGATHER,
						.times = &times,
						.profile = whole_profile(),
						.count = 1,
						.size = &size };

	ck_assert_int_eq(is_one ? tmap_json_write_measured(out, &measured, &err) :
				  tmap_json_write_all_measured(out, &measured, 1, &err),
			 0);
}

static void write_measured(FILE *out, const struct tmap_placement *p)
{
	measured_write(out, p, true);
}

static void write_all_measured(FILE *out, const struct tmap_placement *p)
{
	measured_write(out, p, false);
}

static void write_measured_map(FILE *out, const struct tmap_placement *p)
{
	static int ranks = 2;
	static int64_t bytes = 8;
	static const char *name = "ring";
	const struct tmap_times times = { .placement = *p,
					  .mpi = (char *)"MPICH 4.0.2",
					  .is_interrupted = true,
					  .neighborhood = { .stencil = (char *)"moore:1",
							    .cart = (char *)"1x2",
							    .periods = (char *)"1,0",
							    .order = (char *)"fmaj" } };
	const struct tmap_times_neighborhood *neighborhood = &times.neighborhood;
	struct tmap_measured_cell cell = { .count = 1, .second = TMAP_NONE };
	const struct tmap_measured_map map = { .times = &times,
					       .rank_count = 1,
					       .size_count = 1,
					       .ranks = &ranks,
					       .neighborhood = &neighborhood,
					       .bytes = &bytes,
					       .cell = &cell,
					       .name_count = 1,
					       .best_count = 1,
					       .shown_count = 1,
					       .name = &name };

	ck_assert_int_eq(tmap_json_write_measured_map(out, &map, &err), 0);
}

/* Ranks out of order have no scan by lanes; one guideline is measured. */
static void write_guidelines(FILE *out, const struct tmap_placement *p)
{
	static const char measured[] =
		"{\"kind\": \"guidelines\", \"format\": 1, \"size\": 4, \"guidelines\": "
		"[{\"name\": \"scan <= exscan\", \"measured\": {\"native_seconds\": 2, "
		"\"mockup_seconds\": 1}}]}";
	const struct tmap_guidelines_request request = { .collective = TMAP_SCAN,
							 .bytes = 8,
							 .profile = whole_profile() };
	const int order[] = { 0, 4, 1, 5 };
	struct tmap_guidelines guidelines;
	struct tmap_placement part;
	struct tmap_json doc;

	ck_assert_int_eq(tmap_placement_subset(&part, p, order, 4, &err), 0);
	ck_assert_int_eq(tmap_guidelines_init(&guidelines, &part, &request, &err), 0);
	ck_assert_int_eq(tmap_json_parse(&doc, measured, strlen(measured), "measured", &err), 0);
	ck_assert_msg(tmap_json_get_measured(&doc, &guidelines, &err) == 0, "%s", err.text);
	tmap_json_fini(&doc);
	ck_assert_int_eq(tmap_json_write_guidelines(out, &guidelines, &err), 0);
	tmap_guidelines_fini(&guidelines);
	tmap_placement_fini(&part);
}

/* Rows of messages, of what is shared and of a link. */
static void write_agreement(FILE *out, const struct tmap_placement *p)
{
	struct tmap_profile_agreement agreement;

	(void)p;
	ck_assert_int_eq(
		tmap_profile_agreement_init(&agreement, whole_profile(), whole_profile(), &err), 0);
	ck_assert_int_eq(tmap_json_write_agreement(out, &agreement, &err), 0);
	tmap_profile_agreement_fini(&agreement);
}

/* Of rules, one of which is for an algorithm that allgather lacks. */
static void write_rules(FILE *out, const struct tmap_placement *p, bool is_lint)
{
	struct tmap_rule_file rules = { 0 }, none = { 0 };
	struct tmap_rule_findings findings = { 0 };
	struct tmap_rule_comparison comparison;
	struct tmap_tune_places places;

	ck_assert_int_eq(tmap_tune_places_init(&places, p, whole_profile(), &err), 0);
	ck_assert_int_eq(
		tmap_openmpi_rules_parse(&rules, "2\n0 1 2 1\n0 9 0 0\n7 1 2 1\n0 1 0 0\n", &err),
		0);
	ck_assert_int_eq(tmap_rule_lint(&findings, &rules, 0, NULL, 64, &err), 0);
	ck_assert_int_eq(
		tmap_rule_comparison_init(&comparison, &rules, &none, 0, 0, &places, 64, &err), 0);
	if (is_lint)
		ck_assert_int_eq(tmap_rule_findings_write_json(out, &findings, 0, "F", &err), 0);
	else
		ck_assert_int_eq(
			tmap_json_write_rule_comparison(
				out,
				&(struct tmap_rule_comparison_report){ &comparison, "F", NULL },
				&err),
			0);
	tmap_rule_comparison_fini(&comparison);
	tmap_rule_findings_fini(&findings);
	tmap_rule_file_fini(&rules);
	tmap_tune_places_fini(&places);
}

static void write_rule_lint(FILE *out, const struct tmap_placement *p)
{
	write_rules(out, p, true);
}

static void write_rule_comparison(FILE *out, const struct tmap_placement *p)
{
	write_rules(out, p, false);
}

static const struct {
	const char *kind;
	void (*write)(FILE *out, const struct tmap_placement *p);
} documents[] = {
	{ "placement", write_placement },
	{ "tree", write_tree },
	{ "ring", write_ring },
	{ "inspection", write_inspection },
	{ "comparison", write_comparison },
	{ "score", write_score },
	{ "profile_agreement", write_agreement },
	{ "hierarchy", write_hierarchy },
	{ "lanes", write_lanes },
	{ "permutation", write_permutation },
	{ "file_lint", write_file_lint },
	{ "rule_lint", write_rule_lint },
	{ "rule_comparison", write_rule_comparison },
	{ "suggestion", write_suggestion },
	{ "forms", write_forms },
	{ "recorded_lanes", write_recorded_lanes },
	{ "guidelines", write_guidelines },
	{ "times", write_times },
	{ "measured", write_measured },
	{ "measured_collectives", write_all_measured },
	{ "measured_map", write_measured_map },
	{ "lane_times", write_lane_times },
	{ "lane_speedups", write_lane_speedups },
};

/* Members that are as others are, which the page documents once. */
static void drop_same(struct ways *ways)
{
	static const char *const same[] = { "after.", "baselines.block.", "baselines.cyclic.",
					    "placement.", "collectives[].sizes[]." };
	int kept = 0;

	for (int i = 0; i < ways->count; i++) {
		bool is_same = false;

		for (size_t k = 0; k < sizeof same / sizeof *same; k++)
			is_same |= strncmp(ways->way[i], same[k], strlen(same[k])) == 0;
		if (is_same)
			free(ways->way[i]);
		else
			ways->way[kept++] = ways->way[i];
	}
	ways->count = kept;
}

START_TEST(the_page_documents_what_is_written)
{
	struct ways written = { 0 }, documented = { 0 };
	struct tmap_placement p = whole_placement();
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	documents[_i].write(out, &p);
	fclose(out);
	for (const char *at = text; *at; at = skip_blanks(at))
		at = walk(&written, at, "");
	if (strcmp(documents[_i].kind, "placement") != 0)
		drop_same(&written);
	read_page(&documented, documents[_i].kind);
	ck_assert_int_gt(written.count, 3);
	for (int i = 0; i < written.count || i < documented.count; i++) {
		const char *a = i < written.count ? written.way[i] : "nothing";
		const char *b = i < documented.count ? documented.way[i] : "nothing";

		ck_assert_msg(strcmp(a, b) == 0, "%s: '%s' is written where '%s' is documented",
			      documents[_i].kind, a, b);
	}
	for (int i = 0; i < written.count; i++) {
		free(written.way[i]);
		free(documented.way[i]);
	}
	free(text);
	tmap_placement_fini(&p);
}
END_TEST

/* The literal display number @p index under EXAMPLES, in a file of its own. */
static void put_example(int index, char path[])
{
	char *page, *at, *end;
	FILE *file;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_msg(tmap_input_read_text(PAGE, TMAP_INPUT_MOST, &page, &err) == 0, "%s",
		      err.text);
	at = strstr(page, ".Sh EXAMPLES");
	ck_assert_ptr_nonnull(at);
	for (int i = 0; i <= index; i++) {
		at = strstr(at, ".Bd -literal\n");
		ck_assert_ptr_nonnull(at);
		at += strlen(".Bd -literal\n");
	}
	end = strstr(at, ".Ed");
	file = fdopen(fd, "w");
	ck_assert_uint_eq(fwrite(at, 1, (size_t)(end - at), file), (size_t)(end - at));
	fclose(file);
	free(page);
}

/* The list @p member of an example of @p kind over 4 ranks. */
static int *read_example(const char *file, const char *kind, const char *member)
{
	struct tmap_json doc;
	int *list;

	ck_assert_msg(tmap_json_read(&doc, file, &err) == 0, "%s", err.text);
	ck_assert_msg(tmap_json_check_kind(&doc, kind, &err) == 0, "%s", err.text);
	list = tmap_json_get_list(&doc, member, 4, TMAP_NONE, 3, &err);
	ck_assert_msg(list != NULL, "%s", err.text);
	tmap_json_fini(&doc);
	return list;
}

START_TEST(the_examples_of_the_page_are_read)
{
	char files[4][32] = { "/tmp/topomap-test-XXXXXX", "/tmp/topomap-test-XXXXXX",
			      "/tmp/topomap-test-XXXXXX", "/tmp/topomap-test-XXXXXX" };
	struct tmap_profile_request profile;
	struct tmap_placement p;
	int *parent, *order;

	for (int i = 0; i < 4; i++)
		put_example(i, files[i]);
	ck_assert_msg(tmap_placement_read_json(&p, files[0], &err) == 0, "%s", err.text);
	ck_assert_int_eq(p.node[5], 1);
	ck_assert_int_eq(p.place[5], 2);
	parent = read_example(files[1], "tree", "parent");
	ck_assert_int_eq(parent[3], 2);
	order = read_example(files[2], "ring", "order");
	ck_assert_int_eq(order[3], 3);
	ck_assert_msg(tmap_profile_choose(&profile, files[3], NULL, &err) == 0, "%s", err.text);
	ck_assert_int_eq(profile.profile.row_count, 3);
	tmap_profile_request_fini(&profile);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(remove(files[i]), 0);
	tmap_placement_fini(&p);
	free(parent);
	free(order);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("json_manual");
	TCase *tests = tcase_create("json_manual");

	tcase_add_loop_test(tests, the_page_documents_what_is_written, 0,
			    (int)(sizeof documents / sizeof documents[0]));
	tcase_add_test(tests, the_examples_of_the_page_are_read);
	suite_add_tcase(suite, tests);
	return suite;
}
