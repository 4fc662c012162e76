/* The order in which groups of lanes run since Volta. */
#ifndef SIMT_TRANSLATE_GROUP_ORDER_H
#define SIMT_TRANSLATE_GROUP_ORDER_H

#include "simt/program/op.h"

/* Fills op.rank, op.run_length and op.may_wait of a function's ops. */
gcast_status find_order(op *ops, uint32_t first, uint32_t count, gcast_error *err);

#endif
