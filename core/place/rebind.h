/*
 * rebind.h - the same seats, with ranks bound to something larger around them.
 */
#ifndef TM_POLICIES_REBIND_H
#define TM_POLICIES_REBIND_H

#include "core/machine/placement.h"

/** Bind every rank to all PUs that may be used of the object of @p type that its place lies
 *  in; TM_NODE unbinds. Refuses a place that lies in none. O(places x objects). */
int tm_rebind(struct tm_placement *p, enum tm_type type, struct tm_error *err);

#endif
