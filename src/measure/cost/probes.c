/* The table of probes, and the PTX that is made of it. A kernel executes its steps four times and reads %clock64 around
 * them; the last pass counts, when code and data are in the caches. */
#include "measure/cost/probes.h"

#include <stdio.h>
#include <string.h>

#define MAD_8                                                                                                          \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r8, %r9;"                                                                                   \
    "mad.lo.u32 %r@, %r@, %r9, %r8;"

const cost_probe cost_probes[] = {
    {"alu", 2, "add.u32 %r@, %r@, %r8; xor.b32 %r@, %r@, %r9;"},
    {"alu64", 2, "add.u64 %l@, %l@, %l8; xor.b64 %l@, %l@, %l9;"},
    {"select", 2, "setp.lt.u32 %p@, %r@, %r9; selp.u32 %r@, %r8, %r@, %p@;"},
    {"mul", 1, "mad.lo.u32 %r@, %r@, %r8, %r9;"},
    {"mul_wide", 1, "mad.wide.u32 %l@, %r@, %r8, %l8; cvt.u32.u64 %r@, %l@;"},
    {"mul64", 1, "mad.lo.u64 %l@, %l@, %l8, %l9;"},
    {"divide", 1, "div.u32 %r@, %r9, %r@;"},
    {"divide64", 1, "div.u64 %l@, %l9, %l@;"},
    {"fma", 1, "fma.rn.f32 %f@, %f@, %f8, %f9;"},
    {"fdiv", 1, "div.rn.f32 %f@, %f8, %f@;"},
    {"fsqrt", 1, "sqrt.rn.f32 %f@, %f@;"},
    {"sfu", 1, "ex2.approx.ftz.f32 %f@, %f@;"},
    {"sfu_full", 1, "ex2.approx.f32 %f@, %f@;"},
    {"fma64", 1, "fma.rn.f64 %d@, %d@, %d8, %d9;"},
    {"fdiv64", 1, "div.rn.f64 %d@, %d8, %d@;"},
    {"fsqrt64", 1, "sqrt.rn.f64 %d@, %d@;"},
    {"convert", 1, "cvt.rn.f32.u32 %f@, %r@; mov.b32 %r@, %f@;"},
    {"convert_back", 1, "cvt.rzi.s32.f32 %r@, %f@; mov.b32 %f@, %r@;"},
    {"convert64", 2, "cvt.rn.f64.u32 %d@, %r@; cvt.rzi.u32.f64 %r@, %d@;"},
    {"bits", 1, "popc.b32 %r@, %r@;"},
    {"half", 1, "fma.rn.f16x2 %r@, %r@, %r8, %r9;"},
    {"shuffle", 1, "shfl.sync.idx.b32 %s@, %s@, %s@, 31, 0xffffffff;"},
    {"vote", 1, "setp.ne.u32 %p@, %r@, 0; vote.sync.ballot.b32 %r@, %p@, 0xffffffff;"},
    {"match", 1, "match.any.sync.b32 %r@, %r@, 0xffffffff;"},
    {"redux", 1, "redux.sync.add.u32 %r@, %r@, 0xffffffff;"},
    {"shared_load", 1, "ld.shared.u32 %s@, [%s@];"},
    {"shared_load_32", 1, "ld.shared.u32 %b@, [%b@];"},
    {"shared_store", 1, "st.volatile.shared.u32 [%s@], %r8;"},
    {"l1_load", 1, "ld.global.u64 %l@, [%l@];"},
    {"l2_load", 1, "ld.global.cg.u64 %l@, [%l@];"},
    {"l2_scatter", 1, "ld.global.cg.u64 %k@, [%k@];"},
    {"l1_scatter", 1, "ld.global.u64 %k@, [%k@];"},
    {"store", 1, "st.volatile.global.u32 [%l@], %r8;"},
    {"constant", 1, "ld.const.u64 %c@, [%c@];"},
    {"local", 1, "ld.local.u64 %m@, [%m@];"},
    {"atom_shared", 1, "atom.shared.add.u32 %s@, [%s@], %r10;"},
    {"atom_shared_32", 1, "atom.shared.add.u32 %q@, [%q@], %r10;"},
    {"atom", 1, "atom.global.add.u64 %l@, [%l@], %l10;"},
    {"atom_32", 1, "atom.global.add.u64 %h@, [%h@], %l10;"},
    {"red", 1, "red.global.add.u64 [%l@], %l10;"},
    {"red_32", 1, "red.global.add.u64 [%h@], %l10;"},
    {"barrier", 1, "bar.sync 0;"},
    {"fence", 1, "membar.gl;"},
    {"fence_block", 1, "membar.cta;"},
    {"loop", 16,
     "mov.u32 %n, %r11;\n$B#:\n.pragma \"nounroll\";\nmad.lo.u32 %r@, %r@, %r8, %n; sub.u32 %n, %n, 1;\n"
     "setp.ne.u32 %p0, %n, 0; @%p0 bra $B#;"},
    {"diverge", 1,
     "setp.lt.u32 %p@, %lane, %r11; @%p@ bra $D#;" MAD_8 MAD_8 "bra $E#;\n$D#:\n" MAD_8 "xor.b32 %r@, %r@, %r8;" MAD_8
     "\n$E#:\n"},
    {"call", 1,
     "{ .param .b32 to; .param .b32 back; st.param.b32 [to], %r@;\n"
     "P#: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (back), %fp, (to), P#; ld.param.b32 %r@, [back]; }"},
    {NULL, 0, NULL},
};

