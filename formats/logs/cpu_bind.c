#include "formats/logs/cpu_bind.h"

#include "formats/base/lines.h"

#include <ctype.h>
#include <limits.h>
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
	long value = 0;
	size_t digits = 0;

	while (skip(in, " "))
		;
	for (; in->length && isdigit((unsigned char)*in->text); in->text++, in->length--) {
		value = 10 * value + (*in->text - '0');
		if (value >= INT_MAX)
			return false;
		digits++;
	}
	*number = (int)value;
	return digits > 0;
}

/* "=MASK - node07, task  3  1 [4711]: mask 0x"; false: this is other output. */
static bool take_head(struct piece *in, struct piece *host, int *rank)
{
	struct piece ignored;
	int local;

	if (!take_until(in, " - ", &ignored) || !take_until(in, ", task ", host) ||
	    !host->length || memchr(host->text, ' ', host->length))
		return false;
	return take_number(in, rank) && take_number(in, &local) && skip(in, " [") &&
	       take_until(in, "]: mask 0x", &ignored);
}

static int read_line(struct tm_entries *entries, struct tm_line *line, struct tm_error *err)
{
	struct piece rest = { line->text, line->length }, ignored, host, mask;
	int rank;

	if (!take_until(&rest, "cpu-bind", &ignored) && !take_until(&rest, "cpu_bind", &ignored))
		return 0;
	if (!take_head(&rest, &host, &rank))
		return 0;
	mask = (struct piece){ rest.text, 0 };
	while (mask.length < rest.length && isxdigit((unsigned char)mask.text[mask.length]))
		mask.length++;
	if (mask.length == 0 || mask.length > MOST_DIGITS)
		return tm_fail(err, TM_INPUT, "the mask of rank %d has %zu hexadecimal digits", rank,
			       mask.length);
	rest = (struct piece){ mask.text + mask.length, rest.length - mask.length };
	if (take_until(&rest, "FAILED", &ignored))
		return tm_fail(err, TM_INPUT, "the binding of rank %d to mask 0x%.*s failed", rank,
			       mask.length > 64 ? 64 : (int)mask.length, mask.text);
	return tm_entries_add_text(entries, rank, line->number, host.text, host.length, mask.text,
				   mask.length, err);
}

int tm_cpu_bind_parse(struct tm_entries *entries, const char *text, int *line,
		      struct tm_error *err)
{
	return tm_entries_parse_lines(entries, text, read_line, line, err);
}

static int digit_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

int tm_cpu_mask_resolve(struct tm_idset *pus, const char *mask, const struct tm_topology *topo,
			const void *context, struct tm_error *err)
{
	struct tm_idset made = { 0 };
	int digits = (int)strlen(mask), status = 0;

	(void)context;
	for (int bit = 0; bit < 4 * digits && status == 0; bit++) {
		if (!(digit_value(mask[digits - 1 - bit / 4]) >> bit % 4 & 1))
			continue;
		if (tm_topology_find_pu(topo, bit) == TM_NONE)
			status = tm_fail(err, TM_INPUT, "the mask has PU P%d, which the node lacks",
					 bit);
		else
			status = tm_idset_add(&made, bit, err);
	}
	if (status == 0 && !made.count)
		status = tm_fail(err, TM_INPUT, "the mask 0x%.20s has no PU", mask);
	if (status < 0)
		tm_idset_fini(&made);
	else
		*pus = made;
	return status;
}

int tm_cpu_bind_read(struct tm_placement *p, struct tm_machine *machine, const char *path,
		     struct tm_error *err)
{
	static const struct tm_entries_reader reader = { tm_cpu_bind_parse, tm_cpu_mask_resolve };

	return tm_entries_read(p, machine, path, &reader, err);
}
