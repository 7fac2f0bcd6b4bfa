/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/labels.h"
#include "formats/traffic/matrix_order.h"
#include "formats/traffic/readers.h"

/* What the first two lines and the first column look like. */
struct look {
	int lines;
	int first, others; /* fields of the first line and of the second one; TMAP_NONE: one is
			      neither a name nor a number */
	int words;         /* names in the second line */
	bool is_label;     /* it begins with one */
	bool has_corner_word;
	struct tmap_label_series whole,
		behind;                  /* the first line; the same behind its first field */
	struct tmap_label_series column; /* first fields of the other lines */
};

/* Fields of a line, labels as one; *words of them are names. */
static int count_fields(struct tmap_line line, int *words)
{
	struct tmap_label label;
	int count = 0;

	*words = 0;
	for (; tmap_label_next(&label, &line); count++) {
		struct tmap_line field = { .text = label.text, .length = label.length };

		if (label.is_word)
			(*words)++;
		else if (tmap_traffic_count_fields(field) != 1)
			return TMAP_NONE;
	}
	return count;
}

static void look_at_heading(struct look *look, struct tmap_line line)
{
	struct tmap_label label;

	while (tmap_label_next(&label, &line)) {
		if (look->whole.count)
			tmap_label_series_add(&look->behind, &label);
		else
			look->has_corner_word = label.is_word;
		tmap_label_series_add(&look->whole, &label);
	}
}

static struct look look_at(const char *text)
{
	struct look look = { 0 };
	struct tmap_line line = { 0 };
	struct tmap_label label;
	int unused;

	for (; tmap_traffic_line(&line, &text, '#'); look.lines++) {
		struct tmap_line rest = line;

		if (look.lines == 0) {
			look.first = count_fields(line, &unused);
			look_at_heading(&look, line);
			continue;
		}
		if (look.lines == 1)
			look.others = count_fields(line, &look.words);
		if (tmap_label_next(&label, &rest)) {
			tmap_label_series_add(&look.column, &label);
			look.is_label = look.lines == 1 ? label.is_word : look.is_label;
		}
	}
	return look;
}

static bool is_all_words(const struct tmap_label_series *series)
{
	return series->count && series->words == series->count;
}

/* A heading and labels: names on both sides, or both count. */
static bool has_both(const struct tmap_label_series *heading,
		     const struct tmap_label_series *labels)
{
	return (is_all_words(heading) && is_all_words(labels)) ||
		(tmap_label_series_counts(heading) && tmap_label_series_counts(labels));
}

/* Do all lines but the first begin with two ranks, from 0 or 1, and not always the same twice? */
static bool has_list_lines(const char *text, int ranks)
{
	struct tmap_line line = { 0 };
	struct tmap_error unused;
	bool differ = false;
	int64_t from, to;

	tmap_traffic_line(&line, &text, '#');
	while (tmap_traffic_line(&line, &text, '#')) {
		if (tmap_field_int(&line, "a rank", 0, &from, &unused) <= 0 ||
		    tmap_field_int(&line, "a rank", 0, &to, &unused) <= 0 || from > ranks ||
		    to > ranks || !tmap_field_length(&line))
			return false;
		differ = differ || from != to;
	}
	return differ;
}

bool tmap_matrix_shape_find(struct tmap_matrix_shape *shape, const char *text)
{
	struct look look = look_at(text);

	*shape = (struct tmap_matrix_shape){ 0 };
	if (look.lines < 2 || look.first == TMAP_NONE || look.others == TMAP_NONE ||
	    look.words != look.is_label)
		return false;
	if (look.lines == look.others && look.first + 1 == look.others) {
		shape->has_heading = shape->has_labels = has_both(&look.whole, &look.column);
	} else if (look.lines == look.others && look.first == look.others) {
		shape->has_corner = look.has_corner_word;
		shape->has_heading = shape->has_labels = look.has_corner_word &&
			has_both(&look.behind, &look.column);
	} else if (look.lines == look.others + 1 && look.first == look.others) {
		shape->has_heading = !look.words && is_all_words(&look.whole);
		shape->may_be_list = !tmap_label_series_counts(&look.whole) &&
			has_list_lines(text, look.others);
	} else if (look.lines == look.others - 1 && look.first == look.others) {
		shape->has_labels = look.words && look.whole.words == 1;
	}
	shape->ranks = look.lines - shape->has_heading;
	return shape->has_heading || shape->has_labels;
}
