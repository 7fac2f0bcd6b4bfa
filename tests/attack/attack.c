/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile command lines of topomap: those of the golden cases, with other words and with files that
 * were changed at random, each held to CPU time, memory and what topomap promises of every end.
 *
 *     attack TOPOMAP LINES SECONDS SEED [NUMBER]
 *
 * LINES has a line for each: its folder, CPU seconds, MiB (0: as much as there is), the words behind
 * "topomap", separated by tabs, sorted by the first of these. An attack follows from SEED and its
 * number alone, so that NUMBER repeats one: it runs in a fresh copy of the folder beside it, "attacked".
 * Files are changed as files "attacked-NAME" there, and answers are files "attacked.answer".
 *
 * The status is 0 where something was tried and nothing is wrong, 1 where something is, 2 of a wrong
 * command line, 3 where the system refused.
 */
#include "core/base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	WORDS = 64,
	LINES = 8192,
	COMMANDS = 64,
	FILE_ROOM = 65536, /* bytes of a file that is changed: the limits' table is of so many */
	PRINTED = 1 << 20, /* bytes of an output that are looked at */
	WALL_SECONDS = 300,
	OUTPUT_MIB = 256,
};

struct line {
	char *folder;
	int seconds, mib;
	int count;
	char *word[WORDS]; /* the command first */
};

/* How one attack ended. */
struct end {
	int status; /* of wait() */
	double seconds;
	long mib;
};

static const char answer[] = "attacked.answer";

/* Of all of them. */
struct totals {
	long passed, failed, refused;
	double seconds; /* of the longest */
	long mib;       /* of the largest */
};

static struct line lines[LINES];
static int line_count;
static int first_line[COMMANDS + 1]; /* of each command */
static int command_count;
static const char *topomap;
static struct tmap_random dice;

static uint32_t roll(uint32_t sides)
{
	return (uint32_t)tmap_random_below(&dice, sides);
}

static void *need(void *memory)
{
	if (memory)
		return memory;
	perror("attack");
	exit(3);
}

static char *copy(const char *text)
{
	return need(strdup(text));
}

static void lines_read(const char *path)
{
	static char text[1 << 16];
	FILE *file = need(fopen(path, "r"));

	while (line_count < LINES && fgets(text, sizeof text, file)) {
		struct line *line = &lines[line_count];
		char *at = text, *field[WORDS + 3];
		int count = 0;

		text[strcspn(text, "\n")] = '\0';
		while (count < WORDS + 3 && (field[count] = strsep(&at, "\t")))
			count++;
		if (count < 4)
			continue;
		line->folder = copy(field[0]);
		line->seconds = atoi(field[1]);
		line->mib = atoi(field[2]);
		for (int i = 3; i < count; i++)
			line->word[line->count++] = copy(field[i]);
		if (!line_count || strcmp(line->word[0], line[-1].word[0]) != 0)
			first_line[command_count++] = line_count;
		line_count++;
	}
	first_line[command_count] = line_count;
	fclose(file);
}

/* Bytes in the place of others, of *size up to @p room. */
static void bytes_put(char *bytes, size_t *size, size_t room, size_t at, size_t old,
		      const char *new, size_t length)
{
	if (*size - old + length > room)
		return;
	memmove(bytes + at + length, bytes + at + old, *size - at - old);
	memcpy(bytes + at, new, length);
	*size += length - old;
}

static const char *const numbers[] = {
	"0",
	"1",
	"-1",
	"7",
	"255",
	"65536",
	"65537",
	"1000000",
	"16777217",
	"134217728",
	"2147483647",
	"2147483648",
	"4294967296",
	"9223372036854775807",
	"9223372036854775808",
	"99999999999999999999",
	"1e9",
	"1e308",
	"1e-320",
	"1e400",
	"nan",
	"inf",
	"0x7fffffff",
	"00",
};
static const char *const texts[] = {
	"",
	"-",
	"--",
	"/dev/null",
	"/",
	".",
	"/dev/full",
	"all",
	"*",
	"0-1000000000",
	"n[0-999999999]",
	"0*1000000000",
	"0-134217727",
	"0-3x1000000000",
	"%s%n",
	"\033[31m",
	"\302\233",
	"\342\200\256",
	"\377",
	"\n",
	"[",
	"(",
	"{",
	"]",
	":",
	"=",
	",",
	"@",
	"<",
	"\"",
	"'",
	"1EiB",
	"8EiB",
	"node:1000000000",
	"core:134217728",
	"../../../data/job.json",
	"null",
	"true",
	"[]",
	"{}",
	"[[",
	"{\"a\":",
	"\\u0000",
	"#",
	"\r\n",
	"\t",
};

