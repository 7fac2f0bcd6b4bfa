/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log_number.h - the number of a rank, or of one of its threads, in what a program has printed.
 *
 *     rank 3, thread 0             3, 0
 *     rank 99999999999             "99999999999" is refused as it stands, once it is clear that
 *                                  the line is one of these
 */
#ifndef TMAP_FORMATS_LOGS_LOG_NUMBER_H
#define TMAP_FORMATS_LOGS_LOG_NUMBER_H

#include "core/base/error.h"

/** The number whose digits begin at *at, which moves behind them but not behind @p end: TMAP_NONE where
 *  there is no digit, INT_MAX for it and for what is larger. */
int tmap_log_number_take(const char **at, const char *end);

/** TMAP_INPUT if @p number, whose digits begin at @p digits, is none of a rank (or a thread, process or
 *  task: @p what) of any job. */
int tmap_log_number_check(int number, const char *what, const char *digits, struct tmap_error *err);

#endif
