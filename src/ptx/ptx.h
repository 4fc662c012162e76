/* A PTX module as a program: what the text says, with every name resolved. The
 * syntax follows the PTX ISA 6.0 to 9.0. Opcodes and modifiers stay words, so
 * that instructions which the machine does not know still parse and print. In
 * all structs a plural is a count, and the singular beside it is the array:
 * `vars` and `var`. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
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

/* name as in the text */
#define PTX_SPACE_TABLE(X) X(reg) X(global) X(shared) X(local) X(param) X(const) X(tex)

typedef enum {
    PTX_SPACE_NONE, /* generic addresses */
#define X(name) PTX_SPACE_##name,
    PTX_SPACE_TABLE(X)
#undef X
} ptx_space;

typedef enum { PTX_LOCAL_LINK, PTX_VISIBLE, PTX_EXTERN, PTX_WEAK, PTX_COMMON } ptx_link;

/* A place in the PTX text. */
typedef struct ptx_place {
    int line, column; /* from 1 */
} ptx_place;

/* One value of an initializer: an integer, a float, or a symbol plus an offset. */
typedef struct ptx_value {
    enum { PTX_VALUE_INT, PTX_VALUE_F32, PTX_VALUE_F64, PTX_VALUE_SYMBOL } kind; /* which of the fields below count */
    uint64_t bits;      /* the value, cut to the width of the element; of a symbol: the offset */
    const char *symbol; /* name of a variable or function of the module */
    bool generic;       /* generic(symbol): its generic address */
    bool is_mask;       /* mask(symbol): one byte of its address */
    uint64_t mask;      /* which byte: 0xFF << 8 k */
} ptx_value;

/* A variable, a parameter, or a result. */
typedef struct ptx_var {
    const char *name;      /* as written */
    ptx_space space;       /* its state space */
    ptx_link link;         /* its linkage */
    ptx_type type;         /* of an element */
    int width;             /* elements of a vector: 2 or 4; otherwise 1 */
    uint32_t align;        /* in bytes; 0: not given */
    uint32_t dims;         /* dimensions; 0: no array */
    uint64_t *dim;         /* by dimension: its size; 0 for [] */
    uint64_t bytes;        /* size of all elements; 0 for [] */
    const char *ptr;       /* ".ptr ..." attributes of a kernel parameter as written, or NULL */
    const char *attribute; /* ".attribute(.managed)" as written, or NULL */
    const char *opaque;    /* "texref", "samplerref" or "surfref" instead of a type, or NULL */
    uint32_t values;       /* of the initializer, flattened, without trailing zeros */
    ptx_value *value;      /* in order */
    ptx_place at;          /* of its name */
} ptx_var;

typedef struct ptx_register {
    const char *name; /* with % */
    ptx_type type;    /* of an element */
    int width;        /* elements: 1, or 2 or 4 for `.reg .v4 .f32` */
} ptx_register;

struct ptx_function;

/* Kinds of operands, with the fields that each uses. */
typedef enum {
    PTX_OP_REG,      /* reg; component 1..4 for .x .y .z .w, 0 for all */
    PTX_OP_SPECIAL,  /* name (%tid), component */
    PTX_OP_INT,      /* bits; is_signed if written with a minus or as a plain decimal that fits */
    PTX_OP_F32,      /* bits */
    PTX_OP_F64,      /* bits */
    PTX_OP_VAR,      /* var + offset, as a value: mov %r, table+4 */
    PTX_OP_FUNCTION, /* function: called, or its address; the definition where there is one, also through .alias */
    PTX_OP_LABEL,    /* name; target: its item */
    PTX_OP_TABLE,    /* name of .branchtargets, .calltargets or .callprototype; target: its item */
    PTX_OP_ADDRESS,  /* [item[0] + offset]; without items: [offset]; with more: [a, {b}] of textures */
    PTX_OP_VECTOR,   /* items: {a, b, c, d} */
    PTX_OP_LIST,     /* items: (a, b) of a call */
    PTX_OP_PAIR,     /* items: a|b */
    PTX_OP_SINK      /* _ */
} ptx_operand_kind;

typedef struct ptx_operand {
    ptx_operand_kind kind;               /* which of the fields below count */
    uint8_t component;                   /* of a register; 0: all of it */
    bool negated;                        /* !p */
    bool is_signed;                      /* of PTX_OP_INT */
    uint32_t reg;                        /* index into the function's registers */
    uint32_t target;                     /* index into the function's items */
    uint32_t items;                      /* of an address, vector, list or pair */
    uint64_t bits;                       /* of a number */
    int64_t offset;                      /* of an address or variable */
    const char *name;                    /* as written */
    const ptx_var *var;                  /* of PTX_OP_VAR */
    const struct ptx_function *function; /* of PTX_OP_FUNCTION */
    struct ptx_operand *item;            /* in the order of the text */
    ptx_place at;                        /* its start */
} ptx_operand;

