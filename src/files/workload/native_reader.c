#include "files/workload/native_reader.h"

#include <limits.h>

#include "base/integers.h"
#include "model/workload/workload.h"

#define X(id, name, text) name,
NAMES(bodies, GCAST_BODY_TABLE);
NAMES(carveouts, GCAST_OP_CARVEOUT_TABLE);
#undef X

int native_choice(const node *object, const char *key, const char *const *names, int missing)
{
    node n = node_key(object, key);
    return !n.value && missing >= 0 ? missing : node_choice(&n, names);
}

void native_dimensions(const node *object, const char *key, uint64_t limit, const char *unit, uint32_t out[3])
{
    node n = node_key(object, key);
    size_t count = json_is_array(n.value) ? json_array_size(n.value) : 1;
    uint64_t product = 1;
    if (count < 1 || count > 3) {
        node_fail(&n, "must be a number or an array of one to three");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        node item = json_is_array(n.value) ? node_item(&n, i) : n;
        out[i] = (uint32_t)node_int(&item, 1, UINT32_MAX);
        if (!checked_mul(product, out[i], &product) || product >= limit) {
            node_fail(&n, "too many %s", unit);
            return;
        }
    }
}

void native_duration(const node *object, gcast_op *op)
{
    static const char *const keys[] = {"min", "max", NULL};
    node n = node_key(object, "duration_ns");
    if (json_is_object(n.value)) {
        node_known(&n, keys);
        op->min_ns = get_int(&n, "min", 1, WORKLOAD_MAX_NS);
        op->max_ns = get_int(&n, "max", 1, WORKLOAD_MAX_NS);
        if (op->max_ns < op->min_ns)
            node_fail(&n, "min is larger than max");
    } else if (n.value) {
        op->min_ns = op->max_ns = node_int(&n, 1, WORKLOAD_MAX_NS);
    }
}

void native_shape(const node *n, gcast_op *op)
{
    native_dimensions(n, "block", INT32_MAX, "threads: there must be fewer than 2^31", op->block);
    op->shape.registers = (int)get_int_or(n, "registers", 0, INT_MAX, 0);
    op->registers_given = node_key(n, "registers").value;
    op->shape.static_smem = get_int_or(n, "static_smem", 0, INT_MAX, 0);
    op->shape.dynamic_smem = get_int_or(n, "dynamic_smem", 0, INT_MAX, 0);
    op->shape.barriers = (int)get_int_or(n, "barriers", 0, INT_MAX, 0);
    op->body = (gcast_body)native_choice(n, "body", bodies, GCAST_BODY_SPIN);
    op->carveout = (gcast_op_carveout)native_choice(n, "carveout", carveouts, GCAST_OP_CARVEOUT_MOST);
    op->carveout_given = node_key(n, "carveout").value;
}
