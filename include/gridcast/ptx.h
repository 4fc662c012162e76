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
GCAST_API bool gcast_ptx_same(const gcast_ptx *a, const gcast_ptx *b);

/* NN of .target sm_NN; 0: it names none. */
GCAST_API int gcast_ptx_sm(const gcast_ptx *p);

/* Its kernels (.entry with a body), in the order of the text. */
GCAST_API uint32_t gcast_ptx_kernels(const gcast_ptx *p);
GCAST_API const char *gcast_ptx_kernel(const gcast_ptx *p, uint32_t index);

/* The number of a kernel's parameters; and of a parameter the bytes, the type name ("u64") and, for an array or a
 * structure (mostly an array of .b8), the number of elements; 0: it is neither. */
GCAST_API uint32_t gcast_ptx_params(const gcast_ptx *p, uint32_t kernel);
GCAST_API uint64_t gcast_ptx_param_bytes(const gcast_ptx *p, uint32_t kernel, uint32_t param);
GCAST_API const char *gcast_ptx_param_type(const gcast_ptx *p, uint32_t kernel, uint32_t param);
GCAST_API uint64_t gcast_ptx_param_elements(const gcast_ptx *p, uint32_t kernel, uint32_t param);

/* Do blocks of this kernel's grid meet, as this_grid().sync() of cooperative groups makes them? */
GCAST_API gcast_status gcast_ptx_cooperative(const gcast_ptx *p, uint32_t kernel, bool *out, gcast_error *err);

/* The bytes of a variable of the module in global or constant memory; false: it has none of this name. */
GCAST_API bool gcast_ptx_variable_bytes(const gcast_ptx *p, const char *name, uint64_t *bytes);

GCAST_END_DECLS

#endif
