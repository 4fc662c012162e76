/* Floating point compared with results recorded on an H200 (tests/float): exact
 * instructions bit for bit; approximate ones, in the record and here, within
 * the error that PTX documents. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "float/raw.h"
#include "simt/float/arithmetic.h"
#include "simt/float/soft.h"
#include "support/float_case.h"
#include "support/support.h"

enum { MAX_CASES = 8192 };

typedef enum { ULP, RELATIVE, ABSOLUTE } unit;

/* The errors that PTX documents: start of the name, type, bound. For f64 there are none: 20 bits, and those after a
 * step of Newton. */
static const struct bound {
    const char *opcode;
    float_type type;
    unit unit;
    double max_error;
} bounds[] = {
    {"div", FLOAT_f32, ULP, 2},
    {"rcp", FLOAT_f32, ULP, 1},
    {"sqrt", FLOAT_f32, RELATIVE, 0x1p-23},
    {"rsqrt", FLOAT_f32, RELATIVE, 1.0718 * 0x1p-23}, /* 2^-22.9 */
    {"sin", FLOAT_f32, ABSOLUTE, 1.4142 * 0x1p-21},   /* 2^-20.5, up to 2 pi */
    {"cos", FLOAT_f32, ABSOLUTE, 1.4142 * 0x1p-21},
    {"lg2", FLOAT_f32, ABSOLUTE, 0x1p-22}, /* from 1/2 to 2; elsewhere relative */
    {"ex2", FLOAT_f32, ULP, 2},
    {"tanh", FLOAT_f32, RELATIVE, 0x1p-11},
    {"ex2", FLOAT_f16, RELATIVE, 1.0718 * 0x1p-10}, /* 2^-9.9 */
    {"ex2", FLOAT_bf16, RELATIVE, 0x1p-7},
    {"tanh", FLOAT_f16, ABSOLUTE, 1.0091 * 0x1p-11}, /* 2^-10.987 */
    {"tanh", FLOAT_bf16, ABSOLUTE, 1.0002 * 0x1p-8}, /* the GPU is this close to 2^-8, as PTX rounds it */
    {"rcp", FLOAT_f64, RELATIVE, 0x1p-19},
    {"rsqrt", FLOAT_f64, RELATIVE, 0x1p-19},
};

static double value(float_type t, uint64_t bits)
{
    uint64_t wide = float_convert(FLOAT_f64, t, bits, (float_mode){0});
    double d;
    memcpy(&d, &wide, sizeof d);
    return d;
}

static double exact_value(const char *opcode, double a, double b)
{
    static const struct {
        const char *opcode;
        double (*f)(double);
    } functions[] = {{"sqrt", sqrt}, {"sin", sin}, {"cos", cos}, {"lg2", log2}, {"ex2", exp2}, {"tanh", tanh}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!strcmp(functions[i].opcode, opcode))
            return functions[i].f(a);
    if (!strcmp(opcode, "div"))
        return a / b;
    return !strcmp(opcode, "rcp") ? 1 / a : 1 / sqrt(a);
}

static const struct bound *bound_of(const float_case *c)
{
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (!strcmp(bounds[i].opcode, c->opcode) && bounds[i].type == c->to)
            return &bounds[i];
    fail_msg("%s has no bound", c->name);
    return NULL;
}

/* The error relative to what is allowed; 0 where PTX allows anything. */
static double error_of(const float_case *c, const struct bound *b, const uint64_t in[3], uint64_t result)
{
    const double a = value(c->to, in[0]), exact = exact_value(c->opcode, a, value(c->to, in[1]));
    const double error = fabs(value(c->to, result) - exact);
    const bool is_angle = !strcmp(c->opcode, "sin") || !strcmp(c->opcode, "cos");
    if (is_angle && fabs(a) > 6.283185)
        return 0;
    if (!strcmp(c->opcode, "div") && fabs(value(c->to, in[1])) > 0x1p126 && c->approx)
        return 0;
    const int fraction = soft_format_of(c->to).fraction, min_exponent = c->to == FLOAT_f16 ? -14 : -126;
    const int exponent = c->to == FLOAT_f64 || ilogb(exact) > min_exponent ? ilogb(exact) : min_exponent;
    if (b->unit == ULP || exponent == min_exponent)
        return error / ldexp(1, exponent - fraction) / (b->unit == ULP ? b->max_error : 1);
    if (b->unit == RELATIVE || (!strcmp(c->opcode, "lg2") && (a <= 0.5 || a >= 2)))
        return error / fabs(exact) / b->max_error;
    return error / b->max_error;
}

