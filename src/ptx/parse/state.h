/* The state of one parse, with its names and scopes. All functions parse_... are
 * false when they fail, and then the error is set. */
#ifndef PTX_PARSE_STATE_H
#define PTX_PARSE_STATE_H

#include "base/index.h"
#include "base/vec.h"
#include "ptx/lex/token.h"

/* Limits against short texts that demand much memory. */
enum {
    PARSE_MAX_DEPTH = 64,              /* of braces, and of parentheses in an expression */
    PARSE_MAX_REGISTERS = 1 << 20,     /* of a function */
    PARSE_MAX_ALL_REGISTERS = 1 << 22, /* of a module */
    PARSE_MAX_PADDING = 1 << 20,       /* zeros that short rows of an initializer stand for */
    PARSE_MAX_DIMS = 16                /* dimensions of an array */
};

typedef enum { SYMBOL_REGISTER, SYMBOL_VAR, SYMBOL_FUNCTION, SYMBOL_LABEL, SYMBOL_TABLE } symbol_kind;

/* A name with its meaning in one scope. */
typedef struct symbol {
    symbol_kind kind;       /* what it names */
    uint32_t atom;          /* the name */
    uint32_t outer;         /* what the name means in the scope around: symbol + 1; 0: nothing */
    uint32_t number;        /* of a register, or of the item of a label or table */
    ptx_var *var;           /* of SYMBOL_VAR */
    ptx_function *function; /* of SYMBOL_FUNCTION */
    ptx_place at;           /* where it was declared */
} symbol;

/* A word. Every word is kept once. */
typedef struct atom {
    const char *text; /* the word */
    uint32_t size;    /* its characters */
    uint32_t meaning; /* symbol of the innermost scope + 1; 0: it means nothing */
} atom;

typedef struct scope {
    size_t first_symbol;  /* the symbols from here on were declared in it */
    size_t first_pending; /* the labels from here on were used in it */
    uint32_t open_item;   /* the item of its { */
} scope;

/* A label that is used. Which label it is, is known at the end of its scope. */
typedef struct pending {
    ptx_operand *operand; /* that names it */
    uint32_t atom;        /* the name */
} pending;

/* A place of the source, and where the function that it is in was inlined. */
typedef struct inlining {
    uint32_t at[3];         /* file, line and column */
    uint32_t call_place[3]; /* file, line and column of the call */
} inlining;

#define RECENT_INLININGS 64

typedef struct parser {
    lexer lex;           /* the text */
    token tok;           /* the next token */
    ptx_module *m;       /* that is made */
    arena *memory;       /* of the module */
    gcast_error *err;    /* where the error goes; may be NULL */
    gcast_status status; /* GCAST_OK until something fails */

    /* names */
    hash_index atom_index;       /* by text: the number of the atom */
    VEC(atom) atoms;             /* all words */
    VEC(symbol) symbols;         /* of all open scopes, the innermost last */
    VEC(scope) scopes;           /* open ones, the innermost last */
    VEC(pending) pendings;       /* labels of all open scopes */
    VEC(ptx_operand *) declared; /* operands that name what was only declared; they get the definition at the end */

    /* the function that is read */
    ptx_function *function;                           /* where it goes */
    VEC(ptx_item) items;                              /* of its body so far */
    VEC(ptx_register) registers;                      /* of all its scopes so far */
    uint64_t all_registers;                           /* of all functions so far */
    uint32_t source_file, source_line, source_column; /* of the last .loc; 0: none */
    uint32_t caller_file, caller_line;                /* of the outermost call that the last .loc is inlined into */
    inlining inlined[RECENT_INLININGS];               /* the last ones, as a ring buffer */
    uint32_t inlinings;                               /* all so far */

    /* buffers that are reused */
    VEC(ptx_operand) operands; /* a stack: those of inner lists are on top */
    VEC(const char *) words;   /* modifiers of an instruction */
    VEC(ptx_value) values;     /* of an initializer */
    uint64_t padding;          /* zeros that the initializer's short rows were filled up with */
    text buffer;               /* tokens that are kept as written */

    /* the module */
    VEC(ptx_var *) vars;           /* so far */
    VEC(ptx_function *) functions; /* so far */
    VEC(ptx_file) files;           /* so far */
    VEC(int32_t) order;            /* as in ptx_module */
} parser;

#endif
