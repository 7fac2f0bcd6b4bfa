/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c_hierarchy_text.h - the parts of the C source that are the same for every job.
 * Between the first two stand the tables (formats/report/hierarchy/c_hierarchy.c).
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_C_HIERARCHY_TEXT_H
#define TMAP_FORMATS_REPORT_HIERARCHY_C_HIERARCHY_TEXT_H

/** The types of the tables; topomap_split(); a program that shows what it makes, -DTOPOMAP_MAIN. */
extern const char tmap_c_hierarchy_head[], tmap_c_hierarchy_body[], tmap_c_hierarchy_program[];

#endif
