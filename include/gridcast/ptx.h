/* PTX programs: reading, printing, inspecting. The handle owns all that is read from
 * it; gcast_ptx_free(NULL) is fine. */
#ifndef GRIDCAST_PTX_H
#define GRIDCAST_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/api.h"
#include "gridcast/error.h"

GCAST_BEGIN_DECLS

typedef struct gcast_ptx gcast_ptx;

/* `text` needs no NUL and may go after the call; `name` is the file for messages (NULL: none). */
GCAST_API gcast_status gcast_ptx_parse(const char *text, size_t size, const char *name, gcast_ptx **out,
                                       gcast_error *err);
GCAST_API void gcast_ptx_free(gcast_ptx *p);

/* As text that parses to the same program; for the caller to free. */
GCAST_API gcast_status gcast_ptx_print(const gcast_ptx *p, char **out, size_t *size, gcast_error *err);

/* Its kernels (.entry with a body), in the order of the text. */
GCAST_API uint32_t gcast_ptx_kernels(const gcast_ptx *p);
GCAST_API const char *gcast_ptx_kernel(const gcast_ptx *p, uint32_t index);

GCAST_END_DECLS

#endif
