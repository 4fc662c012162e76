/* Colours of streams are different for people with normal sight and for those without cones for a colour. */
#include "support/support.h"

#include <math.h>

#include "report/canvas/palette.h"

/* How someone without cones for red, green or blue sees a colour: matrices on linear RGB by Machado, Oliveira and
 * Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1. */
static const double deficiencies[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};
#define VIEWS (sizeof deficiencies / sizeof deficiencies[0])

static void linear(uint32_t rgb, double out[3])
{
    for (int i = 0; i < 3; i++) {
        double v = (rgb >> (16 - 8 * i) & 255) / 255.0;
        out[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
}

static double root(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE L*a*b*. */
static void to_lab(uint32_t rgb, size_t view, double lab[3])
{
    double in[3], l[3];
    linear(rgb, in);
    for (int i = 0; i < 3; i++) {
        const double *m = deficiencies[view][i];
        l[i] = fmin(1, fmax(0, m[0] * in[0] + m[1] * in[1] + m[2] * in[2]));
    }
    double x = root((0.4124564 * l[0] + 0.3575761 * l[1] + 0.1804375 * l[2]) / 0.95047);
    double y = root(0.2126729 * l[0] + 0.7151522 * l[1] + 0.0721750 * l[2]);
    double z = root((0.0193339 * l[0] + 0.1191920 * l[1] + 0.9503041 * l[2]) / 1.08883);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

/* The minimum distance of two colours over all kinds of sight. */
static double colour_distance(uint32_t a, uint32_t b)
{
    double min_distance = 1e9, p[3], q[3];
    for (size_t view = 0; view < VIEWS; view++) {
        to_lab(a, view, p);
        to_lab(b, view, q);
        min_distance = fmin(min_distance, sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                               (p[2] - q[2]) * (p[2] - q[2])));
    }
    return min_distance;
}

static double closest(size_t count)
{
    double min_distance = 1e9;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            min_distance = fmin(min_distance, colour_distance(palette_stream(i), palette_stream(k)));
    return min_distance;
}

/* A difference of 2.3 is just noticeable. */
static void are_different_for_everyone(void **state)
{
    (void)state;
    assert_true(closest(12) > 14);
    assert_true(closest(16) > 12);
    assert_true(closest(24) > 7);
    for (size_t i = 0; i < 24; i++) {
        assert_true(colour_distance(palette_stream(i), 0xf3f4f6) > 14); /* the background of rows */
        assert_true(colour_distance(palette_stream(i), palette_stream(i + 24)) > 7);
    }
    for (size_t i = 0; i < 60; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(palette_stream(i), palette_stream(k));
    for (size_t k = 1; k < 4; k++)
        assert_true(colour_distance(palette_shade(palette_stream(0), k), palette_stream(0)) > 5);
}

static double contrast(uint32_t a, uint32_t b)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double la = 0.05, lb = 0.05, p[3], q[3];
    linear(a, p);
    linear(b, q);
    for (int i = 0; i < 3; i++) {
        la += weights[i] * p[i];
        lb += weights[i] * q[i];
    }
    return la > lb ? la / lb : lb / la;
}

static void text_reads_on_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < 48; i++) {
        uint32_t rgb = palette_stream(i);
        assert_true(contrast(palette_on(rgb), rgb) > 3.4);
        assert_true(contrast(palette_dark(rgb), 0xffffff) > 3.4);
    }
    assert_int_equal(palette_on(0x000000), 0xffffff);
    assert_int_equal(palette_on(0xffffff), INK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_different_for_everyone),
        cmocka_unit_test(text_reads_on_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
