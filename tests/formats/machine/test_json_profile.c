/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: a profile written down by hand, and what the messages must name.
 */
#include "formats/machine/json_profile.h"

#include "core/cost/profile_choice.h"
#include "core/cost/profile_same.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tmap_error err;

/* The text in a file of its own while it is read. */
static int choose(struct tmap_profile_request *choice, const char *text)
{
	char path[] = "/tmp/topomap-test-profile-XXXXXX";
	int fd = mkstemp(path), status;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	status = tmap_profile_choose(choice, path, NULL, &err);
	unlink(path);
	return status;
}

START_TEST(a_document_says_what_messages_cost)
{
	static const char text[] =
		"{\"kind\": \"profile\", \"format\": 1, \"name\": \"ours\", \"source\": \"measured\",\n"
		" \"rows\": [{\"distance\": 1, \"latency_s\": 4e-7, \"bytes_per_s\": 5e9},\n"
		"  {\"distance\": 7, \"below_bytes\": 8192, \"latency_s\": 2e-6},\n"
		"  {\"distance\": 7, \"latency_s\": 5e-6, \"bytes_per_s\": 1e10}],\n"
		" \"memory_bytes_per_s\": 1e11, \"later\": true}";
	struct tmap_profile_request choice;
	const struct tmap_profile_row *row;

	ck_assert_msg(choose(&choice, text) == 0, "%s", err.text);
	ck_assert_str_eq(choice.profile.word.name, "ours");
	ck_assert_str_eq(choice.profile.source, "measured");
	ck_assert_int_eq(choice.profile.row_count, 3);
	row = tmap_profile_find(&choice.profile, 3, 1 << 20);
	ck_assert_double_eq(row->latency_s, 4e-7);
	ck_assert_double_eq_tol(row->byte_s, 2e-10, 1e-20);
	row = tmap_profile_find(&choice.profile, 8, 8191);
	ck_assert_double_eq(row->latency_s, 2e-6);
	ck_assert_double_eq(row->byte_s, 0);
	row = tmap_profile_find(&choice.profile, 8, 8192);
	ck_assert_double_eq(row->latency_s, 5e-6);
	ck_assert_double_eq_tol(choice.profile.memory_byte_s, 1e-11, 1e-20);
	ck_assert_double_eq(choice.profile.adapter_byte_s, 0);
	tmap_profile_request_fini(&choice);
}
END_TEST

START_TEST(a_document_says_what_ranks_share)
{
	static const char text[] =
		"{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1, \"latency_s\": 0}],"
		" \"overhead_s\": 3e-7, \"copy_bytes_per_s\": 1e10, \"reduce_bytes_per_s\": 4e9,"
		" \"links\": [{\"level\": \"package\", \"bytes_per_s\": 5e9},"
		"  {\"level\": \"switch1\", \"bytes_per_s\": 2e9}]}";
	struct tmap_profile_request choice;

	ck_assert_msg(choose(&choice, text) == 0, "%s", err.text);
	ck_assert_double_eq(choice.profile.row[0].overhead_s, 3e-7);
	ck_assert_double_eq_tol(choice.profile.copy_byte_s, 1e-10, 1e-20);
	ck_assert_double_eq_tol(choice.profile.reduce_byte_s, 2.5e-10, 1e-20);
	ck_assert_int_eq(choice.profile.link_count, 2);
	ck_assert_str_eq(choice.profile.link[1].level, "switch1");
	ck_assert_double_eq_tol(choice.profile.link[1].byte_s, 5e-10, 1e-20);
	tmap_profile_request_fini(&choice);
	ck_assert_int_eq(choose(&choice,
				"{\"kind\": \"profile\", \"format\": 1, \"rows\": "
				"[{\"distance\": 1, \"latency_s\": 0}], \"links\": [{}]}"),
			 -1);
	ck_assert_int_eq(choose(&choice,
				"{\"kind\": \"profile\", \"format\": 1, \"rows\": "
				"[{\"distance\": 1, \"latency_s\": 0}], \"overhead_s\": -1}"),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "overhead_s: -1 is negative"));
}
END_TEST

