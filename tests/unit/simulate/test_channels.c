/* "Copies" of docs/model.md, worked out by hand: channels, the gap of an engine, pauses, and copies to the host while
 * there is one to the device. */
#include "property/hand.h"

static void setup(fixture *f, int channels, int s[8])
{
    f->gpu->copy_channels = channels;
    f->gpu->copy_engines = 2;
    for (int i = 1; i < 8; i++)
        s[i] = stream(f, i, 0, false);
}

static gcast_op bytes(int stream, int64_t release, gcast_direction direction, int64_t n)
{
    gcast_op op = copy(stream, release, direction, 1);
    op.min_ns = op.max_ns = GCAST_UNKNOWN_NS;
    op.bytes = n;
    return op;
}

/* The fifth copy joins the channel of the first one, and starts before copies that were called earlier. */
static void last_called_goes_first(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 4, s);
    add(f, copy(s[7], 0, GCAST_H2D, 100));
    for (int i = 1; i <= 6; i++)
        add(f, copy(s[i], i, GCAST_H2D, 10));
    run(f);
    assert_ends(f, 100, 120, 140, 160, 110, 130, 150);
    assert_int_equal(f->r.ops[4].channel, f->r.ops[0].channel);
}

/* An engine serves a channel until it is empty, also where copies of its stream enter late. */
static void stream_by_stream(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 4, s);
    f->gpu->copy_gap_ns = f->gpu->stream_gap_ns = 2;
    for (int i = 0; i < 6; i++)
        add(f, copy(s[1 + i % 2], i, GCAST_D2H, 20));
    run(f);
    assert_ends(f, 20, 86, 42, 108, 64, 130);
}

/* Two streams that have their channels already, called in the other order. */
static void backwards(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 4, s);
    for (int i = 1; i <= 3; i++)
        add(f, copy(s[i], 0, GCAST_H2D, 10));
    add(f, copy(s[1], 100, GCAST_H2D, 50));
    add(f, copy(s[3], 110, GCAST_H2D, 10));
    add(f, copy(s[2], 120, GCAST_H2D, 10));
    run(f);
    assert_ends(f, 10, 20, 30, 150, 170, 160);
}

static void without_channels(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 0, s);
    f->gpu->copy_gap_ns = 3;
    add(f, copy(s[1], 0, GCAST_H2D, 100));
    for (int i = 6; i >= 4; i--)
        add(f, copy(s[i], 10 - i, GCAST_H2D, 10));
    run(f);
    assert_ends(f, 100, 113, 126, 139);
}

/* A copy to the host starts late; it ends late only if the copy to the device has not ended. */
static void copies_beside_kernels(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 4, s);
    f->gpu->h2d_bytes_per_s = f->gpu->d2h_bytes_per_s = 1000000000;
    f->gpu->d2h_start_ns = 5;
    f->gpu->d2h_end_ns = 7;
    add(f, bytes(s[1], 0, GCAST_H2D, 100));
    add(f, bytes(s[2], 10, GCAST_D2H, 20));
    add(f, bytes(s[2], 60, GCAST_D2H, 50));
    run(f);
    assert_ends(f, 100, 42, 115);
    assert_int_equal(f->r.ops[1].start_ns, 15);
    assert_int_equal(f->r.ops[2].start_ns, 65);
}

/* The copy of 1 byte, beside one of 191, would end within the second nanosecond. Its end is delayed by 9 ns of work:
 * (100 + 900) hundredths at 93 per nanosecond. */
static void more_work_within_a_nanosecond(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 4, s);
    f->gpu->h2d_bytes_per_s = f->gpu->d2h_bytes_per_s = 1000000000;
    f->gpu->copy_duplex_percent = 93;
    f->gpu->d2h_end_ns = 9;
    add(f, bytes(s[1], 0, GCAST_H2D, 191));
    add(f, bytes(s[2], 0, GCAST_D2H, 1));
    run(f);
    assert_ends(f, 192, 11);
}

static void after_a_pause(void **state)
{
    fixture *f = *state;
    int s[8];
    setup(f, 4, s);
    f->gpu->h2d_bytes_per_s = 1000000000;
    f->gpu->copy_idle_ns = 50;
    f->gpu->copy_wake_ns = 6;
    add(f, bytes(s[1], 0, GCAST_H2D, 10));
    add(f, kernel(s[2], 40, 1, 32, 10));
    add(f, bytes(s[1], 89, GCAST_H2D, 10));
    add(f, bytes(s[1], 139, GCAST_H2D, 10));
    run(f);
    assert_ends(f, 16, 50, 99, 155);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(last_called_goes_first),
        HAND_CASE(stream_by_stream),
        HAND_CASE(backwards),
        HAND_CASE(without_channels),
        HAND_CASE(copies_beside_kernels),
        HAND_CASE(after_a_pause),
        HAND_CASE(more_work_within_a_nanosecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
