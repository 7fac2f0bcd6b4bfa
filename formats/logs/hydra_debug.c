/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/hydra_debug.h"

#include "core/base/string.h"
#include "formats/base/lines.h"
#include "formats/logs/log_number.h"
#include "formats/logs/node_lines.h"

#include <stdlib.h>
#include <string.h>

static const char before[] = "process ", behind[] = " binding:";

/* How much of @p word stands there. */
static size_t begun(const char *at, const char *end, const char *word)
{
	size_t length = 0;

	while (word[length] && at + length < end && at[length] == word[length])
		length++;
	return length;
}

/* *bits = those of the line, if it is one of ours: "process 0 binding:" stands before them. NULL:
 * it is not. Refuses a line that is cut. */
static int find_bits(const char **bits, const struct tmap_line *line, int *process,
		     const char **digits, struct tmap_error *err)
{
	const char *end = line->text + line->length, *at = line->text;

	*bits = NULL;
	while ((at = memmem(at, (size_t)(end - at), before, strlen(before)))) {
		size_t length;

		at += strlen(before);
		*digits = at;
		*process = tmap_log_number_take(&at, end);
		if (*process == TMAP_NONE)
			continue;
		length = begun(at, end, behind);
		at += length;
		if (length == strlen(behind)) {
			*bits = at;
			return 0;
		}
		if (length > 1 && (at == end || begun(at, end, before) == strlen(before)))
			return tmap_fail(err, TMAP_INPUT,
					 "process %d: the line is cut before 'binding:'", *process);
	}
	return 0;
}

static int process_read_line(struct tmap_entries *entries, struct tmap_line *line,
			     struct tmap_error *err)
{
	const char *end = line->text + line->length;
	struct tmap_str bits = TMAP_STR_INIT;
	const char *digits, *at;
	char *text;
	int process, status = -1;

	if (find_bits(&at, line, &process, &digits, err) < 0)
		return -1;
	if (!at)
		return 0;
	if (tmap_log_number_check(process, "process", digits, err) < 0)
		return -1;
	for (; at < end; at++)
		if (*at == '0' || *at == '1')
			tmap_str_addc(&bits, *at);
		else if (*at != ' ')
			break;
	text = tmap_str_take(&bits, err);
	if (!text)
		return -1;
	if (at < end || !*text)
		tmap_fail(err, TMAP_INPUT, "the binding of process %d is no row of 0 and 1",
			  process);
	else
		status = tmap_entries_add_text(entries, process, line->number, "", 0, text,
					       strlen(text), err);
	free(text);
	return status;
}

/* A PU that the job may use and that has no bit, or TMAP_NONE: Hydra counts PUs, and the operating
 * system's numbers may be larger where some are offline or not for this job. */
static int find_unseen(const struct tmap_topology *topo, int bits)
{
	for (int pu = 0; pu < topo->pu_count; pu++)
		if (topo->pu[pu].allowed && topo->pu[pu].os >= bits)
			return topo->pu[pu].os;
	return TMAP_NONE;
}

int tmap_hydra_debug_resolve(struct tmap_idset *pus, const char *bits,
			     const struct tmap_topology *topo, const void *context,
			     struct tmap_error *err)
{
	struct tmap_idset made = { 0 };
	int count = (int)strlen(bits), allowed = tmap_topology_allowed_pus(topo), status = 0;

	(void)context;
	if (count == 0)
		return 0;
	if (count != allowed && count != topo->pu_count)
		return tmap_fail(
			err, TMAP_INPUT,
			"the binding has %d bits, but the node has %d PU%s that the job may use",
			count, allowed, allowed == 1 ? "" : "s");
	for (int i = 0; i < count && status == 0; i++)
		if (bits[i] == '1')
			status = tmap_idset_add(&made, i, err);
	if (status == 0 && !made.count && find_unseen(topo, count) != TMAP_NONE)
		status = tmap_fail(err, TMAP_INPUT,
				   "the binding has no PU: Hydra prints %d bits, and the node has "
				   "PU P%d, which is not among them",
				   count, find_unseen(topo, count));
	else if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT, "the binding has no PU");
	if (status < 0)
		tmap_idset_fini(&made);
	else
		*pus = made;
	return status;
}

static bool has_unseen(const struct tmap_machine *machine, const struct tmap_entries *lines)
{
	for (int t = 0; machine && t < machine->topology_count; t++)
		for (int i = 0; i < lines->words.count; i++)
			if (find_unseen(&machine->topology[t], (int)strlen(lines->words.name[i])) !=
			    TMAP_NONE)
				return true;
	return false;
}

int tmap_hydra_debug_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			   int *line, struct tmap_error *err)
{
	struct tmap_entries lines = { 0 };
	int status = tmap_entries_parse_lines(&lines, file->text, process_read_line, line, err);

	if (status == 0)
		status = tmap_node_lines_spread(entries, &lines, file, line, err);
	if (status == 0 && has_unseen(file->machine, &lines))
		entries->note = "Hydra prints as many bits as a node has PUs: bindings to PUs with "
				"higher numbers, which this machine has, are not seen";
	tmap_entries_fini(&lines);
	return status;
}
