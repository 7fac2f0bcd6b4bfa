/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hwloc_xml.h - XML of another hwloc than the one that topomap was built with.
 *
 *     <topology>                   hwloc 1      hwloc 3 reads none of it
 *     <topology version="2.0">     hwloc 2
 *     <topology version="3.0">     hwloc 3      hwloc 2 reads none of it
 */
#ifndef TMAP_FORMATS_MACHINE_HWLOC_XML_H
#define TMAP_FORMATS_MACHINE_HWLOC_XML_H

#include "core/base/error.h"

#include <stddef.h>

/** Bytes of a file in which its root element begins. */
enum { TMAP_HWLOC_XML_HEAD = 4096 };

/** The major version of hwloc's XML format; 1 where the root element has no version, 0 where there
 *  is no such element. @p length bytes, which need not end in a zero. O(length). */
int tmap_hwloc_xml_major(const char *xml, size_t length);

/** Refuse (TMAP_INPUT, with the line) what hwloc dies of or takes a lot of memory for: text of 2 GiB, or
 *  with a zero byte, as UTF-16 has them, a DOCTYPE with declarations of its own, entities among them, and PUs
 *  or NUMA nodes whose os_index is none that a system has. O(length). */
int tmap_hwloc_check_xml(const char *xml, size_t length, struct tmap_error *err);

/** Refuse XML of a major version that this hwloc does not read; the error says how to make one that
 *  is read. */
int tmap_hwloc_check_major(int major, struct tmap_error *err);

/** hwloc refused this XML, of which the first @p length bytes are here: the error says how to make
 *  one that is read, where that is known, else @p reason, hwloc's own. Returns -1. */
int tmap_hwloc_refuse_xml(const char *xml, size_t length, const char *reason,
			  struct tmap_error *err);

#endif
