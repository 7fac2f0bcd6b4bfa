/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orders.c - messages of ranks that sit in several orders, for tests/smpi/replay.c: orders OUT PLACES
 * reads pairs of files, one pair a line: messages ("round from to bytes" of ranks, by round), and the
 * place of each rank, a number a line. Each pair is a schedule of the places, in the order of the
 * lines. It knows nothing of topomap.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	int64_t round, peer, bytes, is_sent;
};

struct list {
	struct entry *entry;
	int64_t count, capacity;
};

static void die(const char *why, const char *what)
{
	fprintf(stderr, "orders: %s %s\n", why, what);
	exit(EXIT_FAILURE);
}

static void list_add(struct list *list, struct entry entry)
{
	if (list->count == list->capacity) {
		list->capacity = 2 * list->capacity + 64;
		list->entry = realloc(list->entry, (size_t)list->capacity * sizeof entry);
		if (!list->entry)
			die("no memory", "");
	}
	list->entry[list->count++] = entry;
}

static FILE *open_or_die(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file)
		die("cannot open", path);
	return file;
}

static int read_places(int *place, int places, const char *path)
{
	FILE *file = open_or_die(path, "r");
	int count = 0;

	while (count < places && fscanf(file, "%d", &place[count]) == 1)
		count++;
	fclose(file);
	return count;
}

int main(int argc, char **argv)
{
	int64_t head[2] = { 0 };
	char messages[4096], hosts[4096];
	int places = argc == 3 ? atoi(argv[2]) : 0;
	struct list *list = calloc((size_t)places + 1, sizeof *list);
	int *place = calloc((size_t)places + 1, sizeof *place);
	FILE *out;

	if (!places || !list || !place)
		die("is called with", "OUT PLACES");
	out = open_or_die(argv[1], "w");
	head[0] = places;
	fwrite(head, sizeof head, 1, out);
	while (scanf("%4095s %4095s", messages, hosts) == 2) {
		int ranks = read_places(place, places, hosts);
		FILE *in = open_or_die(messages, "r");
		long long round, from, to, bytes;

		for (int p = 0; p < places; p++)
			list[p].count = 0;
		while (fscanf(in, "%lld %lld %lld %lld", &round, &from, &to, &bytes) == 4) {
			if (from < 0 || from >= ranks || to < 0 || to >= ranks)
				die("a rank without a place in", hosts);
			list_add(&list[place[from]], (struct entry){ round, place[to], bytes, 1 });
			list_add(&list[place[to]], (struct entry){ round, place[from], bytes, 0 });
		}
		fclose(in);
		for (int p = 0; p < places; p++)
			fwrite(&list[p].count, sizeof list[p].count, 1, out);
		for (int p = 0; p < places; p++)
			fwrite(list[p].entry, sizeof *list[p].entry, (size_t)list[p].count, out);
		head[1]++;
	}
	rewind(out);
	fwrite(head, sizeof head, 1, out);
	if (ferror(out) || fclose(out) != 0)
		die("cannot write", argv[1]);
	return 0;
}