START_TEST(a_document_says_who_copies_and_which_protocol)
{
	static const char text[] =
		"{\"kind\": \"profile\", \"format\": 1, \"date\": \"2026-03-10\", \"overhead_s\": 2e-7,"
		" \"distances\": [{\"distance\": 1, \"copier\": \"receiver\", \"pieces\": ["
		"   {\"latency_s\": 4e-7, \"byte_s\": 2e-10, \"copier\": \"shared_memory\"},"
		"   {\"from_bytes\": 4096, \"latency_s\": 1e-6, \"bytes_per_s\": 1e10,"
		"    \"protocol\": \"rendezvous\", \"residual\": 0.04, \"r2\": 0.99,"
		"    \"latency_ci\": [9e-7, 1.2e-6], \"byte_ci\": [9e-30, 2e-10]}],"
		"    \"points\": [[0, 4e-7], [0, 5e-7], [8, 1, \"outlier\"]]},"
		"  {\"level\": \"switch2\", \"overhead_s\": 3e-7, \"copier\": \"adapter\","
		"   \"pieces\": [{\"from_bytes\": 0, \"latency_s\": 2e-6}]}],"
		" \"adapters\": [{\"device\": \"mlx5\", \"each\": true, \"messages_per_s\": 1e8},"
		"  {\"nodes\": \"n[0-3]\", \"bytes_per_s\": 1e9, \"both_ways\": true}],"
		" \"memory\": [{\"cores\": 48, \"bytes_per_s\": 1e11}],"
		" \"links\": [{\"level\": \"switch1\", \"oversubscription\": 2}],"
		" \"reduce_byte_s\": 1e-10, \"datatype_byte_s\": 3e-10, \"shared_core_s\": 1e-5,"
		" \"calibration\": {\"placement\": \"3f2a\", \"mpi\": \"MPICH 4.0.2\","
		"  \"rho\": 0.97, \"regret\": 1.02, \"collectives\": 20, \"choices\": 8,"
		"  \"choices_near\": 7, \"worst_regret\": 1.5, \"largest_ratio\": 1.25, \"variation\": 1.5, \"quiet\": true,"
		"  \"sharing_ranks\": 6, \"seconds\": 12.5, \"notes\": [\"odd\", \"even\"]}}";
	struct tmap_profile_request choice;
	const struct tmap_profile *p = &choice.profile;

	ck_assert_msg(choose(&choice, text) == 0, "%s", err.text);
	ck_assert_int_eq(p->row_count, 3);
	ck_assert_int_eq(p->row[0].below_bytes, 4096);
	ck_assert_int_eq(p->row[0].copier, TMAP_COPIER_SHARED);
	ck_assert_double_eq(p->row[0].overhead_s, 2e-7);
	ck_assert_int_eq(p->row[1].copier, TMAP_COPIER_RECEIVER);
	ck_assert_int_eq(p->row[1].protocol, TMAP_PROTOCOL_RENDEZVOUS);
	ck_assert_double_eq_tol(p->row[1].byte_s, 1e-10, 1e-24);
	ck_assert_double_eq(p->row[1].residual, 0.04);
	ck_assert_double_eq(p->row[1].r2, 0.99);
	ck_assert_int_eq(p->row[2].distance, 8);
	ck_assert_int_eq(p->row[2].copier, TMAP_COPIER_ADAPTER);
	ck_assert_double_eq(p->row[2].overhead_s, 3e-7);
	ck_assert_int_eq(p->row[2].below_bytes, INT64_MAX);
	ck_assert_int_eq(p->adapter_count, 2);
	ck_assert(p->adapter[0].is_each && !p->adapter[0].both_ways);
	ck_assert_str_eq(p->adapter[0].device, "mlx5");
	ck_assert_double_eq_tol(p->adapter[0].message_s, 1e-8, 1e-22);
	ck_assert_str_eq(p->adapter[1].nodes, "n[0-3]");
	ck_assert(p->adapter[1].both_ways);
	ck_assert_int_eq(p->memory[0].cores, 48);
	ck_assert_double_eq(p->link[0].oversubscription, 2);
	ck_assert_double_eq(p->reduce_byte_s, 1e-10);
	ck_assert_double_eq(p->datatype_byte_s, 3e-10);
	ck_assert_double_eq(p->shared_core_s, 1e-5);
	ck_assert_str_eq(p->date, "2026-03-10");
	ck_assert_str_eq(p->calibration->placement, "3f2a");
	ck_assert(p->calibration->has_rho);
	ck_assert_double_eq(p->calibration->rho, 0.97);
	ck_assert_int_eq(p->calibration->collectives, 20);
	ck_assert_int_eq(p->calibration->choices, 8);
	ck_assert_int_eq(p->calibration->choices_near, 7);
	ck_assert_double_eq(p->calibration->worst_regret, 1.5);
	ck_assert_double_eq(p->calibration->variation, 1.5);
	ck_assert_double_eq(p->calibration->largest_ratio, 1.25);
	ck_assert(p->calibration->knows_quiet && p->calibration->is_quiet);
	ck_assert_int_eq(p->calibration->sharing_ranks, 6);
	ck_assert_double_eq(p->calibration->seconds, 12.5);
	ck_assert_int_eq(p->calibration->note_count, 2);
	ck_assert_str_eq(p->calibration->note[1], "even");
	ck_assert_double_eq(p->row[0].latency_high_s, 0);
	ck_assert_double_eq(p->row[1].latency_low_s, 9e-7);
	ck_assert_double_eq(p->row[1].latency_high_s, 1.2e-6);
	ck_assert_double_eq(p->row[1].byte_low_s, 9e-30);
	ck_assert_double_eq(p->row[1].byte_high_s, 2e-10);
	ck_assert_int_eq(p->point_count, 3);
	ck_assert_int_eq(p->point[2].distance, 1);
	ck_assert_int_eq(p->point[2].bytes, 8);
	ck_assert_double_eq(p->point[1].seconds, 5e-7);
	ck_assert(p->point[2].is_outlier && !p->point[1].is_outlier);
	tmap_profile_request_fini(&choice);
}
END_TEST

