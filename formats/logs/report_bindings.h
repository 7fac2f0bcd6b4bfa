/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_bindings.h - what `mpirun --report-bindings`, `--display-map` and `--display-devel-map`
 * print, or `--display bind`, `map` and `map-devel` from Open MPI 5 on, as a placement.
 *
 *     [a:4711] MCW rank 3 bound to socket 0[core 1[hwt 0-1]]: [../BB][../..]     2 to 4
 *     [a:4711] MCW rank 2 is not bound (or bound to all available processors)
 *     [a:4711] Rank 0 bound to package[0][core:0-1]                              5
 *
 *      Data for node: a   Num slots: 4 ...
 *             Process OMPI jobid: [953,1] App: 0 Process rank: 3 Bound: N/A
 *             Process jobid: prterun-a-7@1 App: 0 Process rank: 1 Bound: package[0][core:0]
 *                 Device: gpu0
 *
 *             Data for proc: [[953,1],3]
 *                     Binding: [B./..][../..]
 *
 * Lines may stand in any order and among other output, which is passed over. Where there
 * are reports, maps are passed over too: the reports come from where the ranks run. A map
 * has N/A where it does not know a binding or there is none: such a rank is not bound. A
 * process without a rank ("INVALID") is a job that mpirun could not map.
 */
#ifndef TMAP_FORMATS_LOGS_REPORT_BINDINGS_H
#define TMAP_FORMATS_LOGS_REPORT_BINDINGS_H

#include "formats/launchers/common/launcher.h"

/** Refuses a map's line that stands under no node, one without a rank, and a process without its
 *  binding. The words are what tmap_binding_words_resolve()
 *  takes. */
TMAP_LAUNCHER_PARSES(report_bindings);

#endif
