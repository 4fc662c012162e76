/* A PTX module as a program: what the text says, with every name looked up.
 * The syntax follows the PTX ISA 6.0 to 9.0; opcodes and modifiers stay words,
 * so that an instruction nobody executes here still parses and prints. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text/text.h"
#include "gridcast/error.h"

/* name, bytes, kind: u unsigned, s signed, f float, b bits, p predicate */
#define PTX_TYPE_TABLE(X)                                                                                              \
    X(b8, 1, 'b')                                                                                                      \
    X(b16, 2, 'b')                                                                                                     \
    X(b32, 4, 'b')                                                                                                     \
    X(b64, 8, 'b')                                                                                                     \
    X(b128, 16, 'b')                                                                                                   \
    X(u8, 1, 'u')                                                                                                      \
    X(u16, 2, 'u')                                                                                                     \
    X(u32, 4, 'u')                                                                                                     \
    X(u64, 8, 'u')                                                                                                     \
    X(s8, 1, 's')                                                                                                      \
    X(s16, 2, 's')                                                                                                     \
    X(s32, 4, 's')                                                                                                     \
    X(s64, 8, 's')                                                                                                     \
    X(f16, 2, 'f')                                                                                                     \
    X(f16x2, 4, 'f')                                                                                                   \
    X(bf16, 2, 'f')                                                                                                    \
    X(bf16x2, 4, 'f')                                                                                                  \
    X(f32, 4, 'f')                                                                                                     \
    X(f64, 8, 'f')                                                                                                     \
    X(pred, 0, 'p')

typedef enum {
    PTX_NO_TYPE,
#define X(name, bytes, kind) PTX_##name,
    PTX_TYPE_TABLE(X)
#undef X
        PTX_TYPES
} ptx_type;

const char *ptx_type_name(ptx_type t);
int ptx_type_bytes(ptx_type t);
char ptx_type_kind(ptx_type t);
ptx_type ptx_type_of(const char *word); /* without the dot; PTX_NO_TYPE if it is none */

/* name as in the text */
#define PTX_SPACE_TABLE(X) X(reg) X(global) X(shared) X(local) X(param) X(const) X(tex)

typedef enum {
    PTX_SPACE_NONE, /* generic addresses */
#define X(name) PTX_SPACE_##name,
    PTX_SPACE_TABLE(X)
#undef X
} ptx_space;

typedef enum { PTX_LOCAL_LINK, PTX_VISIBLE, PTX_EXTERN, PTX_WEAK, PTX_COMMON } ptx_link;

typedef struct ptx_place {
    int line, column; /* in the PTX text, from 1 */
} ptx_place;

/* One value of an initializer: an integer, a float (its bits), or a symbol plus an offset. Of the bits
 * it takes as many as an element has; a float is in the format of the element. */
typedef struct ptx_value {
    enum { PTX_VALUE_INT, PTX_VALUE_F32, PTX_VALUE_F64, PTX_VALUE_SYMBOL } kind;
    uint64_t bits;      /* of a symbol: the offset */
    const char *symbol; /* var or function of the module; with `generic(...)` its generic address */
    bool generic;
    bool is_mask; /* mask(sym): one byte of the address, 0xFF << 8 k; kept for the printer */
    uint64_t mask;
} ptx_value;

/* A variable, a parameter, or a return value. */
typedef struct ptx_var {
    const char *name;
    ptx_space space;
    ptx_link link;
    ptx_type type;
    int width;             /* 1, 2 or 4: of a vector */
    uint32_t align;        /* 0: not given */
    uint32_t dims;         /* 0: no array */
    uint64_t *dim;         /* 0 for [] */
    uint64_t bytes;        /* of all; 0 for [] */
    const char *ptr;       /* ".ptr ..." attributes of a kernel parameter as written, or NULL */
    const char *attribute; /* ".attribute(.managed)" as written, or NULL */
    const char *opaque;    /* "texref", "samplerref" or "surfref" instead of a type, or NULL */
    uint32_t values;       /* of the initializer, flattened, zeros at the end left out */
    ptx_value *value;
    ptx_place at;
} ptx_var;

typedef struct ptx_register {
    const char *name; /* with % */
    ptx_type type;
    int width; /* 1, or 2 or 4 for `.reg .v4 .f32` */
} ptx_register;

struct ptx_function;

typedef enum {
    PTX_OP_REG,      /* reg; component 1..4 for .x .y .z .w, 0 for all */
    PTX_OP_SPECIAL,  /* name (%tid), component */
    PTX_OP_INT,      /* bits; is_signed if written with a minus or as a plain decimal that fits */
    PTX_OP_F32,      /* bits */
    PTX_OP_F64,      /* bits */
    PTX_OP_VAR,      /* var + offset, as a value: mov %r, table+4 */
    PTX_OP_FUNCTION, /* function: of a call, or its address; where there is a body, the one with it, also through .alias
                      */
    PTX_OP_LABEL,    /* name, and `target`: index into items */
    PTX_OP_TABLE,    /* name of .branchtargets, .calltargets or .callprototype; target: its item */
    PTX_OP_ADDRESS,  /* [item[0] + offset], items 0: [offset]; more items: [a, {b}] of textures */
    PTX_OP_VECTOR,   /* {a, b, c, d} */
    PTX_OP_LIST,     /* (a, b) of a call */
    PTX_OP_PAIR,     /* a|b */
    PTX_OP_SINK      /* _ */
} ptx_operand_kind;

