/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tests/bench/judge.sh compares: predictions on one side, messages for a simulator on the
 * other.
 *
 *     bench_judge PLACEMENT PROFILE MESSAGES COLLECTIVE:BYTES...
 *
 * For each algorithm that can run, with its preset values: a line "COLLECTIVE BYTES ALGORITHM
 * SECONDS" on stdout, and its messages, every one of them, in the file MESSAGES that
 * tests/smpi/replay.c reads.
 */
#include "core/base/mem.h"
#include "core/schedule/schedule.h"
#include "core/score/score.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

struct entry {
	int64_t round, peer, bytes, is_sent;
};

struct list {
	struct entry *entry;
	size_t capacity;
	int64_t count;
};

struct messages {
	FILE *file;
	int size;
	int64_t schedules;
	struct list *of_rank; /* [size] */
};

static void must(bool holds)
{
	if (holds)
		return;
	fprintf(stderr, "bench_judge: %s\n", err.text);
	exit(EXIT_FAILURE);
}

static void messages_put(const struct messages *messages, const void *data, size_t bytes)
{
	if (fwrite(data, 1, bytes, messages->file) != bytes) {
		fputs("bench_judge: cannot write\n", stderr);
		exit(EXIT_FAILURE);
	}
}

static void list_add(struct list *list, struct entry entry)
{
	must(tmap_grow(&list->entry, &list->capacity, (size_t)list->count + 1, sizeof entry,
		       &err) == 0);
	list->entry[list->count++] = entry;
}

static int messages_add(void *context, const struct tmap_message *message, struct tmap_error *why)
{
	struct messages *messages = context;

	(void)why;
	list_add(&messages->of_rank[message->from],
		 (struct entry){ message->round, message->to, message->bytes, 1 });
	list_add(&messages->of_rank[message->to],
		 (struct entry){ message->round, message->from, message->bytes, 0 });
	return 0;
}

static void messages_write(struct messages *messages, const struct tmap_call *call)
{
	struct tmap_visitor visitor = { .message = messages_add, .context = messages };

	for (int r = 0; r < messages->size; r++)
		messages->of_rank[r].count = 0;
	must(tmap_schedule(call, &visitor, &err) == 0);
	for (int r = 0; r < messages->size; r++)
		messages_put(messages, &messages->of_rank[r].count, sizeof(int64_t));
	for (int r = 0; r < messages->size; r++)
		messages_put(messages, messages->of_rank[r].entry,
			     (size_t)messages->of_rank[r].count * sizeof(struct entry));
	messages->schedules++;
}

static void judge(struct messages *messages, const struct tmap_placement *p,
		  const struct tmap_profile *profile, const char *text)
{
	struct tmap_score_request request = { .profile = profile };
	const char *colon = strchr(text, ':');
	struct tmap_score score;
	char name[64];
	int collective;

	snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - text) : 0, text);
	collective = tmap_keywords_find(&tmap_collectives, name, &err);
	must(collective != TMAP_NONE);
	request.collective = (enum tmap_collective)collective;
	request.bytes = atoll(colon + 1);
	must(tmap_score_init(&score, p, &request, &err) == 0);
	for (int i = 0; i < score.applicable; i++) {
		printf("%s %" PRId64 " %s %.12g\n", name, request.bytes, score.row[i].name,
		       score.row[i].seconds);
		messages_write(messages, &score.row[i].call);
	}
	tmap_score_fini(&score);
}

int main(int argc, char **argv)
{
	struct tmap_profile_request profile = { 0 };
	struct messages messages = { 0 };
	struct tmap_placement p;
	int64_t head[2] = { 0 };

	if (argc < 5) {
		puts("run by tests/bench/judge.sh");
		return 0;
	}
	must(tmap_placement_read_json(&p, argv[1], &err) == 0);
	must(tmap_profile_choose(&profile, argv[2], p.machine, &err) == 0);
	messages.size = p.size;
	messages.of_rank = tmap_alloc((size_t)p.size, sizeof *messages.of_rank, &err);
	messages.file = fopen(argv[3], "w+");
	if (!messages.of_rank || !messages.file) {
		fprintf(stderr, "bench_judge: no memory, or cannot write %s\n", argv[3]);
		return EXIT_FAILURE;
	}
	messages_put(&messages, head, sizeof head);
	for (int i = 4; i < argc; i++)
		judge(&messages, &p, &profile.profile, argv[i]);
	head[0] = p.size;
	head[1] = messages.schedules;
	rewind(messages.file);
	messages_put(&messages, head, sizeof head);
	if (fclose(messages.file) != 0) {
		fputs("bench_judge: cannot write\n", stderr);
		return EXIT_FAILURE;
	}
	for (int r = 0; r < p.size; r++)
		free(messages.of_rank[r].entry);
	free(messages.of_rank);
	tmap_profile_request_fini(&profile);
	tmap_placement_fini(&p);
	return 0;
}
