/* version.h - the version of topomap, of its programs and of its manual. */
#ifndef TM_VERSION_H
#define TM_VERSION_H

#define TM_VERSION "0.1.0"
#define TM_VERSION_DATE "November 21, 2026"

#endif
