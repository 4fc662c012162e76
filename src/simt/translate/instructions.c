/* The instructions that the machine knows: how each is decoded, what it counts
 * as, and which modifiers it may have. */
#include "simt/translate/instructions.h"

#include <string.h>

#include "simt/access/access_instructions.h"
#include "simt/isa/isa_instructions.h"
#include "simt/translate/control.h"
#include "simt/warp/barrier.h"

#define INTEGERS ".{u,s}{16,32,64}"
#define FLOATS "{.ftz}{.sat}.{f16,f16x2,bf16,bf16x2}, {.rnd}{.ftz}{.sat}.f32, {.rnd}.f64"
#define VIDEO ".{u,s}32.{u,s}32.{u,s}32{.sat,.add}, without masks and selectors"
#define TYPES ".{b,u,s}{8,16,32,64}, .f32, .f64"

/* opcode, class in the instruction mix, decoder, modifiers; in the order of strcmp */
#define INSTRUCTION_TABLE(X)                                                                                           \
    X("abs", integer, arithmetic, ".s{16,32,64}, {.ftz}.f32, .f64, .{f16,f16x2,bf16,bf16x2}")                          \
    X("activemask", exchange, activemask, ".b32")                                                                      \
    X("add", integer, arithmetic, INTEGERS ", .{u,s}16x2, .sat.s32, .cc.{u,s}{32,64}, " FLOATS)                        \
    X("addc", integer, forms, "{.cc}.{u,s}{32,64}")                                                                    \
    X("and", integer, forms, ".pred, .b{16,32,64}")                                                                    \
    X("applypriority", other, prefetch, "no effect")                                                                   \
    X("atom", atomic, atom,                                                                                            \
      "{.global,.shared}.{and,or,xor,cas,exch,add,inc,dec,min,max}.type, {.noftz}.{f16x2,bf16x2}")                     \
    X("bar", barrier, bar, ".{sync,arrive,red.{popc,and,or}}, .warp.sync")                                             \
    X("barrier", barrier, bar, "{.cta}.{sync,arrive,red.{popc,and,or}}{.aligned}")                                     \
    X("bfe", integer, forms, ".{u,s}{32,64}")                                                                          \
    X("bfi", integer, forms, ".b{32,64}")                                                                              \
    X("bfind", integer, forms, "{.shiftamt}.{u,s}{32,64}")                                                             \
    X("bmsk", integer, forms, ".{clamp,wrap}.b32")                                                                     \
    X("bra", branch, bra, "{.uni}")                                                                                    \
    X("brev", integer, forms, ".b{32,64}")                                                                             \
    X("brkpt", branch, end, "an error, as trap")                                                                       \
    X("brx", branch, brx, ".idx{.uni}")                                                                                \
    X("call", branch, call, "{.uni}, also through registers; vprintf, __assertfail, malloc and free are built in")     \
    X("clz", integer, forms, ".b{32,64}")                                                                              \
    X("cnot", integer, forms, ".b{16,32,64}")                                                                          \
    X("copysign", float32, float, ".f32, .f64")                                                                        \
    X("cos", special, float, ".approx{.ftz}.f32")                                                                      \
    X("cp", global_memory, cp,                                                                                         \
      ".async.{ca,cg}.shared.global, .async.{commit_group,wait_group,wait_all}, .async.mbarrier.arrive")               \
    X("createpolicy", other, prefetch, "no effect")                                                                    \
    X("cvt", convert, cvt, "{.rnd}{.ftz}{.sat}{.relu}.dtype.stype of integers, f16, bf16, f32, f64; packed from f32")  \
    X("cvta", convert, cvta, "{.to}.{global,shared,local,param,const}.u64")                                            \
    X("discard", other, prefetch, "no effect")                                                                         \
    X("div", integer, arithmetic, INTEGERS ", .{approx,full}{.ftz}.f32, .rnd{.ftz}.f32, .rnd.f64")                     \
    X("dp2a", integer, forms, ".{lo,hi}.{u,s}32.{u,s}32")                                                              \
    X("dp4a", integer, forms, ".{u,s}32.{u,s}32")                                                                      \
    X("elect", exchange, elect, ".sync")                                                                               \
    X("ex2", special, float, ".approx{.ftz}.f32, .approx.f16, .approx.ftz.bf16")                                       \
    X("exit", branch, end, "")                                                                                         \
    X("fence", barrier, fence, "of any kind; no effect")                                                               \
    X("fma", float32, float, FLOATS)                                                                                   \
    X("fns", integer, forms, ".b32")                                                                                   \
    X("griddepcontrol", other, prefetch, "no effect")                                                                  \
    X("isspacep", other, isspacep, ".{global,shared,local,param}")                                                     \
    X("ld", global_memory, ld, "{.global,.shared,.local,.param,.const}{.v2,.v4}" TYPES "; hints have no effect")       \
    X("ldu", global_memory, ld, "{.global}{.v2,.v4}" TYPES)                                                            \
    X("lg2", special, float, ".approx{.ftz}.f32")                                                                      \
    X("lop3", integer, lop3, ".b32, .{or,and}.b32")                                                                    \
    X("mad", integer, arithmetic, ".{lo,hi,wide}" INTEGERS ", .hi.sat.s32, .{lo,hi}.cc.{u,s}{32,64}, floats as fma")   \
    X("mad24", integer, forms, ".{lo,hi}.{u,s}32, .hi.sat.s32")                                                        \
    X("madc", integer, forms, ".{lo,hi}{.cc}.{u,s}{32,64}")                                                            \
    X("match", exchange, match, ".{any,all}.sync.b{32,64}")                                                            \
    X("max", integer, arithmetic,                                                                                      \
      INTEGERS ", .{u,s}16x2, .relu.s32, .relu.s16x2, {.ftz}{.NaN}{.xorsign.abs} of all floats")                       \
    X("mbarrier", barrier, mbarrier, ".{init,inval,arrive,arrive_drop,test_wait,try_wait,pending_count}.b64")          \
    X("membar", barrier, fence, "of any kind; no effect")                                                              \
    X("min", integer, arithmetic,                                                                                      \
      INTEGERS ", .{u,s}16x2, .relu.s32, .relu.s16x2, {.ftz}{.NaN}{.xorsign.abs} of all floats")                       \
    X("mov", move, mov, ".{b,u,s}{16,32,64}, .f32, .f64, .pred, special registers, addresses, vectors")                \
    X("mul", integer, arithmetic, ".{lo,hi,wide}" INTEGERS ", " FLOATS)                                                \
    X("mul24", integer, forms, ".{lo,hi}.{u,s}32")                                                                     \
    X("nanosleep", other, nanosleep, ".u32")                                                                           \
    X("neg", integer, arithmetic, ".s{16,32,64}, {.ftz}.f32, .f64, .{f16,f16x2,bf16,bf16x2}")                          \
    X("not", integer, forms, ".pred, .b{16,32,64}")                                                                    \
    X("or", integer, forms, ".pred, .b{16,32,64}")                                                                     \
    X("pmevent", other, prefetch, "no effect")                                                                         \
    X("popc", integer, forms, ".b{32,64}")                                                                             \
    X("prefetch", other, prefetch, "no effect")                                                                        \
    X("prefetchu", other, prefetch, "no effect")                                                                       \
    X("prmt", integer, forms, ".b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}")                                                  \
    X("rcp", special, float, ".approx{.ftz}.f32, .approx.ftz.f64, .rnd{.ftz}.f32, .rnd.f64")                           \
    X("red", atomic, red, "as atom, without a result")                                                                 \
    X("redux", exchange, redux, ".sync.{add,min,max}.{u,s}32, .sync.{and,or,xor}.b32")                                 \
    X("rem", integer, forms, INTEGERS)                                                                                 \
    X("ret", branch, end, "{.uni}")                                                                                    \
    X("rsqrt", special, float, ".approx{.ftz}.f32, .approx{.ftz}.f64")                                                 \
    X("sad", integer, forms, INTEGERS)                                                                                 \
    X("selp", compare, selp, ".{b,u,s}{16,32,64}, .f32, .f64")                                                         \
    X("set", compare, set, ".cmp{.bool}{.ftz}.{u32,s32,f32}.stype")                                                    \
    X("setp", compare, setp, ".cmp{.bool}{.ftz}.stype, with one or two results")                                       \
    X("shf", integer, forms, ".{l,r}.{clamp,wrap}.b32")                                                                \
    X("shfl", exchange, shfl, "{.sync}.{up,down,bfly,idx}.b32")                                                        \
    X("shl", integer, forms, ".b{16,32,64}")                                                                           \
    X("shr", integer, forms, ".{b,u,s}{16,32,64}")                                                                     \
    X("sin", special, float, ".approx{.ftz}.f32")                                                                      \
    X("slct", compare, slct, ".type.s32, {.ftz}.type.f32")                                                             \
    X("sqrt", special, float, ".approx{.ftz}.f32, .rnd{.ftz}.f32, .rnd.f64")                                           \
    X("st", global_memory, st, "{.global,.shared,.local,.param}{.v2,.v4}" TYPES "; hints have no effect")              \
    X("sub", integer, arithmetic, INTEGERS ", .sat.s32, .cc.{u,s}{32,64}, " FLOATS)                                    \
    X("subc", integer, forms, "{.cc}.{u,s}{32,64}")                                                                    \
    X("szext", integer, forms, ".{clamp,wrap}.{u,s}32")                                                                \
    X("tanh", special, float, ".approx.{f32,f16,f16x2,bf16,bf16x2}")                                                   \
    X("testp", compare, testp, ".{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}")                      \
    X("trap", branch, end, "")                                                                                         \
    X("vabsdiff2", integer, video, VIDEO)                                                                              \
    X("vabsdiff4", integer, video, VIDEO)                                                                              \
    X("vadd2", integer, video, VIDEO)                                                                                  \
    X("vadd4", integer, video, VIDEO)                                                                                  \
    X("vmax2", integer, video, VIDEO)                                                                                  \
    X("vmax4", integer, video, VIDEO)                                                                                  \
    X("vmin2", integer, video, VIDEO)                                                                                  \
    X("vmin4", integer, video, VIDEO)                                                                                  \
    X("vote", exchange, vote, "{.sync}.{all,any,uni}.pred, {.sync}.ballot.b32")                                        \
    X("vsub2", integer, video, VIDEO)                                                                                  \
    X("vsub4", integer, video, VIDEO)                                                                                  \
    X("xor", integer, forms, ".pred, .b{16,32,64}")

static const instruction_form table[] = {
#define X(name, kind, how, forms) {name, forms, GCAST_SIMT_##kind, decode_##how},
    INSTRUCTION_TABLE(X)
#undef X
};

const instruction_form *find_instruction(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

bool gcast_simt_instruction(uint32_t index, const char **name, const char **forms)
{
    if (!name || !forms)
        return false;
    if (index >= sizeof table / sizeof *table)
        return false;
    *name = table[index].name;
    *forms = table[index].forms;
    return true;
}