static void same_cost(double a, double b)
{
	ck_assert_msg(a == b || fabs(a - b) <= 4e-16 * fabs(a), "%.17g is not %.17g", a, b);
}

static void same_text(const char *a, const char *b)
{
	ck_assert_str_eq(a ? a : "", b ? b : "");
}

static void same_links(const struct tmap_profile_link *a, const struct tmap_profile_link *b,
		       int a_count, int b_count)
{
	ck_assert_int_eq(a_count, b_count);
	for (int i = 0; i < a_count; i++) {
		same_text(a[i].level, b[i].level);
		same_text(a[i].nodes, b[i].nodes);
		same_text(a[i].device, b[i].device);
		ck_assert_int_eq(a[i].cores, b[i].cores);
		same_cost(a[i].byte_s, b[i].byte_s);
		same_cost(a[i].message_s, b[i].message_s);
		same_cost(a[i].oversubscription, b[i].oversubscription);
		ck_assert(a[i].both_ways == b[i].both_ways && a[i].is_each == b[i].is_each);
	}
}

static void same_profile(const struct tmap_profile *a, const struct tmap_profile *b)
{
	same_text(a->word.name, b->word.name);
	same_text(a->source, b->source);
	same_text(a->date, b->date);
	ck_assert_int_eq(a->row_count, b->row_count);
	for (int i = 0; i < a->row_count; i++) {
		ck_assert_int_eq(a->row[i].distance, b->row[i].distance);
		ck_assert_int_eq(a->row[i].below_bytes, b->row[i].below_bytes);
		ck_assert(a->row[i].latency_s == b->row[i].latency_s);
		ck_assert(a->row[i].byte_s == b->row[i].byte_s);
		ck_assert(a->row[i].overhead_s == b->row[i].overhead_s);
		ck_assert(a->row[i].residual == b->row[i].residual && a->row[i].r2 == b->row[i].r2);
		ck_assert_int_eq(a->row[i].copier, b->row[i].copier);
		ck_assert_int_eq(a->row[i].protocol, b->row[i].protocol);
		ck_assert(a->row[i].latency_low_s == b->row[i].latency_low_s);
		ck_assert(a->row[i].latency_high_s == b->row[i].latency_high_s);
		ck_assert(a->row[i].byte_low_s == b->row[i].byte_low_s);
		ck_assert(a->row[i].byte_high_s == b->row[i].byte_high_s);
	}
	ck_assert_int_eq(a->point_count, b->point_count);
	for (int i = 0; i < a->point_count; i++) {
		ck_assert_int_eq(a->point[i].distance, b->point[i].distance);
		ck_assert_int_eq(a->point[i].bytes, b->point[i].bytes);
		ck_assert(a->point[i].seconds == b->point[i].seconds);
		ck_assert(a->point[i].is_outlier == b->point[i].is_outlier);
	}
	same_links(a->link, b->link, a->link_count, b->link_count);
	same_links(a->adapter, b->adapter, a->adapter_count, b->adapter_count);
	same_links(a->memory, b->memory, a->memory_count, b->memory_count);
	same_cost(a->memory_byte_s, b->memory_byte_s);
	same_cost(a->adapter_byte_s, b->adapter_byte_s);
	same_cost(a->adapter_message_s, b->adapter_message_s);
	same_cost(a->copy_byte_s, b->copy_byte_s);
	same_cost(a->reduce_byte_s, b->reduce_byte_s);
	same_cost(a->datatype_byte_s, b->datatype_byte_s);
	same_cost(a->shared_core_s, b->shared_core_s);
	ck_assert(!a->calibration == !b->calibration);
	if (!a->calibration)
		return;
	same_text(a->calibration->placement, b->calibration->placement);
	same_text(a->calibration->mpi, b->calibration->mpi);
	ck_assert(a->calibration->has_rho == b->calibration->has_rho);
	same_cost(a->calibration->rho, b->calibration->rho);
	same_cost(a->calibration->regret, b->calibration->regret);
	ck_assert_int_eq(a->calibration->collectives, b->calibration->collectives);
	ck_assert_int_eq(a->calibration->choices, b->calibration->choices);
	ck_assert_int_eq(a->calibration->choices_near, b->calibration->choices_near);
	same_cost(a->calibration->worst_regret, b->calibration->worst_regret);
	same_cost(a->calibration->variation, b->calibration->variation);
	same_cost(a->calibration->largest_ratio, b->calibration->largest_ratio);
	ck_assert(a->calibration->knows_quiet == b->calibration->knows_quiet);
	ck_assert(a->calibration->is_quiet == b->calibration->is_quiet);
	ck_assert_int_eq(a->calibration->sharing_ranks, b->calibration->sharing_ranks);
	same_cost(a->calibration->seconds, b->calibration->seconds);
	ck_assert_int_eq(a->calibration->note_count, b->calibration->note_count);
	for (int i = 0; i < a->calibration->note_count; i++)
		ck_assert_str_eq(a->calibration->note[i], b->calibration->note[i]);
}

