/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/left_out_report.h"

#include "core/base/mem.h"
#include "formats/base/wrap.h"
#include "formats/report/times/measured_call.h"

#include <stdlib.h>
#include <string.h>

void tmap_json_put_left_out(struct tmap_json_writer *w, const struct tmap_times *times)
{
	if (!times->left_out_count)
		return;
	tmap_json_open(w, "left_out", '[');
	for (int i = 0; i < times->left_out_count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_call(w, &times->left_out[i].call);
		tmap_json_put_string(w, "reason", times->left_out[i].reason);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

/* By what a line is of, and the rest behind it. */
static int line_compare(const struct tmap_left_out *a, const struct tmap_left_out *b)
{
	int order = strcmp(tmap_experiment_call(&a->call), tmap_experiment_call(&b->call));

	if (!order)
		order = tmap_virtual_key_compare(&a->call.on, &b->call.on);
	if (!order)
		order = strcmp(a->call.algorithm, b->call.algorithm);
	return order ? order : strcmp(a->reason, b->reason);
}

static int left_out_compare(const void *a, const void *b)
{
	const struct tmap_left_out *const *left = a, *const *right = b;

	return line_compare(*left, *right);
}

static int line_write(FILE *out, const struct tmap_left_out *it, int calls, struct tmap_error *err)
{
	struct tmap_str text = { 0 };
	char on[TMAP_VIRTUAL_ROOM];

	tmap_str_addf(&text, "%s %s", tmap_experiment_call(&it->call),
		      it->call.on.call == TMAP_NO_VIRTUAL ?
			      it->call.algorithm :
			      tmap_virtual_print(&it->call.on.topology, on));
	if (calls > 1)
		tmap_str_addf(&text, ", %d calls", calls);
	tmap_str_addf(&text, ": %s", it->reason);
	return tmap_text_write_wrapped_str(out, 4, "  -", &text, err);
}

int tmap_text_write_left_out(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	int count = times->left_out_count, calls = 0, status = 0;
	const struct tmap_left_out **line;

	if (!count)
		return 0;
	line = tmap_alloc_raw((size_t)count, sizeof *line, err);
	if (!line)
		return -1;
	for (int i = 0; i < count; i++)
		line[i] = &times->left_out[i];
	qsort(line, (size_t)count, sizeof *line, left_out_compare);
	fputs("\nLeft out:\n", out);
	for (int i = 0; i < count && status == 0; i++) {
		calls++;
		if (i + 1 < count && line_compare(line[i], line[i + 1]) == 0)
			continue;
		status = line_write(out, line[i], calls, err);
		calls = 0;
	}
	free(line);
	return status;
}
