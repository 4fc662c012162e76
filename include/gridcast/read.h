/* Readers and writers of input files. Text given as bytes need not end in NUL. */
#ifndef GRIDCAST_READ_H
#define GRIDCAST_READ_H

#include <stddef.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

/* The text of a file, unpacked where it is gzip, without a byte order mark. "-" is standard
 * input. The caller frees *data. Files over 1 GiB (unpacked) are refused. */
GCAST_API gcast_status gcast_file_read(const char *path, char **data, size_t *size, gcast_error *err);

/* A GPU. `name` is a preset's name, a file's path, or a string such as
 * "sms:2 threads:2048 cc:6.2" (where no file has that name). A string needs sms
 * and cc; the other words are the fields of gridcast.gpu/1, as gridcast gpus lists them. */
GCAST_API gcast_status gcast_gpu_load(const char *name, gcast_gpu **gpu, gcast_error *err);
GCAST_API gcast_status gcast_gpu_preset(const char *name, gcast_gpu **gpu, gcast_error *err);
GCAST_API gcast_status gcast_gpu_read_json(const char *text, size_t size, const char *file, gcast_gpu **gpu,
                                           gcast_error *err);
GCAST_API gcast_status gcast_gpu_read_string(const char *text, gcast_gpu **gpu, gcast_error *err);
/* Its text as gridcast.gpu/1, every number written out. The caller frees *text. */
GCAST_API gcast_status gcast_gpu_write_json(const gcast_gpu *gpu, char **text, size_t *size, gcast_error *err);

/* What a file may not say. */
typedef struct gcast_read_options {
    size_t size;          /* of the struct, as the caller was compiled */
    int iterations;       /* iterations of an examiner configuration that loops forever; 0: as the file says */
    const gcast_gpu *gpu; /* its priorities and SM masks are used; NULL: the GPU of the file, else a TX2 */
} gcast_read_options;

static inline gcast_read_options gcast_read_options_default(void)
{
    gcast_read_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* A workload in any known format, recognised by content. options may be NULL. */
GCAST_API gcast_status gcast_workload_load(const char *path, const gcast_read_options *options, gcast_workload **w,
                                           gcast_error *err);
GCAST_API gcast_status gcast_workload_read(const char *text, size_t size, const char *file,
                                           const gcast_read_options *options, gcast_workload **w, gcast_error *err);

/* Text of a workload in gridcast.workload/1, or as an examiner configuration
 * (fails if that format cannot express it). The caller frees *text. */
GCAST_API gcast_status gcast_workload_write_native(const gcast_workload *w, char **text, size_t *size,
                                                   gcast_error *err);

GCAST_END_DECLS

#endif