/* What is written is read as the same, and written as the same bytes. */
static void goes_round(const struct tmap_profile *profile)
{
	struct tmap_profile_request read;
	char *text, *again;
	size_t length, again_length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_profile_write_json(profile, out, &err), 0);
	fclose(out);
	ck_assert_msg(tmap_profile_parse(&read, text, length, "written", NULL, &err) == 0, "%s: %s",
		      err.text, text);
	same_profile(profile, &read.profile);
	out = open_memstream(&again, &again_length);
	ck_assert_int_eq(tmap_profile_write_json(&read.profile, out, &err), 0);
	fclose(out);
	ck_assert_str_eq(text, again);
	free(text);
	free(again);
	tmap_profile_request_fini(&read);
}

START_TEST(what_is_written_is_read_as_the_same)
{
	static const struct tmap_profile_row rows[] = {
		{ .distance = 1,
		  .below_bytes = 4096,
		  .latency_s = 1e-7,
		  .byte_s = 1.0 / 3e9,
		  .overhead_s = 3e-8,
		  .copier = TMAP_COPIER_SHARED,
		  .protocol = TMAP_PROTOCOL_EAGER,
		  .residual = 0.03,
		  .r2 = 0.99 },
		{ .distance = 1,
		  .below_bytes = INT64_MAX,
		  .latency_s = 0,
		  .overhead_s = 3e-8,
		  .copier = TMAP_COPIER_SENDER },
		{ .distance = 9,
		  .below_bytes = INT64_MAX,
		  .latency_s = 2e-6,
		  .copier = TMAP_COPIER_ADAPTER,
		  .protocol = TMAP_PROTOCOL_RENDEZVOUS,
		  .latency_low_s = 1.9e-6,
		  .latency_high_s = 2.1e-6,
		  .byte_high_s = 1e-12 },
	};
	static const struct tmap_profile_point points[] = {
		{ 1, 0, 1e-7, false },    { 1, 8, 1.5e-7, false }, { 1, 8, 0.25, true },
		{ 9, 0, 1.95e-6, false }, { 9, 4096, 0, false },
	};
	static const char *const notes[] = { "rank 3 is \"slow\"", "", "caf\u00e9" };
	static const struct tmap_profile_link links[] = {
		{ .level = "numa", .byte_s = 1e-11, .both_ways = true },
		{ .level = "switch1", .oversubscription = 2.5, .nodes = "n[0-3]" },
	};
	static const struct tmap_profile_link adapters[] = {
		{ .device = "mlx5", .is_each = true, .byte_s = 8e-11, .message_s = 1e-8 },
		{ .nodes = "login", .cores = 48 },
	};
	static const struct tmap_calibration calibration = { .placement = "3f2a\"",
							     .mpi = "MPICH 4.0.2",
							     .has_rho = true,
							     .rho = -0.25,
							     .regret = 1.5,
							     .collectives = 20,
							     .choices = 20,
							     .choices_near = 0,
							     .worst_regret = 3.6,
							     .variation = 1.04,
							     .largest_ratio = 1.25,
							     .knows_quiet = true,
							     .is_quiet = false,
							     .sharing_ranks = 4,
							     .seconds = 18.25,
							     .note_count = 3,
							     .note = notes };
	static const struct tmap_profile all = { .word = { "all", "of it" },
						 .source = "of it",
						 .date = "2026-03-10",
						 .row_count = 3,
						 .row = rows,
						 .point_count = 5,
						 .point = points,
						 .memory_byte_s = 1 / 7e9,
						 .adapter_byte_s = 1 / 11e9,
						 .adapter_message_s = 1 / 13e6,
						 .copy_byte_s = 1e-10,
						 .reduce_byte_s = 2e-10,
						 .datatype_byte_s = 3e-10,
						 .shared_core_s = 4e-6,
						 .link_count = 2,
						 .link = links,
						 .adapter_count = 2,
						 .adapter = adapters,
						 .memory_count = 1,
						 .memory = &adapters[1],
						 .calibration = &calibration };

	goes_round(&all);
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++)
		goes_round(tmap_profile_at(i));
}
END_TEST

