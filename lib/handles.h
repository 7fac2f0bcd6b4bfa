/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles.h - what the handles of libtopomap are, and what its functions have in common.
 *
 * A handle begins with its kind and the number of its holders: the user, and the handles that
 * were made from it. So a user may release in any order, and what is handed in by mistake (NULL, a
 * tree in the place of a placement) is found before it is used.
 *
 *     user ──► distances ──► placement ◄── user
 *     user ──► tree ────────────┘ (by its distances)
 *
 * A function of the library keeps its error in a struct tmap_error, as all code does, and gives
 * it away last:
 *
 *     struct tmap_error why;
 *
 *     if (tmap_handle_check(tree, TMAP_HANDLE_TREE, &why) < 0)
 *             return tmap_public_error(err, &why);
 */
#ifndef TMAP_LIB_HANDLES_H
#define TMAP_LIB_HANDLES_H

#include "core/cost/profile_choice.h"
#include "core/group/adapters.h"
#include "core/group/hierarchy.h"
#include "core/mappers/suggestion.h"
#include "core/score/score.h"
#include "core/tree/matrix.h"
#include "formats/base/view.h"
#include "formats/machine/json_profile.h"
#include "formats/report/baseline/baseline_report.h"
#include "include/topomap/topomap.h"

#include <locale.h>
#include <stdatomic.h>

/** The values are no small numbers, which other memory is full of. */
enum tmap_handle_kind {
	TMAP_HANDLE_MACHINE = 0x746f7001,
	TMAP_HANDLE_PLACEMENT,
	TMAP_HANDLE_DISTANCES,
	TMAP_HANDLE_TREE,
	TMAP_HANDLE_RING,
	TMAP_HANDLE_HIERARCHY,
	TMAP_HANDLE_LANES,
	TMAP_HANDLE_PROFILE,
	TMAP_HANDLE_CALL,
	TMAP_HANDLE_SCORE,
	TMAP_HANDLE_TRAFFIC,
	TMAP_HANDLE_SUGGESTION,
	TMAP_HANDLE_END
};

struct tmap_handle {
	int kind; /**< enum tmap_handle_kind; 0 once it is released */
	atomic_int holders;
};

struct topomap_machine {
	struct tmap_handle handle;
	struct tmap_machine *machine; /**< one reference; placements have theirs */
};

struct topomap_placement {
	struct tmap_handle handle;
	struct tmap_placement placement;
};

struct topomap_profile {
	struct tmap_handle handle;
	struct tmap_profile_request request;
};

struct topomap_distances {
	struct tmap_handle handle;
	struct topomap_placement *placement; /**< held; NULL: they were measured */
	enum tmap_scale scale;
	struct topomap_profile *profile; /**< held; NULL: none, or the preset one */
	struct tmap_profile costs;       /**< whose latencies these are, by that scale */
	struct tmap_metric metric;       /**< size 0 where they were measured */
	struct tmap_matrix matrix;       /**< only there size is not 0 */
};

struct topomap_tree {
	struct tmap_handle handle;
	struct topomap_distances *distances; /**< held */
	bool is_shape;                       /**< one of a library */
	struct tmap_tree tree;
	struct tmap_tree_shape shape;
	int *first, *child; /**< of tmap_tree_children() */
};

struct topomap_ring {
	struct tmap_handle handle;
	struct topomap_distances *distances; /**< held */
	bool is_shape;
	struct tmap_ring ring;
	double weight;
	struct tmap_edge_count *edges; /**< [edge_count] */
	int edge_count;
};

struct topomap_hierarchy {
	struct tmap_handle handle;
	struct topomap_placement *placement; /**< held */
	enum tmap_elect elect;
	struct tmap_hierarchy hierarchy;
};

struct topomap_lanes {
	struct tmap_handle handle;
	struct topomap_placement *placement; /**< held */
	struct tmap_lanes lanes;
	struct tmap_lanes_order order;
};

/** No other handle holds it while it is changed. */
struct topomap_call {
	struct tmap_handle handle;
	enum tmap_collective collective;
	char *algorithm;                     /**< the choice as text; NULL: none yet */
	struct tmap_call call;               /**< points to the metric and neighborhood below */
	struct topomap_distances *distances; /**< held; NULL: not given */
	struct tmap_neighborhood neighborhood;
};

struct topomap_score {
	struct tmap_handle handle;
	struct topomap_placement *placement; /**< held, as both below */
	struct topomap_profile *profile;     /**< NULL: the one for the placement */
	struct topomap_call *call;
	struct tmap_profile costs; /**< what either stands for */
	struct tmap_score score;
};

