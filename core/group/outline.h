/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outline.h - the communicators of a hierarchy in as few lines as show all of it.
 *
 * Two communicators are alike if they are of one level, as large, with as large a group, and split
 * into alike ones at the same level, whichever ranks they hold. Of communicators that are split
 * from one and alike, that with the root, or the first, is shown and the others are one item; those
 * of one rank are not shown. So a job on 43,808 equal nodes is described in a few words:
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

/** The class of each communicator, [comm_count], the caller's to free; alike ones are of one class.
 *  O(c log c) expected time for c communicators, O(p + c) memory. */
int *tmap_hierarchy_classes(const struct tmap_hierarchy *h, struct tmap_error *err);

#endif
