#include "core/group/alike.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/string.h"
#include "core/group/statistics.h"

#include <stdlib.h>

int tmap_hierarchy_below(const struct tmap_hierarchy *h, int comm, int rank)
{
	int l = h->split[comm];

	return l != TMAP_NONE && tmap_hierarchy_has(h, l, rank) ? h->level[l].comm[rank] :
								  TMAP_NONE;
}

static int compare_ints(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* What is at work: the class of the last communicator of one level and size that is not split
 * saves spelling the next. */
struct classification {
	const struct tmap_hierarchy *h;
	int *classes;
	int *below; /* [size]: room for the classes below one */
	struct tmap_str key;
	struct tmap_names names;
	int leaf_level, leaf_size, leaf_class;
};

static int collect_below(const struct classification *s, int comm)
{
	const struct tmap_hierarchy *h = s->h;
	int count = 0;

	for (int64_t i = h->group_first[comm]; i < h->group_first[comm + 1]; i++) {
		int below = tmap_hierarchy_below(h, comm, h->group[i]);

		if (below != TMAP_NONE)
			s->below[count++] = s->classes[below];
	}
	qsort(s->below, (size_t)count, sizeof *s->below, compare_ints);
	return count;
}

/* The level, the sizes, then the classes below, rising, and how often each. */
static void class_spell(struct classification *s, int comm, int level)
{
	const struct tmap_hierarchy *h = s->h;
	int count = collect_below(s, comm);

	s->key.length = 0;
	tmap_str_addf(&s->key, "%d %d %d %d", level, h->split[comm], tmap_comm_size(h, comm),
		      (int)(h->group_first[comm + 1] - h->group_first[comm]));
	for (int i = 0, end; i < count; i = end) {
		for (end = i; end < count && s->below[end] == s->below[i];)
			end++;
		tmap_str_addf(&s->key, " %dx%d", s->below[i], end - i);
	}
}

static int class_of(struct classification *s, int comm, int level, struct tmap_error *err)
{
	bool is_leaf = s->h->split[comm] == TMAP_NONE;
	int found;

	if (is_leaf && level == s->leaf_level && tmap_comm_size(s->h, comm) == s->leaf_size)
		return s->leaf_class;
	class_spell(s, comm, level);
	if (s->key.failed) {
		tmap_fail(err, TMAP_SYSTEM, "out of memory for a text of %zu bytes", s->key.length);
		return TMAP_NONE;
	}
	found = tmap_names_intern(&s->names, s->key.text, s->key.length, err);
	if (is_leaf) {
		s->leaf_level = level;
		s->leaf_size = tmap_comm_size(s->h, comm);
		s->leaf_class = found;
	}
	return found;
}

/* Innermost first, so the classes below are known. */
static int find_classes(struct classification *s, struct tmap_error *err)
{
	for (int l = s->h->level_count - 1; l >= -1; l--) {
		int first = l < 0 ? 0 : s->h->level[l].first, end = l < 0 ? 1 : s->h->level[l].end;

		for (int c = first; c < end; c++) {
			s->classes[c] = class_of(s, c, l, err);
			if (s->classes[c] == TMAP_NONE)
				return -1;
		}
	}
	return 0;
}

int *tmap_hierarchy_classes(const struct tmap_hierarchy *h, struct tmap_error *err)
{
	struct classification s = { .h = h, .key = TMAP_STR_INIT, .leaf_level = TMAP_NONE };
	bool found = false;

	s.classes = tmap_alloc_raw((size_t)h->comm_count, sizeof *s.classes, err);
	s.below = tmap_alloc_raw((size_t)h->size, sizeof *s.below, err);
	if (s.classes && s.below)
		found = find_classes(&s, err) == 0;
	tmap_names_fini(&s.names);
	tmap_str_fini(&s.key);
	free(s.below);
	if (found)
		return s.classes;
	free(s.classes);
	return NULL;
}
