#include "support/float_case.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

#define X(name, bits) {#name, FLOAT_##name, bits},
static const struct {
    const char *name;
    float_type type;
    int bits;
} types[] = {FLOAT_TYPE_TABLE(X){"f16x2", FLOAT_f16, 16}, {"bf16x2", FLOAT_bf16, 16}};
#undef X

static const struct {
    const char *name;
    int operands;
} opcodes[] = {
    {"add", 2},   {"sub", 2}, {"mul", 2}, {"fma", 3},  {"div", 2}, {"rcp", 1},   {"sqrt", 1},
    {"rsqrt", 1}, {"sin", 1}, {"cos", 1}, {"lg2", 1},  {"ex2", 1}, {"tanh", 1},  {"abs", 1},
    {"neg", 1},   {"min", 2}, {"max", 2}, {"setp", 2}, {"cvt", 1}, {"testp", 1}, {"copysign", 2},
};

static const struct {
    const char *name;
    float_round round;
    bool integral;
} roundings[] = {
    {"rn", FLOAT_RN, false}, {"rz", FLOAT_RZ, false},   {"rm", FLOAT_RM, false},
    {"rp", FLOAT_RP, false}, {"rna", FLOAT_RNA, false}, {"rni", FLOAT_RN, true},
    {"rzi", FLOAT_RZ, true}, {"rmi", FLOAT_RM, true},   {"rpi", FLOAT_RP, true},
};

static bool take_type(float_case *c, const char *word, int *seen)
{
    for (size_t i = 0; i < COUNT(types); i++) {
        if (strcmp(types[i].name, word))
            continue;
        if ((*seen)++ == 0) {
            c->to = types[i].type;
            c->packed = i >= FLOAT_TYPES;
        }
        c->from = types[i].type;
        return true;
    }
    return false;
}

static bool take_modifier(float_case *c, const char *word, int *types_seen)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"ftz", &c->mode.ftz},     {"sat", &c->mode.sat},         {"relu", &c->mode.relu}, {"NaN", &c->mode.nan},
        {"abs", &c->mode.xorsign}, {"xorsign", &c->mode.xorsign}, {"approx", &c->approx},  {"full", &c->full},
    };
    for (size_t i = 0; i < COUNT(flags); i++)
        if (!strcmp(flags[i].name, word))
            return *flags[i].flag = true;
    for (size_t i = 0; i < COUNT(roundings); i++)
        if (!strcmp(roundings[i].name, word)) {
            c->mode.round = roundings[i].round;
            c->mode.integral = roundings[i].integral;
            return true;
        }
    return take_type(c, word, types_seen);
}

bool float_case_parse(const char *name, float_case *c)
{
    char words[sizeof c->name], *rest = words;
    *c = (float_case){0};
    if (strlen(name) >= sizeof words)
        return false;
    strcpy(c->name, name);
    strcpy(words, name);
    const char *opcode = strtok_r(rest, ".", &rest);
    for (size_t i = 0; opcode && i < COUNT(opcodes); i++)
        if (!strcmp(opcodes[i].name, opcode)) {
            c->operands = opcodes[i].operands;
            strcpy(c->opcode, opcode);
        }
    int types_seen = 0;
    for (const char *word; (word = strtok_r(rest, ".", &rest));)
        if (!take_modifier(c, word, &types_seen))
            return false;
    bool is_cvt = !strcmp(c->opcode, "cvt");
    if (is_cvt && c->packed)
        c->operands = 2;
    return c->operands && types_seen == 1 + is_cvt;
}

int float_case_bits(const float_case *c)
{
    if (!strcmp(c->opcode, "setp") || !strcmp(c->opcode, "testp"))
        return 16;
    return types[c->to].bits << c->packed;
}
