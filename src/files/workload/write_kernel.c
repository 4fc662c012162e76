#include "files/workload/write_kernel.h"

void write_text(text *t, const char *key, const char *value)
{
    text_printf(t, ", \"%s\": ", key);
    text_json(t, value);
}

void write_int(text *t, const char *key, int64_t value, int64_t default_value)
{
    if (value == default_value)
        return;
    text_printf(t, ", \"%s\": ", key);
    text_int(t, value);
}

void write_dimensions(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ", \"%s\": ", key);
    if (d[1] == 1 && d[2] == 1)
        text_uint(t, d[0]);
    else
        text_printf(t, "[%u, %u, %u]", (unsigned)d[0], (unsigned)d[1], (unsigned)d[2]);
}

void write_duration(text *t, const gcast_op *op)
{
    if (op->block_ns) {
        for (uint64_t b = 0; b < op->blocks; b++) {
            text_str(t, b ? ", " : ", \"block_ns\": [");
            text_int(t, op->block_ns[b]);
        }
        text_char(t, ']');
    } else if (op->min_ns != op->max_ns) {
        text_printf(t, ", \"duration_ns\": {\"min\": %lld, \"max\": %lld}", (long long)op->min_ns,
                    (long long)op->max_ns);
    } else {
        write_int(t, "duration_ns", op->max_ns, GCAST_UNKNOWN_NS);
    }
}

void write_shape(text *t, const gcast_op *op)
{
    write_dimensions(t, "block", op->block);
    write_int(t, "registers", op->shape.registers, op->registers_given ? -1 : 0);
    write_int(t, "static_smem", op->shape.static_smem, 0);
    write_int(t, "dynamic_smem", op->shape.dynamic_smem, 0);
    write_int(t, "barriers", op->shape.barriers, 0);
    if (op->body != GCAST_BODY_SPIN)
        write_text(t, "body", gcast_body_name(op->body));
    if (op->carveout_given || op->carveout != GCAST_OP_CARVEOUT_MOST)
        write_text(t, "carveout", gcast_op_carveout_name(op->carveout));
}
