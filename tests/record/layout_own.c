/* src/record/cupti.h against the headers of CUDA (layout_theirs.c): numbers, and places of fields. */
#include <stdio.h>

#include "record/cupti.h"
#include "record/layout.h"

#define PLACE(type, field) (long)offsetof(type, field)
static const long own[] = {
#define X(name) (long)(name),
    LAYOUT_NAMES(X)
#undef X
        PLACE(cupti_call, site),
    PLACE(cupti_call, params),
    PLACE(cupti_call, correlation),
    PLACE(cupti_resource, descriptor),
    PLACE(cupti_graph, graph),
    PLACE(cupti_graph, original_graph),
    PLACE(cupti_graph, node),
    PLACE(cupti_graph, original_node),
    PLACE(cupti_graph, node_type),
    PLACE(cupti_graph, dependency),
    PLACE(cupti_graph, exec),
    PLACE(launch_config, attributes),
    PLACE(launch_config, attribute_count),
    sizeof(launch_attribute),
    PLACE(launch_attribute, id),
    PLACE(launch_attribute, value.number),
    PLACE(launch_attribute, value.dims[2]),
    PLACE(launch_attribute, value.number),
    PLACE(launch_attribute, value.number),
    PLACE(launch_params, config),
};

int main(void)
{
    size_t count = sizeof own / sizeof own[0];
    int failed = count != layout_their_count;
    if (!layout_their_count) {
        printf("the headers are older than those of CUDA 12.0\n");
        return 77;
    }
    for (size_t i = 0; i < count && !failed; i++)
        if (own[i] != layout_theirs[i]) {
            printf("number %zu is %ld here and %ld in CUDA's headers\n", i, own[i], layout_theirs[i]);
            failed = 1;
        }
    printf("%zu numbers compared\n", count);
    return failed;
}