/* Zeros, infinities and NaN must be the same. */
static bool is_plain(float_type t, uint64_t result)
{
    return float_class_of(t, result) & (FLOAT_NORMAL | FLOAT_SUBNORMAL);
}

static void check_element(const float_case *c, const uint64_t in[3], uint64_t gpu, uint64_t simulated, double worst[2])
{
    if (gpu == simulated && !is_plain(c->to, gpu))
        return;
    if (!is_plain(c->to, gpu) || !is_plain(c->to, simulated))
        fail_msg("%s %llx %llx: %llx, the GPU has %llx", c->name, (unsigned long long)in[0], (unsigned long long)in[1],
                 (unsigned long long)simulated, (unsigned long long)gpu);
    const struct bound *b = bound_of(c);
    const double errors[] = {error_of(c, b, in, gpu), error_of(c, b, in, simulated)};
    for (int i = 0; i < 2; i++)
        worst[i] = errors[i] > worst[i] ? errors[i] : worst[i];
}

static void check_approximate(const float_case *c, const uint64_t in[3], uint64_t gpu, uint64_t simulated,
                              double worst[2])
{
    if (!c->packed) {
        check_element(c, in, gpu, simulated, worst);
        return;
    }
    const uint64_t low[3] = {in[0] & 0xffff}, high[3] = {in[0] >> 16};
    check_element(c, low, gpu & 0xffff, simulated & 0xffff, worst);
    check_element(c, high, gpu >> 16, simulated >> 16, worst);
}

static void check_case(const float_case *c, uint32_t count, uint64_t hash, const uint64_t *gpu, uint32_t kept)
{
    static uint64_t simulated[MAX_CASES];
    const bool approximate = c->approx || c->full;
    double worst[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t in[3];
        float_case_inputs(c, i, in);
        simulated[i] = float_case_apply(c, in);
        if (i >= kept)
            continue;
        if (approximate)
            check_approximate(c, in, gpu[i], simulated[i], worst);
        else if (simulated[i] != gpu[i])
            fail_msg("%s %llx %llx %llx: %llx, the GPU has %llx", c->name, (unsigned long long)in[0],
                     (unsigned long long)in[1], (unsigned long long)in[2], (unsigned long long)simulated[i],
                     (unsigned long long)gpu[i]);
    }
    if (!approximate && raw_hash(simulated, count) != hash)
        fail_msg("%s: some of %u results differ from the GPU's", c->name, count);
    if (worst[0] > 1 || worst[1] > 1)
        fail_msg("%s: %.2f of the documented error on the GPU, %.2f here", c->name, worst[0], worst[1]);
    if (approximate)
        print_message("%s: %.2f of the documented error on the GPU, %.2f here\n", c->name, worst[0], worst[1]);
}

static void test_recorded(void **state)
{
    (void)state;
    static uint64_t gpu[MAX_CASES];
    gzFile f = gzopen(SOURCE_DIR "/tests/data/float/h200.txt.gz", "rb");
    char line[128], name[64];
    unsigned count, kept, cases = 0;
    unsigned long long hash;
    assert_non_null(f);
    while (gzgets(f, line, sizeof line)) {
        float_case c;
        assert_int_equal(sscanf(line, "%63s %u %llx %u", name, &count, &hash, &kept), 4);
        assert_true(float_case_parse(name, &c) && count <= MAX_CASES && kept <= count);
        for (unsigned i = 0; i < kept; i++) {
            assert_non_null(gzgets(f, line, sizeof line));
            gpu[i] = strtoull(line, NULL, 16);
        }
        check_case(&c, count, hash, gpu, kept);
        cases++;
    }
    gzclose(f);
    assert_int_equal(cases, 812);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
