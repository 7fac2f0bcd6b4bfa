/*
 * c_hierarchy_text.h - the parts of the C source that are the same for every job.
 * Between the first two stand the tables (formats/report/hierarchy/c_hierarchy.c).
 */
#ifndef TM_C_HIERARCHY_TEXT_H
#define TM_C_HIERARCHY_TEXT_H

/** The types of the tables; topomap_split(); a program that shows what it makes, -DTOPOMAP_MAIN. */
extern const char tm_c_hierarchy_head[], tm_c_hierarchy_body[], tm_c_hierarchy_program[];

#endif
