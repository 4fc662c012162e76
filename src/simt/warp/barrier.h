/* What a barrier instruction does: op.what. */
#ifndef SIMT_WARP_BARRIER_H
#define SIMT_WARP_BARRIER_H

#include "simt/decode/decode.h"

enum { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

#endif
