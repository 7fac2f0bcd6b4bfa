/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rare.h - what is called rarely, by something that is to be fast otherwise.
 *
 * Such a function stays a call: what it keeps on the stack is not made room for, and cleared, each time
 * that its caller does not need it.
 */
#ifndef TMAP_CORE_BASE_RARE_H
#define TMAP_CORE_BASE_RARE_H

#define TMAP_RARE __attribute__((noinline, cold))

#endif