static const char module_head[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".func (.param .b32 back) gcast_callee(.param .b32 to)\n{\n.reg .b32 %r;\nld.param.b32 %r, [to];\n"
    "xor.b32 %r, %r, 5;\nst.param.b32 [back], %r;\nret;\n}\n"
    ".global .align 8 .u64 gcast_pointer = gcast_callee;\n"
    ".const .align 8 .u64 gcast_const[2];\n"
    ".shared .align 16 .b8 gcast_shared[4096];\n";

/* The first values of the registers of a chain. */
static const char *const chain_start[] = {
    "add.u32 %r@, %r8, @;", "cvt.rn.f32.u32 %f@, %r@;",  "cvt.rn.f64.u32 %d@, %r@;", "mov.u32 %s@, %own;",
    "mov.u32 %b@, %bank;",  "mov.u32 %q@, %base;",       "mov.u64 %l@, %near;",      "mov.u64 %k@, %far;",
    "mov.u64 %h@, %same;",  "mov.u64 %c@, gcast_const;", "mov.u64 %m@, %place;",
};

static const char kernel_start[] =
    ".reg .b32 %r<12>;\n.reg .f32 %f<10>;\n.reg .f64 %d<10>;\n.reg .b64 %l<11>;\n.reg .pred %p<9>;\n"
    ".reg .b32 %s<8>;\n.reg .b32 %b<8>;\n.reg .b32 %q<8>;\n.reg .b64 %k<8>;\n.reg .b64 %h<8>;\n.reg .b64 %c<8>;\n"
    ".reg .b64 %m<8>;\n.reg .b32 %thread, %cta, %lane, %own, %bank, %base, %n, %i, %x, %y;\n"
    ".reg .b64 %out, %memory, %near, %far, %same, %place, %fp, %t, %u, %first, %z;\n"
    ".local .align 8 .b8 gcast_local[64];\n"
    "ld.param.u64 %out, [out];\ncvta.to.global.u64 %out, %out;\n"
    "ld.param.u64 %memory, [memory];\ncvta.to.global.u64 %memory, %memory;\n"
    "mov.u32 %thread, %tid.x;\nmov.u32 %cta, %ctaid.x;\nmov.u32 %lane, %laneid;\n"
    "ld.global.u32 %r8, [%memory];\nld.global.u32 %r9, [%memory+4];\nld.global.u32 %r10, [%memory+8];\n"
    "ld.global.u32 %r11, [%memory+12];\nld.global.u64 %l8, [%memory+16];\nld.global.u64 %l9, [%memory+24];\n"
    "ld.global.u64 %l10, [%memory+32];\ncvt.rn.f32.u32 %f8, %r8;\ncvt.rn.f32.u32 %f9, %r9;\n"
    "cvt.rn.f64.u32 %d8, %r8;\ncvt.rn.f64.u32 %d9, %r9;\n"
    "mov.u32 %base, gcast_shared;\nmad.lo.u32 %own, %thread, 4, %base;\nmad.lo.u32 %bank, %lane, 128, %base;\n"
    "st.shared.u32 [%own], %own;\n"
    "mad.lo.u32 %x, %cta, 1024, %thread;\nmad.wide.u32 %far, %x, 128, %memory;\nadd.u64 %far, %far, 256;\n"
    "mov.u32 %y, %nctaid.x;\nmul.lo.u32 %y, %y, 1024;\nmad.wide.u32 %same, %y, 128, %memory;\n"
    "add.u64 %same, %same, 256;\nmad.wide.u32 %near, %x, 8, %same;\nmul.lo.u32 %y, %cta, 1024;\n"
    "mad.wide.u32 %same, %y, 8, %same;\nst.global.u64 [%near], %near;\nst.global.u64 [%far], %far;\n"
    "mov.u64 %place, gcast_local;\nst.local.u64 [%place], %place;\nld.global.u64 %fp, [gcast_pointer];\n";

static const char loop_start[] = "bar.sync 0;\nmov.u32 %i, 0;\n$LOOP:\n.pragma \"nounroll\";\nbar.sync 0;\n"
                                 "mov.u64 %t, %clock64;\n";

static const char loop_end[] =
    "mov.u64 %u, %clock64;\nsetp.eq.u32 %p8, %i, 0;\n"
    "@%p8 sub.u64 %first, %u, %t;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %p8, %i, 4;\n@%p8 bra $LOOP;\n";

/* The last values of the chains are written out, so that no step is optimized away. */
static const struct {
    const char *chain, *end;
} chain_end[] = {
    {"%r@", "xor.b32 %x, %x, %r@;"},
    {"%s@", "xor.b32 %x, %x, %s@;"},
    {"%b@", "xor.b32 %x, %x, %b@;"},
    {"%q@", "xor.b32 %x, %x, %q@;"},
    {"%f@", "cvt.rzi.u32.f32 %y, %f@; xor.b32 %x, %x, %y;"},
    {"%d@", "cvt.rzi.u32.f64 %y, %d@; xor.b32 %x, %x, %y;"},
    {"%l@", "xor.b64 %z, %z, %l@;"},
    {"%k@", "xor.b64 %z, %z, %k@;"},
    {"%h@", "xor.b64 %z, %z, %h@;"},
    {"%c@", "xor.b64 %z, %z, %c@;"},
    {"%m@", "xor.b64 %z, %z, %m@;"},
};

static const char kernel_end[] =
    "cvt.u32.u64 %y, %z;\nxor.b32 %x, %x, %y;\nshr.u64 %z, %z, 32;\ncvt.u32.u64 %y, %z;\nxor.b32 %x, %x, "
    "%y;\nmad.lo.u32 %y, %cta, 1024, %thread;\n"
    "mad.wide.u32 %out, %y, 32, %out;\nst.global.u64 [%out], %first;\nst.global.u64 [%out+8], %t;\n"
    "st.global.u64 [%out+16], %u;\nst.global.u32 [%out+24], %x;\nret;\n}\n";

static void put_step(text *out, const char *step, int chain, int number)
{
    for (; *step; step++)
        if (*step == '@' && step[1] != '%')
            text_int(out, chain);
        else if (*step == '#')
            text_int(out, number);
        else
            text_char(out, *step);
    text_char(out, '\n');
}

void probe_kernel(char *name, size_t size, size_t probe, probe_mode mode, int steps)
{
    snprintf(name, size, "gcast_%s_%d_%d", cost_probes[probe].name, (int)mode, steps);
}

static void put_kernel(text *out, size_t probe, probe_mode mode, int steps)
{
    char name[64];
    probe_kernel(name, sizeof name, probe, mode, steps);
    text_printf(out, ".visible .entry %s(.param .u64 out, .param .u64 memory)\n.maxntid 1024, 1, 1\n{\n", name);
    text_str(out, kernel_start);
    for (size_t i = 0; i < sizeof chain_start / sizeof *chain_start; i++)
        for (int k = 0; k < PROBE_CHAINS; k++)
            put_step(out, chain_start[i], k, 0);
    text_str(out, loop_start);
    for (int i = 0; i < steps; i++)
        put_step(out, cost_probes[probe].step, mode == PROBE_ALONE ? 0 : i % PROBE_CHAINS, i);
    text_str(out, loop_end);
    text_str(out, "mov.u32 %x, 0;\nmov.u64 %z, 0;\n");
    for (size_t i = 0; i < sizeof chain_end / sizeof *chain_end; i++)
        for (int k = 0; k < PROBE_CHAINS && strstr(cost_probes[probe].step, chain_end[i].chain); k++)
            put_step(out, chain_end[i].end, k, 0);
    text_str(out, kernel_end);
}

bool probe_has_first(size_t probe)
{
    return strcmp(cost_probes[probe].name, "fma") == 0;
}

void probe_ptx(text *out)
{
    text_str(out, module_head);
    for (size_t i = 0; cost_probes[i].name; i++)
        for (int m = 0; m < PROBE_MODES; m++) {
            if (m == PROBE_FIRST && !probe_has_first(i))
                continue;
            int scale = m == PROBE_FIRST ? PROBE_FIRST_SCALE : 1;
            put_kernel(out, i, (probe_mode)m, PROBE_SHORT * scale);
            put_kernel(out, i, (probe_mode)m, PROBE_LONG * scale);
        }
}
