/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra_debug.h - what MPICH's mpiexec prints with HYDRA_TOPO_DEBUG=1, as a placement.
 *
 *     process 0 binding: 1010000000000000
 *     process 1 binding: 0000010000000000
 *
 * Bit i stands for the PU that the operating system calls i; older versions put blanks
 * between the bits. There are as many bits as PUs, so PUs with higher numbers than that, as nodes
 * with PUs offline have, are not seen. The number is that of a process on its node, and the line
 * does not name on which. So a job of several nodes is understood where the lines of all nodes are
 * the same: nodes have equally many processes, one after the other, and the last one may have
 * fewer. A process that Hydra leaves unbound ("user:" has no entry for it) has no line.
 */
#ifndef TMAP_FORMATS_LOGS_HYDRA_DEBUG_H
#define TMAP_FORMATS_LOGS_HYDRA_DEBUG_H

#include "formats/launchers/common/launcher.h"

/** The file's ranks; more than there are lines: those without a line are not bound. Refuses
 *  processes that are missing, that have more or fewer lines than there are nodes, or that are
 *  bound differently on them. */
TMAP_LAUNCHER_PARSES(hydra_debug);

/** *pus = those whose bit is set; "" is not bound. Refuses bits that are not as many as the node's
 *  PUs, and a binding without any. */
TMAP_LAUNCHER_RESOLVES(hydra_debug);

#endif
