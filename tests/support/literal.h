/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * literal.h - Algorithms 1 and 2 of Ma et al. as the paper prints them: the oracle of the
 * fast trees and rings. All p(p-1)/2 edges are sorted and taken one by one.
 */
#ifndef TMAP_TESTS_SUPPORT_LITERAL_H
#define TMAP_TESTS_SUPPORT_LITERAL_H

/** Algorithm 1 over a p x p matrix: parent[] of the tree rooted at @p root, -1 for the root. */
void literal_tree(const double *distance, int p, int root, int *parent);

/** Algorithm 2 over a p x p matrix: the ring from rank 0 to the smaller of its neighbours. */
void literal_ring(const double *distance, int p, int *order);

#endif