/* What only resembles nothing is for people, or for later readers. */
START_TEST(members_that_are_like_none_are_ignored)
{
	struct tmap_profile_request choice;

	ck_assert_msg(
		choose(&choice,
		       "{\"kind\": \"profile\", \"format\": 1, \"comment\": \"of a Tuesday\", "
		       "\"placement\": {\"size\": 4}, \"distances\": [{\"distance\": 1, "
		       "\"remark\": 1, \"pieces\": [{\"latency_s\": 1, \"samples\": 20}]}]}") == 0,
		"%s", err.text);
	tmap_profile_request_fini(&choice);
}
END_TEST

/* What is written of a published profile stays that one, until a cost of it is changed. */
START_TEST(a_published_profile_stays_one_when_it_is_written)
{
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		struct tmap_profile profile = *tmap_profile_at(i);
		struct tmap_profile_request read;

		for (int changed = 0; changed < 2; changed++) {
			char *text = NULL;
			size_t length = 0;
			FILE *out = open_memstream(&text, &length);
			int next = 0, others = 0;

			profile.copy_byte_s *= changed ? 2 : 1;
			ck_assert_int_eq(tmap_profile_write_json(&profile, out, &err), 0);
			fclose(out);
			ck_assert_int_eq(
				tmap_profile_parse(&read, text, length, "written", NULL, &err), 0);
			ck_assert_int_eq(read.profile.is_published, !changed);
			ck_assert_str_eq(read.profile.word.name, profile.word.name);
			ck_assert_str_eq(read.profile.word.summary, profile.word.summary);
			ck_assert_str_eq(tmap_profile_kind(&read.profile),
					 changed ? "of a file" : "published");
			while (tmap_profile_next_other(&read.profile, &next)) {
				others++;
				ck_assert(changed || next - 1 != i);
			}
			ck_assert_ptr_nonnull(
				tmap_keywords_at(&tmap_profiles, (size_t)(others - changed)));
			ck_assert_ptr_null(
				tmap_keywords_at(&tmap_profiles, (size_t)(others + !changed)));
			tmap_profile_request_fini(&read);
			free(text);
		}
	}
}
END_TEST

START_TEST(more_pieces_than_a_document_has_are_not_written)
{
	struct tmap_profile_row rows[4];
	struct tmap_profile profile = {
		.word = { "many", "" }, .source = "", .row = rows, .row_count = 4
	};
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (int i = 0; i < 4; i++)
		rows[i] = (struct tmap_profile_row){ .distance = 1,
						     .below_bytes = i < 3 ? 10 + i : INT64_MAX };
	ck_assert_int_eq(tmap_profile_check(&profile, &err), 0);
	ck_assert_int_eq(tmap_profile_write_json(&profile, out, &err), -1);
	ck_assert_str_eq(err.text,
			 "the profile 'many' has 4 rows of distance 1, and a document "
			 "has at most 3 pieces of one");
	fclose(out);
	ck_assert_uint_eq(length, 0);
	free(text);
}
END_TEST