#define PICK(list) (list[roll(sizeof list / sizeof list[0])])

/* A number in the place of the next one. */
static void number_change(char *bytes, size_t *size, size_t room)
{
	size_t at = roll((uint32_t)*size + 1), digits;
	const char *new = PICK(numbers);

	at += strcspn(bytes + at, "0123456789");
	digits = strspn(bytes + at, "0123456789");
	if (digits)
		bytes_put(bytes, size, room, at, digits, new, strlen(new));
}

/* Most things remain what they are where only a number is another one. */
static void bytes_change(char *bytes, size_t *size, size_t room)
{
	size_t at = roll((uint32_t)*size + 1), old = 0;
	const char *new = PICK(texts);
	char byte;

	switch (roll(8)) {
	case 0:
		byte = (char)(1 + roll(255));
		bytes_put(bytes, size, room, at, at < *size && roll(2), &byte, 1);
		break;
	case 1: /* a piece again, or away */
		old = roll((uint32_t)(*size - at < 64 ? *size - at : 64) + 1);
		if (roll(2))
			bytes_put(bytes, size, room, at, old, "", 0);
		else
			for (uint32_t times = 1U << roll(12); times > 0 && old; times--)
				bytes_put(bytes, size, room, at + old, 0, bytes + at, old);
		break;
	case 2:
		bytes_put(bytes, size, room, at, 0, new, strlen(new));
		break;
	default:
		number_change(bytes, size, room);
	}
}

/* A file in the folder, whose changed copy the word names then: FILE, or FORMAT:FILE. */
static void file_change(char **word)
{
	static char bytes[FILE_ROOM + 1], name[PATH_MAX];
	char *path = strrchr(*word, ':') ? strrchr(*word, ':') + 1 : *word, *base, *named;
	size_t size, length;
	struct stat found;
	FILE *file;

	if (stat(path, &found) < 0 || !S_ISREG(found.st_mode) || !(file = fopen(path, "rb")))
		return;
	size = fread(bytes, 1, FILE_ROOM, file);
	fclose(file);
	for (uint32_t changes = roll(2) ? 1 : 1 + roll(4); changes > 0; changes--) {
		bytes[size] = '\0';
		bytes_change(bytes, &size, FILE_ROOM);
	}
	base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	snprintf(name, sizeof name, "attacked-%s", base);
	file = need(fopen(name, "wb"));
	fwrite(bytes, 1, size, file);
	fclose(file);
	length = (size_t)(path - *word);
	named = need(malloc(length + strlen(name) + 1));
	memcpy(named, *word, length);
	strcpy(named + length, name);
	free(*word);
	*word = named;
}

static void words_insert(char **word, int *count, int at, const char *text)
{
	if (*count == WORDS)
		return;
	memmove(word + at + 1, word + at, (size_t)(*count - at) * sizeof *word);
	word[at] = copy(text);
	++*count;
}

/* The command itself stays. */
static void words_change(char **word, int *count, const struct line *other)
{
	int at = *count > 1 ? 1 + (int)roll((uint32_t)*count - 1) : 1, from;
	char *grown;
	size_t size;

	switch (at < *count ? roll(6) : 5) {
	case 0: /* away */
		free(word[at]);
		memmove(word + at, word + at + 1, (size_t)(--*count - at) * sizeof *word);
		break;
	case 1: /* twice */
		words_insert(word, count, at, word[at]);
		break;
	case 2:
	case 3:
		size = strlen(word[at]);
		grown = need(realloc(word[at], FILE_ROOM + 1));
		word[at] = grown;
		bytes_change(grown, &size, FILE_ROOM);
		grown[size] = '\0';
		break;
	case 4:
		free(word[at]);
		word[at] = copy(roll(2) ? PICK(numbers) : PICK(texts));
		break;
	default: /* what another line has, an option with its value */
		from = (int)roll((uint32_t)other->count);
		for (int i = from < 1 ? 1 : from; i < other->count && i < from + 2; i++)
			words_insert(word, count, at++, other->word[i]);
	}
}

