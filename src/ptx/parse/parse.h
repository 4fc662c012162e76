/* What the parser's parts share: the state of one parse, its names and scopes,
 * and the steps from tokens to a module. A step that fails is false, and the
 * error is filled. */
#ifndef PTX_PARSE_PARSE_H
#define PTX_PARSE_PARSE_H

#include "base/index.h"
#include "base/vec.h"
#include "ptx/parse/lex.h"

/* Limits against texts that ask for more than they hold. */
enum {
    PARSE_DEPTH = 64,              /* of braces, and of parentheses in an expression */
    PARSE_REGISTERS = 1 << 20,     /* of a function */
    PARSE_ALL_REGISTERS = 1 << 22, /* of a module */
    PARSE_PADDING = 1 << 20,       /* zeros that short rows of an initializer stand for */
    PARSE_DIMS = 16
};

typedef enum { SYMBOL_REGISTER, SYMBOL_VAR, SYMBOL_FUNCTION, SYMBOL_LABEL, SYMBOL_TABLE } symbol_kind;

/* A name with what it means in one scope. */
typedef struct symbol {
    symbol_kind kind;
    uint32_t atom;
    uint32_t outer;  /* what the name meant before: symbol + 1, 0: nothing */
    uint32_t number; /* of a register, or of the item of a label or table */
    ptx_var *var;
    ptx_function *function;
    ptx_place at;
} symbol;

/* Every word is kept once. */
typedef struct atom {
    const char *text;
    uint32_t size;
    uint32_t meaning; /* innermost symbol + 1, 0: nothing */
} atom;

typedef struct scope {
    size_t first_symbol, first_pending;
    uint32_t open_item;
} scope;

/* A label that is used; which one it is shows when its scope ends. */
typedef struct pending {
    ptx_operand *operand;
    uint32_t atom;
} pending;

/* A place of the source, and where the function that it is in was inlined: file, line and column. */
typedef struct inlining {
    uint32_t at[3], into[3];
} inlining;

#define RECENT_INLININGS 64

typedef struct parser {
    lexer lex;
    token tok; /* the next one */
    ptx_module *m;
    arena *memory;
    gcast_error *err;
    gcast_status status;

    hash_index atom_index;
    VEC(atom) atoms;
    VEC(symbol) symbols;
    VEC(scope) scopes;
    VEC(pending) pendings;
    VEC(ptx_operand *) declared; /* operands that name what was only declared, to be led to its definition */

    /* of the function that is read */
    ptx_function *function;
    VEC(ptx_item) items;
    VEC(ptx_register) registers;
    uint64_t all_registers;
    uint32_t source_file, source_line, source_column;
    uint32_t caller_file, caller_line;
    inlining inlined[RECENT_INLININGS]; /* the last ones, in a circle */
    uint32_t inlinings;

    /* of what is read just now */
    VEC(ptx_operand) operands; /* a stack: those of inner lists are on top */
    VEC(const char *) words;
    VEC(ptx_value) values;
    uint64_t padding;
    text buffer;

    /* of the module */
    VEC(ptx_var *) vars;
    VEC(ptx_function *) functions;
    VEC(ptx_file) files;
    VEC(int32_t) order;
} parser;

/* parser.c: errors, tokens and words */
bool parse_fail(parser *p, ptx_place at, const char *format, ...) GCAST_PRINTF(3, 4);
bool parse_memory(parser *p);
bool parse_advance(parser *p);
/* "expected WHAT, not `...`" at the next token. */
bool parse_expected(parser *p, const char *what);
bool parse_is_sign(const parser *p, int sign);
bool parse_is_dot(const parser *p, const char *word);
bool parse_is_name(const parser *p, const char *word);
/* The next token must be this sign; goes past it. */
bool parse_sign(parser *p, char sign);
/* If the next token is this sign, goes past it and sets *was. */
bool parse_if_sign(parser *p, int sign, bool *was);
/* Adds the next token to p->buffer, with one space between words, and goes past it. */
bool parse_keep(parser *p);
/* What was kept, or NULL for nothing; empties the buffer. */
bool parse_kept(parser *p, const char **out);
const void *parse_copy(parser *p, const void *data, size_t count, size_t size);

/* names.c: words, scopes, symbols */
bool parse_atom(parser *p, const char *text, size_t size, uint32_t *out);
/* The next token must be a name; goes past it. */
bool parse_name(parser *p, const char *what, uint32_t *name, ptx_place *at);
symbol *parse_lookup(parser *p, uint32_t name);
/* Declares it in the innermost scope; a name that is there already is an error. */
bool parse_declare(parser *p, symbol s);
bool parse_scope_open(parser *p, uint32_t open_item);
bool parse_scope_close(parser *p);
bool parse_pending_label(parser *p, ptx_operand *operand, uint32_t name);

/* expression.c: constants, folded to 64 bits */
typedef struct constant {
    enum { CONSTANT_SIGNED, CONSTANT_UNSIGNED, CONSTANT_F32, CONSTANT_F64 } kind;
    uint64_t bits;
} constant;
bool parse_constant(parser *p, constant *out);
/* What follows a + or - sign, which is still there, as an offset; none: 0. */
bool parse_offset(parser *p, int64_t *out);
/* An integer from lo to hi. */
bool parse_integer(parser *p, const char *what, uint64_t lo, uint64_t hi, uint64_t *out);
bool parse_starts_constant(const parser *p);

/* declaration.c, initializer.c: variables, parameters and registers */
/* What stands between the space and the name: .align 4 .v4 .f32 .ptr ...; of `v` it fills these. */
bool parse_var_type(parser *p, ptx_var *v);
/* .attribute(...) as written. */
bool parse_attribute(parser *p, const char **out);
/* name[2][3] */
bool parse_declarator(parser *p, ptx_var *v);
bool parse_initializer(parser *p, ptx_var *v);
/* After the space: declarators up to and with the ;. `add` takes each. */
bool parse_vars(parser *p, ptx_var *first, bool (*add)(parser *p, ptx_var *v));
bool parse_registers(parser *p);
bool parse_add_register(parser *p, const char *name, size_t size, ptx_type type, int width, ptx_place at);

/* operand.c, instruction.c, statement.c, function.c */
bool parse_operand(parser *p, bool is_call, bool is_branch, ptx_operand *out);
bool parse_instruction(parser *p, ptx_place at, uint32_t opcode, int32_t guard, bool negated);
bool parse_guarded(parser *p);
bool parse_body(parser *p);
bool parse_add_item(parser *p, ptx_item item);
bool parse_function(parser *p, ptx_link link);
bool parse_alias(parser *p);
/* (.param .u32 a, ...) as `params` of `out`; the next token is the parenthesis. */
bool parse_params(parser *p, uint32_t *count, ptx_var **out);
/* After `name:` .callprototype */
bool parse_prototype(parser *p, ptx_function **out);

/* Zero in an initializer of this type. */
ptx_value ptx_zero(ptx_type t);
const char *ptx_space_name(ptx_space s);
ptx_space ptx_space_of(const char *word);
/* Is it a special register of PTX (%tid)? */
bool ptx_is_special(const char *name);
/* .x .y .z .w, .r .g .b .a: 1 to 4; .b0 to .b3: 5 to 8; .h0, .h1: 9, 10; 0: none of them */
uint8_t ptx_component_of(const char *word, size_t size);
const char *ptx_component_name(uint8_t component);

#endif
