/* SPDX-License-Identifier: BSD-3-Clause */
/* What changes a digest and what does not; the oracle is a list of both. */
#include "core/machine/placement_digest.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct test_level node_levels[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { TMAP_PU, 2 }, { 0 }
};

/* 6 nodes under switches of 2; @p rank[r] is the PU of rank r, counted over the nodes. */
static void seat(struct tmap_placement *p, const int *rank, int size, bool switches)
{
	struct tmap_machine *machine = machine_regular(6, node_levels);

	if (switches)
		machine_add_switches(machine, 2);
	placement_on_take(p, machine, size);
	for (int r = 0; r < size; r++)
		placement_seat_pu(p, r, rank[r] / 8, rank[r] % 8);
}

static void digest_of(const struct tmap_placement *p, char text[TMAP_PLACEMENT_DIGEST_ROOM])
{
	ck_assert_int_eq(tmap_placement_digest(p, text, &err), 0);
	ck_assert_uint_eq(strlen(text), 16);
}

static bool is_same(const int *a, int a_size, const int *b, int b_size, bool switches)
{
	char one[TMAP_PLACEMENT_DIGEST_ROOM], other[TMAP_PLACEMENT_DIGEST_ROOM];
	struct tmap_placement p, q;

	seat(&p, a, a_size, switches);
	seat(&q, b, b_size, switches);
	digest_of(&p, one);
	digest_of(&q, other);
	tmap_placement_fini(&p);
	tmap_placement_fini(&q);
	return strcmp(one, other) == 0;
}

START_TEST(ranks_on_other_nodes_that_are_alike_are_alike)
{
	static const int first[] = { 0, 2, 8, 10 }, other[] = { 40, 42, 16, 18 };
	static const int sharing[] = { 40, 42, 32, 34 };

	ck_assert(is_same(first, 4, first, 4, false));
	ck_assert(is_same(first, 4, other, 4, false));
	/* nodes 0 and 1 share a switch, 5 and 2 do not, 5 and 4 do */
	ck_assert(!is_same(first, 4, other, 4, true));
	ck_assert(is_same(first, 4, sharing, 4, true));
}
END_TEST

START_TEST(ranks_elsewhere_are_others)
{
	static const int first[] = { 0, 2, 8, 10 }, fewer[] = { 0, 2, 8 };
	static const int cyclic[] = { 0, 8, 2, 10 }, package[] = { 0, 4, 8, 10 };
	static const int one[] = { 0, 2, 4, 6 }, uneven[] = { 0, 2, 4, 8 };

	ck_assert(!is_same(first, 4, fewer, 3, false));
	ck_assert(!is_same(first, 4, cyclic, 4, false));
	ck_assert(!is_same(first, 4, package, 4, false));
	ck_assert(!is_same(first, 4, one, 4, false));
	ck_assert(!is_same(uneven, 4, one, 4, false));
}
END_TEST

/* Names, dates and the order in which places were added say nothing of costs; adapters, PUs that
 * are not allowed and bindings do. */
START_TEST(what_costs_do_not_depend_on_does_not_count)
{
	static const int rank[] = { 0, 2, 8, 10 };
	static char *const names[] = { (char *)"a", (char *)"b", (char *)"c",
				       (char *)"d", (char *)"e", (char *)"f" };
	const struct tmap_device adapter = { .type = TMAP_NETWORK, .name = "mlx5_0" };
	const struct tmap_device gpu = { .type = TMAP_GPU, .name = "cuda0" };
	char before[TMAP_PLACEMENT_DIGEST_ROOM], after[TMAP_PLACEMENT_DIGEST_ROOM];
	struct tmap_placement p;
	int place;

	seat(&p, rank, 4, true);
	digest_of(&p, before);
	ck_assert_int_eq(tmap_machine_rename(p.machine, names, 6, &err), 0);
	free(p.origin.date);
	p.origin.date = strdup("2026-11-26");
	ck_assert_int_eq(tmap_topology_add_device(&p.machine->topology[0], &gpu, &err), 0);
	place = tmap_placement_add_place(&p, 0, &p.places[p.place[0]].pus, NULL,
					 p.places[p.place[0]].bound, &err);
	ck_assert_int_ne(place, p.place[0]);
	p.place[0] = place;
	digest_of(&p, after);
	ck_assert_str_eq(before, after);
	p.places[place].bound = !p.places[place].bound;
	digest_of(&p, after);
	ck_assert_str_ne(before, after);
	p.places[place].bound = !p.places[place].bound;
	p.machine->topology[0].pu[7].allowed = false;
	digest_of(&p, after);
	ck_assert_str_ne(before, after);
	p.machine->topology[0].pu[7].allowed = true;
	ck_assert_int_eq(tmap_topology_add_device(&p.machine->topology[0], &adapter, &err), 0);
	digest_of(&p, after);
	ck_assert_str_ne(before, after);
	tmap_placement_fini(&p);
}
END_TEST

/* It is written into documents, so that no release may change it. */
START_TEST(the_digest_of_a_job_stays)
{
	static const int rank[] = { 0, 2, 8, 10 };
	char text[TMAP_PLACEMENT_DIGEST_ROOM];
	struct tmap_placement p;

	seat(&p, rank, 4, true);
	digest_of(&p, text);
	ck_assert_str_eq(text, "243012fea043293e");
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("placement_digest");
	TCase *c = tcase_create("placement_digest");

	tcase_add_test(c, ranks_on_other_nodes_that_are_alike_are_alike);
	tcase_add_test(c, ranks_elsewhere_are_others);
	tcase_add_test(c, what_costs_do_not_depend_on_does_not_count);
	tcase_add_test(c, the_digest_of_a_job_stays);
	suite_add_tcase(suite, c);
	return suite;
}