/* Where answers are to be written becomes a name of ours; false: nowhere. */
static bool outputs_rename(char **word, int count)
{
	bool any = false;

	for (int i = 1; i < count; i++) {
		bool is_apart = strcmp(word[i], "-o") == 0 || strcmp(word[i], "--output") == 0;
		const char *form = is_apart                   ? "" :
			strncmp(word[i], "--output=", 9) == 0 ? "--output=" :
			strncmp(word[i], "-o", 2) == 0        ? "-o" :
								NULL;
		char *named;

		if (!form || (is_apart && ++i == count))
			continue;
		named = need(malloc(strlen(form) + sizeof answer));
		strcpy(stpcpy(named, form), answer);
		free(word[i]);
		word[i] = named;
		any = true;
	}
	return any;
}

static void limit(int what, rlim_t most)
{
	/* CPU time that is up is a signal of its own only below the hard limit */
	const struct rlimit both = { most, what == RLIMIT_CPU ? most + 1 : most };

	setrlimit(what, &both);
}

/* A fresh copy of the folder, and there. */
static void folder_enter(const char *folder)
{
	if (chdir(folder) < 0 || system("rm -rf ../attacked && cp -r . ../attacked") != 0 ||
	    chdir("../attacked") < 0)
		need(NULL);
}

static struct end run(const struct line *line, char **word, int count)
{
	char *argv[WORDS + 2] = { (char *)"topomap" };
	struct rusage usage;
	struct end end;
	pid_t child;

