/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/matrix_order.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "formats/traffic/labels.h"
#include "formats/traffic/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MOST = 40 };

/* The labels of one side. */
struct side {
	int count;
	struct tmap_label *label; /* [count] */
	int *rank;                /* [count] where they count: the number from their least one on */
	bool counts, has_gaps;
};

static void side_fini(struct side *side)
{
	free(side->label);
	free(side->rank);
}

/* "'r2' labels a line, but no column" */
static int refuse(const struct tmap_label *label, const char *rule, struct tmap_error *err)
{
	return tmap_fail_at(err, TMAP_INPUT, label->line, 0, "'%.*s' %s",
			    (int)(label->length < SHOWN_MOST ? label->length : SHOWN_MOST),
			    label->text, rule);
}

/* The labels of the first line, or of the first column below it. */
static int side_read(struct side *side, const struct tmap_matrix_shape *shape, const char *text,
		     bool is_heading, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct tmap_label label;

	side->label = tmap_alloc((size_t)shape->ranks, sizeof *side->label, err);
	side->rank = tmap_alloc((size_t)shape->ranks, sizeof *side->rank, err);
	if (!side->label || !side->rank)
		return -1;
	if (shape->has_heading && tmap_traffic_line(&line, &text, '#') && is_heading) {
		if (shape->has_corner)
			tmap_label_next(&label, &line);
		while (side->count < shape->ranks && tmap_label_next(&label, &line))
			side->label[side->count++] = label;
		return 0;
	}
	while (side->count < shape->ranks && tmap_traffic_line(&line, &text, '#') &&
	       tmap_label_next(&label, &line))
		side->label[side->count++] = label;
	return 0;
}

/* Labels of which one is there twice do not count: they are names of hosts, perhaps. */
static int side_number(struct side *side, struct tmap_error *err)
{
	struct tmap_label_series series = { 0 };
	bool *is_there = tmap_alloc((size_t)side->count, sizeof *is_there, err);

	if (!is_there)
		return -1;
	for (int i = 0; i < side->count; i++)
		tmap_label_series_add(&series, &side->label[i]);
	side->counts = tmap_label_series_begins(&series);
	side->has_gaps = side->counts && !tmap_label_series_counts(&series);
	for (int i = 0; i < side->count && side->counts; i++) {
		int rank = (int)(side->label[i].number - series.least);

		side->rank[i] = rank;
		if (rank < side->count && is_there[rank])
			side->counts = side->has_gaps = false;
		else if (rank < side->count)
			is_there[rank] = true;
	}
	free(is_there);
	return 0;
}

/* Labels on one side only: whose the other one's lines are is not known, unless they are in order. */
static int check_order(const struct side *side, const char *what, struct tmap_error *err)
{
	char rule[SHOWN_MOST + 40];

	for (int i = 0; i < side->count && side->counts; i++) {
		if (side->rank[i] == i)
			continue;
		snprintf(rule, sizeof rule, "labels the %s of rank %d", what, i);
		return refuse(&side->label[i], rule, err);
	}
	return 0;
}

static bool is_same(const struct tmap_label *a, const struct tmap_label *b)
{
	return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* The labels of lines by the place of the same name in the heading. */
static int match(struct side *lines, const struct side *heading, struct tmap_error *err)
{
	struct tmap_names names = { 0 };
	bool *is_taken = tmap_alloc((size_t)lines->count, sizeof *is_taken, err);
	int status = is_taken ? 0 : -1;

	for (int i = 0; i < heading->count && status == 0; i++) {
		const struct tmap_label *label = &heading->label[i];
		int number = tmap_names_intern(&names, label->text, label->length, err);

		if (number == TMAP_NONE)
			status = -1;
		else if (number != i)
			status = refuse(label, "is above two columns", err);
	}
	for (int i = 0; i < lines->count && status == 0; i++) {
		const struct tmap_label *label = &lines->label[i];
		int number = tmap_names_find(&names, label->text, label->length);

		if (number == TMAP_NONE)
			status = refuse(label, "labels a line, but no column", err);
		else if (is_taken[number])
			status = refuse(label, "labels two lines", err);
		else
			is_taken[lines->rank[i] = number] = true;
	}
	free(is_taken);
	tmap_names_fini(&names);
	return status;
}

/* The rank of each line and each column, where both sides have labels. */
static int rank_both(struct side *lines, struct side *heading, struct tmap_error *err)
{
	bool is_equal = lines->count == heading->count && lines->label[0].is_word;

	if (heading->has_gaps)
		return check_order(heading, "column", err);
	if (heading->counts && lines->counts && !lines->has_gaps &&
	    heading->label[0].number - heading->rank[0] == lines->label[0].number - lines->rank[0])
		return 0;
	for (int i = 0; i < lines->count && is_equal; i++)
		is_equal = is_same(&lines->label[i], &heading->label[i]);
	for (int i = 0; i < heading->count && !heading->counts; i++)
		heading->rank[i] = i;
	if (is_equal) {
		memcpy(lines->rank, heading->rank, (size_t)lines->count * sizeof *lines->rank);
		return 0;
	}
	return match(lines, heading, err);
}

/* Hands over the ranks of a side. */
static int *side_take(struct side *side)
{
	int *rank = side->rank;

	side->rank = NULL;
	return rank;
}

int tmap_matrix_order_init(struct tmap_matrix_order *order, const struct tmap_matrix_shape *shape,
			   const char *text, struct tmap_error *err)
{
	struct side heading = { 0 }, lines = { 0 };
	int status = 0;

	*order = (struct tmap_matrix_order){ .ranks = shape->ranks };
	if (shape->has_heading)
		status = side_read(&heading, shape, text, true, err) < 0 ||
				side_number(&heading, err) < 0 ?
			-1 :
			0;
	if (shape->has_labels && status == 0)
		status = side_read(&lines, shape, text, false, err) < 0 ||
				side_number(&lines, err) < 0 ?
			-1 :
			0;
	if (status == 0 && shape->has_heading && shape->has_labels) {
		status = rank_both(&lines, &heading, err);
		if (status == 0) {
			order->row = side_take(&lines);
			order->column = side_take(&heading);
		}
	} else if (status == 0) {
		status = shape->has_heading ? check_order(&heading, "column", err) :
					      check_order(&lines, "line", err);
	}
	side_fini(&heading);
	side_fini(&lines);
	return status;
}

void tmap_matrix_order_fini(struct tmap_matrix_order *order)
{
	free(order->row);
	free(order->column);
	*order = (struct tmap_matrix_order){ 0 };
}
