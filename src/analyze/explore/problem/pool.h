/* Blocks as a pool of equal slots: exact where every kernel's blocks take as much of an SM as any other's. */
#ifndef ANALYZE_EXPLORE_PROBLEM_POOL_H
#define ANALYZE_EXPLORE_PROBLEM_POOL_H

#include "analyze/explore/problem/problem.h"

/* How many blocks of any kernels fit on the GPU together. False, with a refusal, where that depends on the kernels. */
bool explore_make_pool(explore_problem *p, size_t *slots);

#endif