START_TEST(published_profiles_are_known_by_name)
{
	struct tmap_profile_request choice;

	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const char *name = tmap_keywords_at(&tmap_profiles, (size_t)i)->name;

		ck_assert_int_eq(tmap_profile_choose(&choice, name, NULL, &err), 0);
		ck_assert_str_eq(choice.profile.word.name, name);
		ck_assert_int_eq(tmap_profile_check(&choice.profile, &err), 0);
		tmap_profile_request_fini(&choice);
	}
}
END_TEST

START_TEST(an_unknown_name_gives_the_known_ones)
{
	struct tmap_profile_request choice;

	ck_assert_int_eq(tmap_profile_choose(&choice, "nosuch", NULL, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, "unknown profile 'nosuch' (one of: summit"));
	ck_assert_int_eq(tmap_profile_choose(&choice, "no/such.json", NULL, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
}
END_TEST

static const char *const bad_documents[][2] = {
	{ "{\"kind\": \"tree\", \"format\": 1}", "a profile document is expected" },
	{ "{\"kind\": \"profile\", \"format\": 1}", "the member 'distances' is missing" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": []}", "has costs of no distance" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"name\": \"a\\u001bb\", "
	  "\"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}]}",
	  "name: it has a control character" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"date\": \"a\\nb\", "
	  "\"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}]}",
	  "date: it has a control character" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1}]}",
	  "rows[0]: the member 'latency_s' is missing" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 0, "
	  "\"latency_s\": 1}]}",
	  "rows[0].distance: 0 is less than 1" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1, "
	  "\"latency_s\": -1}]}",
	  "rows[0].latency_s: -1 is negative" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1, "
	  "\"latency_s\": 1, \"bytes_per_s\": 0}]}",
	  "rows[0].bytes_per_s: 0 is not in 1 to 1e+18 bytes a second" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1, "
	  "\"below_bytes\": 5, \"latency_s\": 1}]}",
	  "has no row for messages of 5 bytes" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 2, "
	  "\"latency_s\": 1}, {\"distance\": 1, \"latency_s\": 1}]}",
	  "distance 1 is below 2" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1, "
	  "\"latency_s\": 1}], \"adapter_bytes_per_s\": -3}",
	  "adapter_bytes_per_s: -3 is not in 1 to 1e+18 bytes a second" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": []}]}",
	  "distances[0].pieces: 0 pieces are not in 1-3" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"from_bytes\": 1, \"latency_s\": 1}]}]}",
	  "distances[0].pieces[0]: the first piece is from 0 bytes on, not from 1" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}, {\"from_bytes\": 0, \"latency_s\": 1}]}]}",
	  "distances[0].pieces[1]: from_bytes 0 is not above that of the piece before" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"copier\": \"me\"}]}]}",
	  "distances[0].pieces[0].copier: unknown copier 'me' (one of: unknown, receiver, sender, shared_memory, adapter)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"protocol\": \"slow\"}]}]}",
	  "unknown protocol 'slow'" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 7, \"pieces\": [{\"latency_s\": 1}]}, {\"level\": \"switch1\", \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[1]: distance 7 is not above 7, that before" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"level\": \"package\", \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[0].level: 'package' is no level of switches" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"level\": \"Leaf\", \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[0].level: there is no level 'Leaf' (the levels are: network, switch1, switch2, ..., node, board," },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"level\": \"switch1\", \"distance\": 3, \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[0].level: 'distance' is there, too, and one of the two is" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"rows\": []}",
	  "rows: 'distances' is there, too" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"links\": [{\"level\": \"packge\", \"bytes_per_s\": 1}]}",
	  "links[0].level: there is no level 'packge' (the levels are:" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"links\": [{\"level\": \"package\", \"oversubscription\": 2}]}",
	  "links[0].oversubscription: 'package' is no level of switches" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"links\": [{\"level\": \"switch1\", \"oversubscription\": 0}]}",
	  "links[0].oversubscription: 0 is not in 1e-06 to 1e+06" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"adapters\": [{\"messages_per_s\": 0}]}",
	  "adapters[0].messages_per_s: 0 is not in 0.001 to 1e+15 messages a second" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"adapters\": [{\"nodes\": \"n[3-1]\"}]}",
	  "adapters[0].nodes: " },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"memory\": [{\"cores\": 0}]}",
	  "memory[0].cores: 0 is less than 1" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"copy_byte_s\": 1, \"copy_bytes_per_s\": 1}",
	  "copy_byte_s: 'copy_bytes_per_s' is there, too" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"shared_core_s\": -1}",
	  "shared_core_s: -1 is negative" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 2}}",
	  "calibration.rho: 2 is not in -1 to 1" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 3600}]}]}",
	  "distances[0].pieces[0].latency_s: 3600 is not in 1e-15 to 1000 seconds, nor 0" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"overhead_s\": 1e308, \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[0].overhead_s: 1e+308 is not in 1e-15 to 1000 seconds, nor 0" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"bytes_per_s\": 1e-300}]}]}",
	  "distances[0].pieces[0].bytes_per_s: 1e-300 is not in 1 to 1e+18 bytes a second" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"byte_s\": 1e-300}]}]}",
	  "distances[0].pieces[0].byte_s: 1e-300 is not in 1e-18 to 1 seconds a byte, nor 0" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"r2\": 1.5}]}]}",
	  "distances[0].pieces[0].r2: 1.5 is not in 0 to 1" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latncy_s\": 1}]}]}",
	  "distances[0].pieces[0].latncy_s: there is no such member (did you mean 'latency_s'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"bytes_per_second\": 1e9}]}]}",
	  "distances[0].pieces[0].bytes_per_second: there is no such member (did you mean 'bytes_per_s'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"latency_s\": 1, \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[0].latency_s: there is no such member here, but in distances[].pieces[]" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"overhead\": 1, \"pieces\": [{\"latency_s\": 1}]}]}",
	  "distances[0].overhead: there is no such member (did you mean 'overhead_s'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"adapter\": []}",
	  "adapter: there is no such member (did you mean 'adapters'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"adapters\": [{\"node\": \"n0\"}]}",
	  "adapters[0].node: there is no such member (did you mean 'nodes'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"memory\": [{\"level\": \"numa\"}]}",
	  "memory[0].level: there is no such member here, but in distances[]" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"links\": [{\"level\": \"package\", \"bothways\": true}]}",
	  "links[0].bothways: there is no such member (did you mean 'both_ways'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"colectives\": 3}}",
	  "calibration.colectives: there is no such member (did you mean 'collectives'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"rows\": [{\"distance\": 1, \"latency_s\": 1, \"overhead_s\": 1}]}",
	  "rows[0].overhead_s: there is no such member here, but in the document itself" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"latency_ci\": [1]}]}]}",
	  "distances[0].pieces[0].latency_ci: it has 1 numbers, not its two ends" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"latency_ci\": [2, 1]}]}]}",
	  "distances[0].pieces[0].latency_ci: its end, 1, is below its beginning, 2" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"byte_ci\": [-1, 1]}]}]}",
	  "distances[0].pieces[0].byte_ci[0]: -1 is negative" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1, \"byte_ci\": [0, 2]}]}]}",
	  "distances[0].pieces[0].byte_ci[1]: 2 is not in 0 to 1 seconds a byte" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"points\": [[1]]}]}",
	  "distances[0].points[0]: 1 values are there, not bytes, seconds" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"points\": [[8, 1], [7, 1]]}]}",
	  "distances[0].points[1]: its size is below that before" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"points\": [[8, 1, \"inlier\"]]}]}",
	  "distances[0].points[0][2]: 'inlier' is not \"outlier\"" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"points\": [[8, 3600]]}]}",
	  "distances[0].points[0][1]: 3600 is not in 1e-15 to 1000 seconds" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"points\": [[8.5, 1]]}]}",
	  "distances[0].points[0][0]: a whole number is expected" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"points\": [8, 1]}]}",
	  "distances[0].points[0]: an array is expected" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}], \"point\": []}]}",
	  "distances[0].point: there is no such member (did you mean 'points'?)" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"choices\": 3, \"choices_near\": 4}}",
	  "calibration.choices_near: 4 are more than the 3 choices" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"quiet\": 1}}",
	  "calibration.quiet: true or false is expected" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"sharing_ranks\": -1}}",
	  "calibration.sharing_ranks: -1 is less than 0" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"notes\": [\"a\\u001bb\"]}}",
	  "calibration.notes[0]: it has a control character" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"notes\": [1]}}",
	  "calibration.notes[0]: a string is expected" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"largest_ratio\": 1e7}}",
	  "calibration.largest_ratio: 1e+07 is not in 0 to 1e+06" },
	{ "{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, \"pieces\": [{\"latency_s\": 1}]}], \"calibration\": {\"rho\": 1, \"seconds\": -1}}",
	  "calibration.seconds: -1 is negative" },
};

