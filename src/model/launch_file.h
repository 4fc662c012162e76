/* A launch in a file, gridcast.launch/1: a kernel's PTX, its grid, block and arguments as `gridcast exec` takes them,
 * and how long it takes where that is known. */
#ifndef MODEL_LAUNCH_FILE_H
#define MODEL_LAUNCH_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

/* How long the whole launch takes with so many workers on each of so many SMs. */
typedef struct gcast_launch_time {
    uint32_t workers, sms;
    int64_t ns;
} gcast_launch_time;

typedef struct gcast_launch_file {
    const char *file;   /* its own name, for errors and for the files that `args` name; NULL: none */
    const char *name;   /* for tables: the file's "name", else its kernel, else the file name of its PTX */
    const char *ptx;    /* path of the PTX, from the current folder or absolute */
    const char *kernel; /* NULL: the only one of the PTX */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;   /* dynamic */
    uint32_t registers;      /* per thread, as ptxas gives them; 0: not known */
    const char *const *args; /* each as of `gridcast exec --arg`; file:PATH is from the folder of the launch file */
    size_t arg_count;
    const int64_t *job_ns; /* [w]: how long a block takes with w + 1 of them on its SM; NULL: not known */
    size_t job_ns_count;
    const gcast_launch_time *times; /* measured alone; no two of the same workers and SMs */
    size_t time_count;
    void *memory;
} gcast_launch_file;

gcast_status gcast_launch_file_load(const char *path, gcast_launch_file **out, gcast_error *err);
/* From the text of such a file; `file` is its name, for errors and for paths, which are relative to its folder. */
gcast_status gcast_launch_file_read(const char *text, size_t size, const char *file, gcast_launch_file **out,
                                    gcast_error *err);
/* The text of such a file, for the caller to free. Paths are written as they are. */
gcast_status gcast_launch_file_write(const gcast_launch_file *launch, char **out, gcast_error *err);
void gcast_launch_file_free(gcast_launch_file *launch);

#endif
