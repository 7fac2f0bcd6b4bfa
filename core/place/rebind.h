/*
 * rebind.h - the same places, with ranks bound to something larger around them.
 */
#ifndef TMAP_CORE_PLACE_REBIND_H
#define TMAP_CORE_PLACE_REBIND_H

#include "core/machine/placement.h"

/** Bind every rank to all PUs that may be used of the object of @p type that its place lies
 *  in; TMAP_NODE unbinds. Refuses a place that lies in none. O(places x objects). */
int tmap_rebind(struct tmap_placement *p, enum tmap_type type, struct tmap_error *err);

#endif
