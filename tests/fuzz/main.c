/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in for libFuzzer where there is no clang: `fuzz_X [-max_total_time=S]
 * [-artifact_prefix=P] [FILE|DIRECTORY]...`. Files are replayed once each. Those of a
 * directory are seeds: for S seconds random mutations and crossings of them are tried,
 * always the same ones. What crashed is left in the file Pcrash.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROOM 16384
#define MOST_SEEDS 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

struct input {
	size_t size;
	uint8_t data[ROOM];
};

/* Seen by the signal handler. */
static struct input current;
static const char *prefix = "";

static struct input *seeds;
static int seed_count;
static uint64_t state = 1;

const char *__asan_default_options(void)
{
	return "abort_on_error=1";
}

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1";
}

static void save_crash(int number)
{
	char path[512];
	int fd;

	snprintf(path, sizeof path, "%scrash", prefix);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd >= 0 && write(fd, current.data, current.size) == (ssize_t)current.size)
		fprintf(stderr, "the input is in %s\n", path);
	signal(number, SIG_DFL);
	raise(number);
}

static uint32_t roll(uint32_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16) % sides;
}

/* An exact copy, so that a sanitizer sees a read past the end. */
static void try_current(void)
{
	uint8_t *copy = malloc(current.size ? current.size : 1);

	if (!copy)
		exit(EXIT_FAILURE);
	memcpy(copy, current.data, current.size);
	LLVMFuzzerTestOneInput(copy, current.size);
	free(copy);
}

static void read_input(struct input *input, const char *path)
{
	FILE *file = fopen(path, "rb");

	if (!file) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	input->size = fread(input->data, 1, ROOM, file);
	fclose(file);
}

static void read_seeds(DIR *dir, const char *path)
{
	for (struct dirent *entry; (entry = readdir(dir)) && seed_count < MOST_SEEDS;) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		read_input(&seeds[seed_count++], name);
	}
}

/* Replace @p old bytes at @p at by the @p new ones of @p from, as far as there is room. */
static void put_bytes(size_t at, size_t old, const uint8_t *from, size_t new)
{
	uint8_t copy[ROOM];

	if (current.size - old + new > ROOM)
		return;
	memcpy(copy, from, new);
	memmove(current.data + at + new, current.data + at + old, current.size - at - old);
	memcpy(current.data + at, copy, new);
	current.size += new - old;
}

static void mutate(void)
{
	static const char *const words[] = {
		"",     "0",  "-1", "1",    "2147483647", "2147483648", "9999",    "null",
		"true", "[]", "{}", "\"\"", ",",          "x2",         "*3",      "/2",
		"(",    ")",  "[",  "]",    "-",          "\"",         "\\u0000", "1e9",
	};
	const struct input *other = &seeds[roll((uint32_t)seed_count)];
	size_t at = roll((uint32_t)current.size + 1);
	size_t old = roll(4) ? 0 : roll((uint32_t)(current.size - at) + 1);
	const char *word = words[roll(sizeof words / sizeof words[0])];
	size_t from, length;

	switch (roll(5)) {
	case 0: /* a bit */
		if (at < current.size)
			current.data[at] ^= (uint8_t)(1U << roll(8));
		break;
	case 1: /* a byte in the place of another */
		put_bytes(at, at < current.size, (const uint8_t *)" \"09afx{}[]:,-*/()" + roll(18),
			  1);
		break;
	case 2: /* a word in the place of some bytes */
		put_bytes(at, old > 8 ? old % 8 : old, (const uint8_t *)word, strlen(word));
		break;
	case 3: /* a piece of another seed */
		from = roll((uint32_t)other->size + 1);
		length = roll((uint32_t)(other->size - from) + 1);
		put_bytes(at, old, other->data + from, length);
		break;
	default: /* a cut */
		put_bytes(at, old, current.data, 0);
		break;
	}
}

int main(int argc, char **argv)
{
	time_t seconds = 0, start = time(NULL);
	long runs = 0;

	seeds = calloc(MOST_SEEDS, sizeof *seeds);
	if (!seeds)
		return EXIT_FAILURE;
	signal(SIGABRT, save_crash);
	signal(SIGSEGV, save_crash);
	for (int i = 1; i < argc; i++) {
		DIR *dir;

		if (strncmp(argv[i], "-max_total_time=", 16) == 0) {
			seconds = atol(argv[i] + 16);
		} else if (strncmp(argv[i], "-artifact_prefix=", 17) == 0) {
			prefix = argv[i] + 17;
		} else if ((dir = opendir(argv[i]))) {
			read_seeds(dir, argv[i]);
			closedir(dir);
		} else {
			read_input(&current, argv[i]);
			try_current();
			runs++;
		}
	}
	if (!seed_count)
		seed_count = 1;
	for (; time(NULL) - start < seconds; runs++) {
		current = seeds[roll((uint32_t)seed_count)];
		for (uint32_t i = roll(6); i > 0; i--)
			mutate();
		try_current();
	}
	free(seeds);
	printf("Done %ld runs in %ld second(s)\n", runs, (long)(time(NULL) - start));
	return EXIT_SUCCESS;
}
