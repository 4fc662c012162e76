/* The special registers of PTX, and the components that registers have. */
#include "ptx/special.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/letters.h"

/* In the order of strcmp. %envreg0 to %envreg31 and %pm0 to %pm7 are checked apart. */
static const char *const names[] = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctaid",
    "%cluster_ctarank",
    "%cluster_nctaid",
    "%cluster_nctarank",
    "%clusterid",
    "%ctaid",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nclusterid",
    "%nctaid",
    "%nsmid",
    "%ntid",
    "%nwarpid",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%tid",
    "%total_smem_size",
    "%warpid",
};

static int by_name(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

/* Is it a number below `limit`, followed by `suffix` or by nothing? */
static bool is_numbered(const char *digits, int limit, const char *suffix)
{
    char *end;
    if (!lex_is_digit(*digits) || (*digits == '0' && lex_is_digit(digits[1])))
        return false;
    long n = strtol(digits, &end, 10);
    return n < limit && (*end == '\0' || strcmp(end, suffix) == 0);
}

bool ptx_is_special(const char *name)
{
    if (strncmp(name, "%envreg", 7) == 0)
        return is_numbered(name + 7, 32, "");
    if (strncmp(name, "%pm", 3) == 0)
        return is_numbered(name + 3, 8, "_64");
    return bsearch(name, names, sizeof names / sizeof *names, sizeof *names, by_name) != NULL;
}

static const char *const components[] = {"", "x", "y", "z", "w", "b0", "b1", "b2", "b3", "h0", "h1"};

uint8_t ptx_component_of(const char *word, size_t size)
{
    static const char colours[] = "rgba";
    const char *colour = size == 1 ? strchr(colours, *word) : NULL;
    if (colour && *colour)
        return (uint8_t)(colour - colours + 1);
    for (size_t i = 1; i < sizeof components / sizeof *components; i++)
        if (strlen(components[i]) == size && memcmp(components[i], word, size) == 0)
            return (uint8_t)i;
    return 0;
}

const char *ptx_component_name(uint8_t component)
{
    return components[component];
}
