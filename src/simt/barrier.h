/* What a barrier instruction does: op.what. */
#ifndef SIMT_BARRIER_H
#define SIMT_BARRIER_H

#include "simt/decode.h"

enum { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

#endif
