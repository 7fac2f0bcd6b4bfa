/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/cpu_bind.h"

#include "formats/base/lines.h"
#include "formats/logs/log_number.h"

#include <ctype.h>
#include <stdio.h>
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

/* Behind "cpu-bind": "-threads=MASK ". Commands and comments have the word as well. */
static bool take_kind(struct piece *in, bool *is_bound)
{
	static const char *const kinds[] = { "NONE",   "NULL",  "UNK",    "RANK", "MASK",
					     "LDRANK", "LDMAP", "LDMASK", "MAP" };
	static const char *const units[] = { "",         "-threads", "-cores",
					     "-sockets", "-ldoms",   "_threads",
					     "_cores",   "_sockets", "_ldoms" };
	struct piece rest;

	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
			rest = *in;
			if (!skip(&rest, units[u]) || !skip(&rest, "=") || !skip(&rest, kinds[k]) ||
			    (rest.length && *rest.text != ' '))
				continue;
			*in = rest;
			*is_bound = k > 1;
			return true;
		}
	return false;
}

/* What srun prints for a task, as far as it was there. */
struct task {
	struct piece host, mask;
	int rank; /* TMAP_NONE: it has none */
	const char *digits;
};

static bool take_host(struct piece *in, struct piece *host)
{
	host->text = in->text;
	while (in->length && isgraph((unsigned char)*in->text) && *in->text != ',') {
		in->text++;
		in->length--;
	}
	host->length = (size_t)(in->text - host->text);
	return host->length > 0;
}

/* " - node07, task  3  1 [4711]: mask 0xc"; NULL, or what should stand where @p in begins. */
static const char *take_task(struct piece *in, struct task *task)
{
	int local, pid;

	task->rank = TMAP_NONE;
	while (skip(in, " "))
		;
	if (!skip(in, "- "))
		return "'- '";
	if (!take_host(in, &task->host))
		return "the node's name";
	if (!skip(in, ", task "))
		return "', task'";
	while (skip(in, " "))
		;
	task->digits = in->text;
	if (!take_number(in, &task->rank) || !take_number(in, &local))
		return "a number";
	if (!skip(in, " ["))
		return "'['";
	if (!take_number(in, &pid))
		return "a number";
	if (!skip(in, "]: mask 0x"))
		return "']: mask 0x'";
	task->mask = (struct piece){ in->text, 0 };
	while (in->length && isxdigit((unsigned char)*in->text)) {
		in->text++;
		in->length--;
		task->mask.length++;
	}
	if (!task->mask.length || (in->length && isalnum((unsigned char)*in->text)))
		return "a hexadecimal digit";
	return NULL;
}

static int refuse(const struct task *task, const struct piece *at, const char *wanted,
		  struct tmap_error *err)
{
	char rank[32] = "";
	int shown = at->length > 40 ? 40 : (int)at->length;

	if (task->rank != TMAP_NONE)
		snprintf(rank, sizeof rank, "rank %d: ", task->rank);
	if (!shown)
		return tmap_fail(err, TMAP_INPUT, "%sthe line ends where %s is expected", rank,
				 wanted);
	return tmap_fail(err, TMAP_INPUT, "%s'%.*s' stands where %s is expected", rank, shown,
			 at->text, wanted);
}

/* Tasks that print at the same time may share a line, one behind the other. */
static int cpu_bind_read_line(struct tmap_entries *entries, struct tmap_line *line,
			      struct tmap_error *err)
{
	struct piece rest = { line->text, line->length }, ignored;
	struct task task;
	const char *wanted;
	bool is_bound;

	while (take_until(&rest, "cpu-bind", &ignored) || take_until(&rest, "cpu_bind", &ignored)) {
		/* "--cpu-bind=NONE" is an option */
		if ((ignored.length && ignored.text[ignored.length - 1] == '-') ||
		    !take_kind(&rest, &is_bound))
			continue;
		wanted = take_task(&rest, &task);
		if (!wanted && is_bound && !rest.length && line->text[line->length] == '\0')
			wanted = "a hexadecimal digit or ' set'";
		if (task.rank != TMAP_NONE &&
		    tmap_log_number_check(task.rank, "task", task.digits, err) < 0)
			return -1;
		if (wanted)
			return refuse(&task, &rest, wanted, err);
		if (task.mask.length > MOST_DIGITS)
			return tmap_fail(err, TMAP_INPUT,
					 "the mask of rank %d has %zu hexadecimal digits",
					 task.rank, task.mask.length);
		if (skip(&rest, " FAILED") || skip(&rest, " set FAILED"))
			return tmap_fail(err, TMAP_INPUT,
					 "the binding of rank %d to mask 0x%.*s failed", task.rank,
					 task.mask.length > 64 ? 64 : (int)task.mask.length,
					 task.mask.text);
		if (tmap_entries_add_text(entries, task.rank, line->number, task.host.text,
					  task.host.length, task.mask.text, task.mask.length,
					  err) < 0)
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
