/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/cpu_bind.h"

#include "formats/base/lines.h"
#include "formats/logs/log_number.h"

#include <ctype.h>
#include <string.h>

enum { MOST_DIGITS = 1 << 20 };

/* A part of a line: not terminated. */
struct piece {
	const char *text;
	size_t length;
};

static bool skip(struct piece *in, const char *word)
{
	size_t length = strlen(word);

	if (in->length < length || memcmp(in->text, word, length) != 0)
		return false;
	in->text += length;
	in->length -= length;
	return true;
}

/* Takes what stands before @p word, and the word. */
static bool take_until(struct piece *in, const char *word, struct piece *taken)
{
	const char *found = memmem(in->text, in->length, word, strlen(word));

	if (!found)
		return false;
	*taken = (struct piece){ in->text, (size_t)(found - in->text) };
	in->length -= taken->length + strlen(word);
	in->text = found + strlen(word);
	return true;
}

static bool take_number(struct piece *in, int *number)
{
	const char *end = in->text + in->length;

	while (skip(in, " "))
		;
	*number = tmap_log_number_take(&in->text, end);
	in->length = (size_t)(end - in->text);
	return *number != TMAP_NONE;
}

/* "=MASK - node07, task  3  1 [4711]: mask 0x"; false: this is other output. */
static bool take_head(struct piece *in, struct piece *host, int *rank, const char **digits)
{
	struct piece ignored;
	int local;

	if (!take_until(in, " - ", &ignored) || !take_until(in, ", task ", host) || !host->length ||
	    memchr(host->text, ' ', host->length))
		return false;
	while (skip(in, " "))
		;
	*digits = in->text;
	return take_number(in, rank) && take_number(in, &local) && skip(in, " [") &&
		take_until(in, "]: mask 0x", &ignored);
}

/* Tasks that print at the same time may share a line. */
static int cpu_bind_read_line(struct tmap_entries *entries, struct tmap_line *line,
			      struct tmap_error *err)
{
	struct piece rest = { line->text, line->length }, ignored, host, mask;
	const char *digits;
	int rank;

	while (take_until(&rest, "cpu-bind", &ignored) || take_until(&rest, "cpu_bind", &ignored)) {
		if (!take_head(&rest, &host, &rank, &digits))
			return 0;
		if (tmap_log_number_check(rank, "task", digits, err) < 0)
			return -1;
		mask = (struct piece){ rest.text, 0 };
		while (mask.length < rest.length && isxdigit((unsigned char)mask.text[mask.length]))
			mask.length++;
		if (mask.length == 0 || mask.length > MOST_DIGITS)
			return tmap_fail(err, TMAP_INPUT,
					 "the mask of rank %d has %zu hexadecimal digits", rank,
					 mask.length);
		rest = (struct piece){ mask.text + mask.length, rest.length - mask.length };
		if (skip(&rest, " FAILED") || skip(&rest, " set FAILED"))
			return tmap_fail(err, TMAP_INPUT,
					 "the binding of rank %d to mask 0x%.*s failed", rank,
					 mask.length > 64 ? 64 : (int)mask.length, mask.text);
		if (tmap_entries_add_text(entries, rank, line->number, host.text, host.length,
					  mask.text, mask.length, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_cpu_bind_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			int *line, struct tmap_error *err)
{
	return tmap_entries_parse_lines(entries, file->text, cpu_bind_read_line, line, err);
}

static int digit_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

int tmap_cpu_bind_resolve(struct tmap_idset *pus, const char *mask,
			  const struct tmap_topology *topo, const void *context,
			  struct tmap_error *err)
{
	struct tmap_idset made = { 0 };
	int digits = (int)strlen(mask), status = 0;

	(void)context;
	for (int bit = 0; bit < 4 * digits && status == 0; bit++) {
		if (!(digit_value(mask[digits - 1 - bit / 4]) >> bit % 4 & 1))
			continue;
		if (tmap_topology_find_pu(topo, bit) == TMAP_NONE)
			status = tmap_fail(err, TMAP_INPUT,
					   "the mask has PU P%d, which the node lacks", bit);
		else
			status = tmap_idset_add(&made, bit, err);
	}
	if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT, "the mask 0x%.20s has no PU", mask);
	if (status < 0)
		tmap_idset_fini(&made);
	else
		*pus = made;
	return status;
}
