/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * binding_words.h - the words in which Open MPI prints what a rank is bound to.
 *
 *     socket 0[core 1[hwt 0-1]], socket 1[core 4[hwt 0]]: [../BB/..][./B.]     2 to 4
 *     [../BB][./B.]                                                            4, devel-map
 *     package[0][core:0-1] package[1][core:4]                                  5
 *     package[0][core:L0-1]   package[0][core:P8]   package[1][hwt:L8-11]      5.0.10 on
 *
 * Open MPI 2 to 4 numbers the packages and cores that the job may use, from left to right
 * over the whole node, and the hardware threads within their core; then it draws all of
 * them, which shows whether the node is the one that was meant. Where it cuts a long list, the
 * drawing counts. Open MPI 5 numbers cores in
 * the same way, but where a core is a hardware thread it gives the operating system's
 * numbers; hardware threads always have these. "L" and "P" mark which.
 */
#ifndef TMAP_FORMATS_LOGS_BINDING_WORDS_H
#define TMAP_FORMATS_LOGS_BINDING_WORDS_H

#include "core/base/idset.h"
#include "core/machine/topology.h"

/** *pus = the OS indexes of the PUs that @p words mean on a node of this topology; empty if they
 *  are "" (not bound). Refuses malformed words, packages, cores and hardware threads that the
 *  node lacks, cores of another package, and a drawing of another machine. *pus must be empty;
 *  it is set only on success. @p context is not looked at. O(length x objects). */
int tmap_binding_words_resolve(struct tmap_idset *pus, const char *words,
			       const struct tmap_topology *topo, const void *context,
			       struct tmap_error *err);

#endif