	for (int i = 0; i < count; i++)
		argv[i + 1] = word[i];
	child = fork();
	if (child < 0)
		need(NULL);
	if (child == 0) {
		int in = open("/dev/null", O_RDONLY);
		int out = open("attacked.out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
		int err = open("attacked.err", O_WRONLY | O_CREAT | O_TRUNC, 0644);

		dup2(in, 0);
		dup2(out, 1);
		dup2(err, 2);
		limit(RLIMIT_CORE, 0);
		limit(RLIMIT_CPU, (rlim_t)line->seconds);
		limit(RLIMIT_FSIZE, (rlim_t)OUTPUT_MIB << 20);
		if (line->mib)
			limit(RLIMIT_AS, (rlim_t)line->mib << 20);
		signal(SIGXFSZ, SIG_IGN); /* it cannot be written then */
		alarm(WALL_SECONDS);
		execv(topomap, argv);
		_exit(127);
	}
	while (wait4(child, &end.status, 0, &usage) < 0)
		if (errno != EINTR)
			need(NULL);
	end.seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	end.mib = usage.ru_maxrss / 1024;
	return end;
}

/* The beginning of a file, as a text: a zero byte is another control character. */
static const char *text_of(const char *path, char text[PRINTED + 1])
{
	FILE *file = fopen(path, "rb");
	size_t size = file ? fread(text, 1, PRINTED, file) : 0;

	if (file)
		fclose(file);
	for (size_t i = 0; i < size; i++)
		text[i] = text[i] ? text[i] : '\1';
	text[size] = '\0';
	return text;
}

/* What steers a terminal: C0 without tabs and newlines, delete, C1. */
static bool has_controls(const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if ((*at < 32 && *at != '\n' && *at != '\t') || *at == 127 ||
		    (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0))
			return true;
	return false;
}

/* Those that are no texts. */
static bool is_picture(const char *text)
{
	return strncmp(text, "\x89PNG", 4) == 0 || strncmp(text, "%PDF", 4) == 0;
}

/* Besides notes one sentence, or three lines, of which the first ends with a colon and the last marks a
 * place in the second. */
static bool is_one_message(const char *text)
{
	const char *line[3] = { text };
	int count = 0;

	for (const char *end; *text; text = end + (*end == '\n')) {
		end = text + strcspn(text, "\n");
		if (strncmp(text, "Note: ", 6) == 0)
			continue;
		if (count < 3)
			line[count] = text;
		count++;
	}
	return count == 1 ||
		(count == 3 && line[1] - line[0] > 1 && line[1][-2] == ':' &&
		 line[2][strspn(line[2], " ")] == '^');
}

/* What is wrong with an end; NULL: nothing. */
static const char *judge(const struct end *end, bool has_output)
{
	static char err[PRINTED + 1], out[PRINTED + 1];
	struct stat found;
	int status;

	text_of("attacked.err", err);
	text_of("attacked.out", out);
	if (WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGXCPU)
		return "it takes more time than tests/limits/costs says";
	if (WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGALRM)
		return "it does not end";
	if (WIFSIGNALED(end->status))
		return strsignal(WTERMSIG(end->status));
	status = WEXITSTATUS(end->status);
	if (strstr(err, "runtime error:") || strstr(err, "Sanitizer"))
		return "a sanitizer's message";
	if (status > 4)
		return "a status that no manual page has";
	if (strstr(err, "out of memory") || strstr(err, "Cannot allocate"))
		return "it takes more memory than tests/limits/costs says";
	if (status && status < 4 && !is_one_message(err))
		return "it is refused, but not by one sentence";
	if (has_controls(err))
		return "a control character in a message";
	if (has_controls(out) && !is_picture(out))
		return "a control character in the answer";
	if (has_output && status && status < 4 && lstat(answer, &found) == 0)
		return "a file although it failed";
	return NULL;
}

static void print_words(char **word, int count)
{
	printf("topomap");
	for (int i = 0; i < count; i++) {
		printf(" '");
		for (const char *at = word[i]; *at && at < word[i] + 200; at++)
			if (*at == '\'')
				printf("'\\''");
			else if ((unsigned char)*at < 32 || (unsigned char)*at > 126)
				printf("\\%03o", (unsigned char)*at);
			else
				putchar(*at);
		printf(strlen(word[i]) > 200 ? "...'" : "'");
	}
	putchar('\n');
}

static const struct line *line_of(int command)
{
	return &lines[first_line[command] +
		      (int)roll((uint32_t)(first_line[command + 1] - first_line[command]))];
}

static void attack(struct totals *totals, uint64_t seed, long number)
{
	char *word[WORDS];
	const struct line *line, *other;
	const char *wrong;
	int command, count;
	bool has_output;
	struct end end;

	dice.state = seed * 0x9e3779b97f4a7c15 + (uint64_t)number * 0xd1342543de82ef95;
	command = (int)roll((uint32_t)command_count);
	line = line_of(command);
	other = line_of(command);
	folder_enter(line->folder);
	count = line->count;
	for (int i = 0; i < count; i++)
		word[i] = copy(line->word[i]);
	for (uint32_t changes = roll(2) ? 0 : 1 + roll(3); changes > 0; changes--)
		words_change(word, &count, other);
	for (int i = 1; i < count; i++)
		if (roll(2))
			file_change(&word[i]);
	has_output = outputs_rename(word, count);
	end = run(line, word, count);
	wrong = judge(&end, has_output);
	totals->seconds = end.seconds > totals->seconds ? end.seconds : totals->seconds;
	totals->mib = end.mib > totals->mib ? end.mib : totals->mib;
	totals->refused += WIFEXITED(end.status) && WEXITSTATUS(end.status);
	*(wrong ? &totals->failed : &totals->passed) += 1;
	if (wrong) {
		printf("attack %ld: %s\n  in %s: ", number, wrong, line->folder);
		print_words(word, count);
		fflush(stdout);
	}
	while (count > 0)
		free(word[--count]);
}

static long number_of(const char *text, long least)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end > text && !*end && !errno && value >= least)
		return value;
	fprintf(stderr, "attack: '%s' is no number from %ld on\n", text, least);
	exit(2);
}

int main(int argc, char **argv)
{
	struct totals totals = { 0 };
	time_t start = time(NULL);
	long seconds;
	uint64_t seed;

	if (argc < 5) {
		fputs("attack TOPOMAP LINES SECONDS SEED [NUMBER]\n", stderr);
		return 2;
	}
	topomap = argv[1];
	seconds = number_of(argv[3], argc > 5 ? 0 : 1);
	seed = (uint64_t)number_of(argv[4], 0);
	lines_read(argv[2]);
	if (!line_count)
		return 3;
	if (argc > 5)
		attack(&totals, seed, number_of(argv[5], 0));
	else
		for (long number = 0; time(NULL) - start < seconds; number++)
			attack(&totals, seed, number);
	printf("%d commands, seed %s: %ld were refused, none took more than %.1f s and %ld MiB\n",
	       command_count, argv[4], totals.refused, totals.seconds, totals.mib);
	printf("%ld passed, %ld failed, 0 skipped\n", totals.passed, totals.failed);
	return totals.failed > 0 || totals.passed == 0;
}