typedef struct ptx_operand {
    ptx_operand_kind kind;
    uint8_t component;
    bool negated;   /* !p */
    bool is_signed; /* PTX_OP_INT */
    uint32_t reg;   /* index into the function's registers */
    uint32_t target;
    uint32_t items;
    uint64_t bits;
    int64_t offset;
    const char *name;
    const ptx_var *var;
    const struct ptx_function *function;
    struct ptx_operand *item;
    ptx_place at;
} ptx_operand;

typedef struct ptx_instruction {
    ptx_place at;
    int32_t guard;      /* register of @p, or -1 */
    bool guard_negated; /* @!p */
    const char *opcode; /* "ld" */
    uint32_t mods;
    const char **mod; /* "param", "u32": without dots, in the order of the text; "to::x" stays one word */
    uint32_t operands;
    ptx_operand *operand;
    uint32_t source_file, source_line, source_column; /* of the last .loc; 0: none */
    uint32_t caller_file, caller_line; /* the same, or where the function it is in was inlined: of the outermost */
} ptx_instruction;

typedef enum {
    PTX_ITEM_INSTRUCTION,
    PTX_ITEM_LABEL,    /* name */
    PTX_ITEM_REGS,     /* declared here: first_reg, reg_count; `range`: as %r<n> with `name` */
    PTX_ITEM_VAR,      /* var: a .local, .shared, .param, .const or .global of this scope */
    PTX_ITEM_OPEN,     /* { ; match: item of its } */
    PTX_ITEM_CLOSE,    /* } ; match: item of its { */
    PTX_ITEM_LOC,      /* words: file, line and column */
    PTX_ITEM_PRAGMA,   /* words as written */
    PTX_ITEM_TARGETS,  /* name: .branchtargets or .calltargets: `list` of labels or functions */
    PTX_ITEM_PROTOTYPE /* name: .callprototype; `prototype` */
} ptx_item_kind;

typedef struct ptx_item {
    ptx_item_kind kind;
    ptx_place at;
    ptx_instruction *instruction;
    const char *name;
    const char *words;
    ptx_var *var;
    uint32_t first_reg, reg_count;
    bool range;
    uint32_t match;
    ptx_operand list; /* PTX_OP_LIST */
    struct ptx_function *prototype;
} ptx_item;

typedef struct ptx_function {
    const char *name;
    bool is_entry, has_body;
    ptx_link link;
    uint32_t returns, params;
    ptx_var *ret, *param;                         /* of space reg: registers 0, 1, ... in this order */
    const char *attribute;                        /* ".attribute(...)" as written, or NULL */
    const char *alias;                            /* of a declaration: the function it is another name of, or NULL */
    const char *directives;                       /* .maxntid 256, 1, 1 .noreturn ... as written, or NULL */
    uint32_t max_threads[3], required_threads[3]; /* of .maxntid and .reqntid; 0: not given */
    uint32_t registers;
    ptx_register *reg; /* every scope's, by index; names may repeat in different scopes */
    uint32_t items;
    ptx_item *item;
    ptx_place at;
} ptx_function;

typedef struct ptx_file {
    uint32_t index;
    const char *name;
    const char *rest; /* timestamp and size as written, or NULL */
} ptx_file;

typedef struct ptx_module {
    arena memory;
    int version_major, version_minor;
    const char *target; /* "sm_90a, debug" as written */
    int sm;             /* 90; 0 if the target names none */
    int address_bits;   /* 32 or 64 */
    uint32_t vars, functions, files;
    ptx_var **var;
    ptx_function **function; /* declarations and definitions in the order of the text; a name once with a body */
    ptx_file *file;
    /* for the printer: vars and functions in one order; negative: ~index of a function */
    uint32_t order_count;
    int32_t *order;
} ptx_module;

/* `text` needs no NUL. On failure *out is NULL and err has line and column. */
gcast_status ptx_parse(const char *text, size_t size, ptx_module **out, gcast_error *err);
void ptx_free(ptx_module *m);
/* As text that parses to the same program; debug sections are left out. */
void ptx_print(const ptx_module *m, text *out);
/* Is it the same program: all but places and comments. */
bool ptx_same(const ptx_module *a, const ptx_module *b);
const ptx_function *ptx_find_function(const ptx_module *m, const char *name); /* the one with a body first; or NULL */

#endif
