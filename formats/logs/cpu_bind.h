/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu_bind.h - what `srun --cpu-bind=verbose` prints, as a placement.
 *
 *     cpu-bind=MASK - node07, task  3  1 [4711]: mask 0xc set
 *     cpu-bind-cores=UNK  - node07, task  2  0 [4710]: mask 0x3 set
 *
 * The first number is the rank, the second one counts the tasks of the node; the mask has a
 * bit for each PU, by the operating system's numbers. Lines may stand in any order and among
 * other output, which is passed over.
 */
#ifndef TMAP_FORMATS_LOGS_CPU_BIND_H
#define TMAP_FORMATS_LOGS_CPU_BIND_H

#include "formats/launchers/common/launcher.h"

/** Refuses bindings that failed. */
TMAP_LAUNCHER_PARSES(cpu_bind);

/** *pus = the bits of a mask, hexadecimal digits without "0x". Refuses a mask without bits and
 *  PUs that the node lacks. */
TMAP_LAUNCHER_RESOLVES(cpu_bind);

#endif