struct topomap_traffic {
	struct tmap_handle handle;
	struct tmap_pattern_builder builder;
	int call_count;
	size_t call_capacity, times_capacity;
	struct topomap_call **call; /**< [call_count], held */
	double *times;              /**< [call_count] */
};

struct topomap_suggestion {
	struct tmap_handle handle;
	struct topomap_placement *placement; /**< held */
	struct topomap_profile *profile;     /**< held; NULL: the one for the placement */
	struct tmap_profile costs;           /**< what either stands for */
	struct tmap_suggestion suggestion;
};

/** A zeroed handle of @p size bytes with one holder; NULL with *err set. */
void *tmap_handle_new(enum tmap_handle_kind kind, size_t size, struct tmap_error *err);

/** Is it one of this kind? Else -1, and TMAP_USAGE says what it is: NULL, or another kind. */
int tmap_handle_check(const void *handle, enum tmap_handle_kind kind, struct tmap_error *err);

/** One more holder; returns @p handle, which is the same for all others. NULL stays NULL. */
void *tmap_handle_hold(const void *handle);

/** One holder fewer of a handle that is not NULL: true if it was the last one of this kind, whose
 *  members are then the caller's to release before free(). */
bool tmap_handle_release(void *handle, enum tmap_handle_kind kind);

/** Has it no holder besides its user? Else -1 and TMAP_USAGE: it cannot be changed. */
int tmap_handle_check_alone(const void *handle, struct tmap_error *err);

/** The same of a machine, which placements refer to by themselves. */
int tmap_machine_check_alone(const struct topomap_machine *machine, struct tmap_error *err);

/** Is @p index one of @p count @p things ("rank")? Else -1 and TMAP_USAGE. */
int tmap_index_check(int index, int count, const char *thing, struct tmap_error *err);

/** Is there such an argument (not NULL)? Else -1 and TMAP_USAGE, which names it. */
int tmap_argument_check(const void *argument, const char *name, struct tmap_error *err);

/** The index of @p word in a table; @p preset where it is NULL. TMAP_NONE with *err set. */
int tmap_word_find(const struct tmap_keywords *words, const char *word, int preset,
		   struct tmap_error *err);

/** Give an error away; @p err may be NULL. Always returns -1. */
int tmap_public_error(struct topomap_error *err, const struct tmap_error *why);

/** Copy as snprintf() does: cut to @p size bytes; returns the length of @p from. @p text may be NULL
 *  where @p size is 0. */
int tmap_public_text(char *text, size_t size, const char *from);

/** The thread's locale becomes "C", in which numbers have a point; (locale_t)0 with *err set. */
locale_t tmap_locale_begin(struct tmap_error *err);
/** The thread has the locale again that it had. */
void tmap_locale_end(locale_t before);

/** One way to write a handle. */
struct tmap_public_writer {
	const char *format;
	int (*write)(FILE *out, const void *handle, struct tmap_error *err);
};

/** Write a handle, which was checked, in a format of @p writers (the last one's is NULL), in the "C"
 *  locale, and flush. */
int tmap_public_write(const struct tmap_public_writer *writers, const char *format, FILE *out,
		      const void *handle, struct tmap_error *err);

/** Is it a call, with neighbors if its collective has them? */
int tmap_public_call_check(const struct topomap_call *call, struct tmap_error *err);

/** Text shows every rank up to so many, then equal parts once. */
enum { TMAP_TEXT_UNFOLDED = 64 };

/** Number of ranks that distances are of. */
int tmap_distances_size(const struct topomap_distances *distances);

/** What writers for people need; distances that were measured are refused. */
int tmap_public_view(struct tmap_view *view, const struct topomap_distances *distances,
		     const char *title, struct tmap_error *err);

/** What writers of documents need. */
struct tmap_report tmap_public_report(const struct topomap_distances *distances);

/** The cost profile of a handle, NULL: the one for the machine, of which it may borrow a name. */
struct tmap_profile tmap_public_profile(const struct topomap_profile *profile,
					const struct tmap_placement *placement);

/** The bytes of a struct of the caller, whose first member says how long it is, in a struct of
 *  this release: what the caller's lacks is 0. Refuses one that says less than the first release
 *  had, or more than this one knows. */
int tmap_public_struct(void *known, size_t known_size, size_t first_size, const void *given,
		       const char *name, struct tmap_error *err);

#endif
