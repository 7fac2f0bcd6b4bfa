/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * version.h - the version of topomap, of its programs and of its manual.
 */
#ifndef TMAP_CORE_BASE_VERSION_H
#define TMAP_CORE_BASE_VERSION_H

#define TMAP_VERSION "0.1.0"
#define TMAP_VERSION_DATE "November 21, 2026"

#endif