typedef struct ptx_instruction {
    ptx_place at;                      /* of its opcode */
    int32_t guard;                     /* register of @p, or -1 */
    bool guard_negated;                /* @!p */
    const char *opcode;                /* "ld" */
    uint32_t mods;                     /* modifiers */
    const char **mod;                  /* "param", "u32": without dots, in the order of the text; "to::x" is one word */
    uint32_t operands;                 /* of the instruction */
    ptx_operand *operand;              /* in the order of the text */
    uint32_t source_file, source_line; /* of the last .loc; 0: none */
    uint32_t source_column;            /* of the last .loc */
    uint32_t caller_file, caller_line; /* the outermost call that this place is inlined into, or the place itself */
} ptx_instruction;

/* Kinds of items of a body, with the fields that each uses. */
typedef enum {
    PTX_ITEM_INSTRUCTION, /* instruction */
    PTX_ITEM_LABEL,       /* name */
    PTX_ITEM_REGS,        /* registers declared here: first_reg, reg_count, name; range: written as name<n> */
    PTX_ITEM_VAR,         /* var: a .local, .shared, .param, .const or .global of this scope */
    PTX_ITEM_OPEN,        /* { ; match: item of its } */
    PTX_ITEM_CLOSE,       /* } ; match: item of its { */
    PTX_ITEM_LOC,         /* words: file, line and column */
    PTX_ITEM_PRAGMA,      /* words */
    PTX_ITEM_TARGETS,     /* name of .branchtargets or .calltargets; list: labels or functions */
    PTX_ITEM_PROTOTYPE    /* name of .callprototype; prototype */
} ptx_item_kind;

typedef struct ptx_item {
    ptx_item_kind kind;             /* which of the fields below count */
    ptx_place at;                   /* its start */
    ptx_instruction *instruction;   /* of PTX_ITEM_INSTRUCTION */
    const char *name;               /* as written */
    const char *words;              /* as written */
    ptx_var *var;                   /* of PTX_ITEM_VAR */
    uint32_t first_reg, reg_count;  /* in the function's registers */
    bool range;                     /* declared as %r<n> */
    uint32_t match;                 /* item of the other brace */
    ptx_operand list;               /* of PTX_ITEM_TARGETS: a PTX_OP_LIST */
    struct ptx_function *prototype; /* of PTX_ITEM_PROTOTYPE */
} ptx_item;

typedef struct ptx_function {
    const char *name;             /* as written */
    bool is_entry, has_body;      /* a kernel; a definition */
    ptx_link link;                /* its linkage */
    uint32_t returns, params;     /* results; parameters */
    ptx_var *ret, *param;         /* variables of space reg are registers 0, 1, ... in this order */
    const char *attribute;        /* ".attribute(...)" as written, or NULL */
    const char *alias;            /* of a declaration: the function that it is an alias of, or NULL */
    const char *directives;       /* .maxntid 256, 1, 1 .noreturn ... as written, or NULL */
    uint32_t max_threads[3];      /* of .maxntid; 0: not given */
    uint32_t required_threads[3]; /* of .reqntid; 0: not given */
    uint32_t registers;           /* of all scopes */
    ptx_register *reg;            /* by index; names may repeat in different scopes */
    uint32_t items;               /* of the body */
    ptx_item *item;               /* in the order of the text */
    ptx_place at;                 /* of its name */
} ptx_function;

/* A .file directive. */
typedef struct ptx_file {
    uint32_t index;   /* its number in .loc */
    const char *name; /* the source file */
    const char *rest; /* timestamp and size as written, or NULL */
} ptx_file;

typedef struct ptx_module {
    arena memory;                     /* owns everything below */
    int version_major, version_minor; /* of .version */
    const char *target;               /* "sm_90a, debug" as written */
    int sm;                           /* 90; 0: the target names none */
    int address_bits;                 /* 32 or 64 */
    uint32_t vars, functions, files;  /* of the module */
    ptx_var **var;                    /* in the order of the text */
    ptx_function **function;          /* declarations and definitions in the order of the text; one definition a name */
    ptx_file *file;                   /* in the order of the text */
    uint32_t order_count;             /* vars and functions */
    int32_t *order;                   /* their order in the text: index of a variable, or ~index of a function */
} ptx_module;

const char *ptx_type_name(ptx_type t);
int ptx_type_bytes(ptx_type t);
/* The kind in PTX_TYPE_TABLE. */
char ptx_type_kind(ptx_type t);
/* PTX_NO_TYPE: the word, without its dot, names no type. */
ptx_type ptx_type_of(const char *word);
/* Zero in an initializer of this type. */
ptx_value ptx_zero(ptx_type t);
const char *ptx_space_name(ptx_space s);
/* PTX_SPACE_NONE: the word names no space. */
ptx_space ptx_space_of(const char *word);

/* Is it a special register of PTX (%tid)? */
bool ptx_is_special(const char *name);
/* .x .y .z .w, .r .g .b .a: 1 to 4; .b0 to .b3: 5 to 8; .h0, .h1: 9, 10; 0: the word is no component */
uint8_t ptx_component_of(const char *word, size_t size);
const char *ptx_component_name(uint8_t component);

/* The definition of a function, or else a declaration; NULL: there is none. */
const ptx_function *ptx_find_function(const ptx_module *m, const char *name);

#endif
