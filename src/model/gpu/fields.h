/* Every number of a GPU in one table: its name in JSON, its word in a string
 * such as "sms:2 cc:6.2", its unit, its range. Checks, readers, the writer and
 * the command's listing all walk it. */
#ifndef MODEL_GPU_FIELDS_H
#define MODEL_GPU_FIELDS_H

#include "gridcast/gpu.h"

typedef enum { GPU_COUNT, GPU_BYTES, GPU_TIME, GPU_RATE } gpu_unit;

typedef struct gpu_field {
    const char *key, *word;
    size_t offset; /* in gcast_gpu */
    bool wide;     /* an int64_t, else an int */
    bool limit;    /* of gcast_limits: the compute capability gives it */
    gpu_unit unit;
    int64_t lo, hi;
    const char *text;
} gpu_field;

#define GPU_FIELDS_MAX 64 /* as many as bits in a set of fields */

extern const gpu_field gpu_fields[];
extern const size_t gpu_field_count;

int64_t gpu_field_get(const gcast_gpu *gpu, const gpu_field *field);
/* False where v is out of the field's range; nothing is set then. */
bool gpu_field_set(gcast_gpu *gpu, const gpu_field *field, int64_t v);
/* Fill err with "must be from 1 to 4096, not 8193". */
gcast_status gpu_field_range_error(const gpu_field *field, const char *path, int64_t v, gcast_error *err);

/* The set that holds the limit `key`; 0 where there is none. */
uint64_t gpu_field_bit(const char *key);
/* After some limits were set (a set of bits by index in gpu_fields), cut those
 * that were not to what an SM now holds. */
void gpu_limits_settle(gcast_limits *limits, uint64_t given, bool carveouts_given);
/* register_quarters of a GPU that does not say. */
bool gpu_quarters_unsaid(const gcast_limits *limits);

#endif
