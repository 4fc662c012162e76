#ifndef SIMULATE_ENGINE_CONNECTIONS_H
#define SIMULATE_ENGINE_CONNECTIONS_H

#include "simulate/rules/graph_shape.h"
#include "simulate/state/state.h"

/* The call of the kernel o settles its connection. */
void connection_join(sim *s, uint32_t o);
/* The same for a node of a graph that joins one. */
void connection_join_node(sim *s, uint32_t o, const graph_node *node);
/* o enters the EE queue and leaves its connection. Returns the head of the connection then; NONE: it is empty. */
uint32_t connection_leave(sim *s, uint32_t o);
/* o waited and may enter. Does it have to wait for the turn of its connection? Then it is put in line. */
bool connection_turn(sim *s, uint32_t o);

#endif
