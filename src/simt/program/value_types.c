#include "simt/program/value_types.h"

#include "ptx/type.h"

char shape_of(ptx_type t)
{
    if (t == PTX_pred)
        return 'p';
    int bytes = ptx_type_bytes(t);
    return bytes == 8 ? 'x' : bytes <= 2 ? 'h' : 'w';
}

float_type float_type_of(ptx_type t)
{
    static const struct {
        ptx_type ptx;
        float_type type;
    } types[] = {
        {PTX_u8, FLOAT_u8},     {PTX_u16, FLOAT_u16},     {PTX_u32, FLOAT_u32}, {PTX_u64, FLOAT_u64},
        {PTX_s8, FLOAT_s8},     {PTX_s16, FLOAT_s16},     {PTX_s32, FLOAT_s32}, {PTX_s64, FLOAT_s64},
        {PTX_f16, FLOAT_f16},   {PTX_bf16, FLOAT_bf16},   {PTX_f32, FLOAT_f32}, {PTX_f64, FLOAT_f64},
        {PTX_f16x2, FLOAT_f16}, {PTX_bf16x2, FLOAT_bf16},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].ptx == t)
            return types[i].type;
    return FLOAT_TYPES;
}

uint32_t variable_alignment(const ptx_var *v)
{
    uint32_t natural = (uint32_t)ptx_type_bytes(v->type) * (uint32_t)(v->width > 1 ? v->width : 1);
    return v->align ? v->align : natural ? natural : 1;
}
