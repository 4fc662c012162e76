/* Every number of a GPU in one table: its name in JSON, its word in a string such as "sms:2 cc:6.2", its unit and its
 * range. Checks, readers, the writer and the list of the command use it. */
#ifndef MODEL_GPU_FIELDS_H
#define MODEL_GPU_FIELDS_H

#include "gridcast/gpu.h"

typedef enum { GPU_COUNT, GPU_BYTES, GPU_TIME, GPU_RATE } gpu_unit;

typedef struct gpu_field {
    const char *key;  /* in JSON */
    const char *word; /* in a string */
    size_t offset;    /* in gcast_gpu */
    bool wide;        /* an int64_t, else an int */
    bool limit;       /* a member of gcast_limits: its default is that of the compute capability */
    gpu_unit unit;    /* how people write it */
    int64_t lo, hi;   /* its range */
    const char *text; /* description */
} gpu_field;

#define GPU_FIELDS_MAX 128                /* the bits of a set of fields */
typedef unsigned __int128 gpu_field_bits; /* a set of fields */

extern const gpu_field gpu_fields[];
extern const size_t gpu_field_count;

int64_t gpu_field_get(const gcast_gpu *gpu, const gpu_field *field);
/* False where v is out of range; then nothing is set. */
bool gpu_field_set(gcast_gpu *gpu, const gpu_field *field, int64_t v);
/* Writes a value of the field as people do: "1.6us", "10GB/s". */
void gpu_field_format(const gpu_field *field, int64_t v, char *to, size_t size);
/* The error "must be from 1 to 4096, not 8193". */
gcast_status gpu_field_range_error(const gpu_field *field, const char *path, int64_t v, gcast_error *err);

/* Does each source of the GPU have its texts? */
bool gpu_sources_are_there(const gcast_gpu *gpu);
/* The text of the source that the GPU gives for a field; NULL: none. */
const char *gpu_field_source(const gcast_gpu *gpu, const char *key);
/* The field of that name; NULL: there is none. */
const gpu_field *gpu_field_find(const char *key);
/* Sets the fields of a zeroed GPU to those of one of which only the limits and the number of SMs are known. */
void gpu_set_defaults(gcast_gpu *gpu, const gcast_limits *limits, int sms);
/* A sentence on what is assumed of this GPU about kernels that launch kernels; false: nothing is. */
bool gpu_launches_note(const gcast_gpu *gpu, char *note, size_t size);

/* The bit of a field in a set of fields; 0 where there is no such field. */
gpu_field_bits gpu_field_bit(const char *key);
/* After the limits in the set `given` were set, reduces the others to what an SM now has. */
void gpu_limits_complete(gcast_limits *limits, gpu_field_bits given, bool carveouts_given);
/* The value of register_quarters where it is not given. */
bool gpu_default_quarters(const gcast_limits *limits);

#endif
