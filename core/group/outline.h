/*
 * outline.h - the communicators of a hierarchy in as few lines as show all of it.
 *
 * Of communicators that are split from one and alike (core/group/alike.h) that with the
 * root, or the first, is shown and the others are one item; those of one rank are not shown:
 *
 *     the job                      item 0
 *       n0                         item 1
 *         numa 0                   item 2
 *         numa 1 like numa 0       item 3     1 copy, like item 2
 *       n1, n2 like n0             item 4     2 copies, like item 1
 */
#ifndef TMAP_CORE_GROUP_OUTLINE_H
#define TMAP_CORE_GROUP_OUTLINE_H

#include "core/group/hierarchy.h"

struct tmap_outline_item {
	int comm;   /**< it, or the first of the copies */
	int parent; /**< item above; TMAP_NONE for the whole job */
	int depth;
	int level; /**< index in the hierarchy; TMAP_NONE for the whole job */
	int like;  /**< the item that the copies are like; TMAP_NONE: it is itself, or the rest */
	bool is_rest; /**< communicators of any kind: there were too many */
	int copies;   /**< 1, or how many it stands for */
	int copy;     /**< these: copies[copy .. copy + copies - 1], rising */
};

struct tmap_outline {
	int count;
	struct tmap_outline_item *item; /**< [count], preorder */
	int *copies;                    /**< borrowed by the items */
	size_t item_capacity, copy_capacity;
	int copy_count;
};

/** Outline @p h; if @p fold, alike ones are one item, and below a communicator stand at most
 *  @p most (at least 2; TMAP_NONE: any number), the last of them for the rest.
 *  O(c log c) time for c communicators, O(p + c) memory. */
int tmap_outline_init(struct tmap_outline *outline, const struct tmap_hierarchy *h, bool fold,
		      int most, struct tmap_error *err);
void tmap_outline_fini(struct tmap_outline *outline);

#endif
