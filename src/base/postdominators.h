/* Immediate post-dominators: where all paths from a node to the end must pass next. */
#ifndef BASE_POSTDOMINATORS_H
#define BASE_POSTDOMINATORS_H

#include <stdbool.h>
#include <stdint.h>

/* Edges of node n lead to to[start[n]] ... to[start[n + 1] - 1]; `end` is a node. out by node: its immediate
 * post-dominator; the end's is itself; UINT32_MAX: the node does not lead to the end. False without memory. */
bool postdominators_find(uint32_t nodes, const uint32_t *start, const uint32_t *to, uint32_t end, uint32_t *out);

#endif