START_TEST(a_bad_document_is_refused)
{
	struct tmap_profile_request choice;

	ck_assert_int_eq(choose(&choice, bad_documents[_i][0]), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strstr(err.text, bad_documents[_i][1]) != NULL, "%s", err.text);
}
END_TEST

/* A document with so many points and notes. */
static int read_many(int points, int notes)
{
	struct tmap_profile_request choice;
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	int status;

	fprintf(out,
		"{\"kind\": \"profile\", \"format\": 1, \"distances\": [{\"distance\": 1, "
		"\"pieces\": [{\"latency_s\": 1}], \"points\": [");
	for (int i = 0; i < points; i++)
		fprintf(out, "%s[%d, 1]", i ? "," : "", i);
	fprintf(out, "]}], \"calibration\": {\"rho\": 1, \"notes\": [");
	for (int i = 0; i < notes; i++)
		fprintf(out, "%s\"\"", i ? "," : "");
	fprintf(out, "]}}");
	fclose(out);
	status = tmap_profile_parse(&choice, text, length, "many", NULL, &err);
	free(text);
	if (status == 0) {
		ck_assert_int_eq(choice.profile.point_count, points);
		goes_round(&choice.profile);
		tmap_profile_request_fini(&choice);
	}
	return status;
}

START_TEST(more_points_and_notes_than_a_document_has_are_refused)
{
	static struct tmap_profile_point point[TMAP_PROFILE_POINTS_MAX + 1];
	static const char *note[TMAP_PROFILE_NOTES_MAX + 1];
	struct tmap_profile profile = *tmap_profile_at(0);
	struct tmap_calibration calibration = { .note = note };
	FILE *out = fopen("/dev/null", "w");

	ck_assert_int_eq(read_many(TMAP_PROFILE_POINTS_MAX, TMAP_PROFILE_NOTES_MAX), 0);
	ck_assert_int_eq(read_many(TMAP_PROFILE_POINTS_MAX + 1, 0), -1);
	ck_assert_ptr_nonnull(
		strstr(err.text, "distances[0].points: 1025 points are more than 1024"));
	ck_assert_int_eq(read_many(0, TMAP_PROFILE_NOTES_MAX + 1), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "calibration.notes: 65 notes are more than 64"));
	for (int i = 0; i <= TMAP_PROFILE_POINTS_MAX; i++)
		point[i].distance = profile.row[0].distance;
	profile.point = point;
	profile.point_count = TMAP_PROFILE_POINTS_MAX + 1;
	ck_assert_int_eq(tmap_profile_write_json(&profile, out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "has 1025 points of distance"));
	profile.point_count = 0;
	profile.calibration = &calibration;
	calibration.note_count = TMAP_PROFILE_NOTES_MAX + 1;
	ck_assert_int_eq(tmap_profile_write_json(&profile, out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "has 65 notes, and a document has at most 64"));
	fclose(out);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("json_profile");
	TCase *c = tcase_create("json_profile");

	tcase_add_test(c, a_document_says_what_messages_cost);
	tcase_add_test(c, a_document_says_what_ranks_share);
	tcase_add_test(c, a_document_says_who_copies_and_which_protocol);
	tcase_add_test(c, what_is_written_is_read_as_the_same);
	tcase_add_test(c, members_that_are_like_none_are_ignored);
	tcase_add_test(c, a_published_profile_stays_one_when_it_is_written);
	tcase_add_test(c, more_pieces_than_a_document_has_are_not_written);
	tcase_add_test(c, published_profiles_are_known_by_name);
	tcase_add_test(c, an_unknown_name_gives_the_known_ones);
	tcase_add_loop_test(c, a_bad_document_is_refused, 0,
			    (int)(sizeof bad_documents / sizeof bad_documents[0]));
	tcase_add_test(c, more_points_and_notes_than_a_document_has_are_refused);
	suite_add_tcase(suite, c);
	return suite;
}
