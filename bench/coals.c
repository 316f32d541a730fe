/* COALS, the uniformly random playout loop by hand: the yardstick for the compiled rules.
   Same work as engine/playout.py: every decision lists its options, every draw its odds. */
#include <string.h>
#include "dice.h"

enum { FIRST, BET, PULL, COAL, OVER, KINDS = 7, DEVIL = 6, SEATS = 6, ACT_PULL = 160, ACT_STOP };
static const int16_t VALUE[KINDS] = {100, 75, 50, 25, 20, 10, 0};
static const int8_t FULL[KINDS] = {2, 3, 7, 9, 9, 9, 9};
static const int16_t MARK[6] = {200, 300, 500, 800, 1200, 1600};

typedef struct {
    int8_t node, seats, turn, first, rounds, mouth;
    int8_t furnace[KINDS], front[SEATS][KINDS], busted[SEATS], pact[SEATS], space[SEATS];
    int8_t pieces[SEATS];
    int16_t coal[SEATS];
    int32_t stake[SEATS], chips[SEATS], purse[SEATS], gain[SEATS];
} State;

static int left(const State *s) {
    int n = 0;
    for (int k = 0; k < KINDS; k++) n += s->furnace[k];
    return n;
}
static int space_of(int total) {
    if (total <= 50) return 0;
    for (int i = 0; i < 6; i++) {
        if (total == MARK[i] || (MARK[i] == 1600 && total >= 1600)) return 2 * i + 2;
        if (total < MARK[i]) return 2 * i + 1;
    }
    return 0;
}
static int actor(const State *s) {
    if (s->node == PULL) return s->turn;
    if (s->node == COAL || s->node == FIRST) return -1;
    if (s->node == OVER) return -2;
    for (int i = 0; i < s->seats; i++) if (s->stake[i] == -1) return i;
    return -2;
}
static int legal(const State *s, int seat, int64_t *out) {
    int low = 0, n = s->chips[seat] / 10 + 1;
    if (s->node == PULL) { low = ACT_PULL; n = s->pieces[seat] ? 2 : 1; }
    for (int k = 0; k < n; k++) out[k] = low + k;
    return n;
}
static int chance(const State *s, int64_t *out, double *p) {
    if (s->node == FIRST) {
        for (int i = 0; i < s->seats; i++) { out[i] = i; p[i] = 1.0 / s->seats; }
        return s->seats;
    }
    double share = 1.0 / left(s);
    int n = 0;
    for (int k = 0; k < KINDS; k++)
        if (s->furnace[k] > 0) { out[n] = k; p[n++] = s->furnace[k] * share; }
    return n;
}
static void settle(State *s) {
    int best = 0, most = 0, highest = 0, done = s->rounds == 100, n = s->seats;
    for (int i = 0; i < n; i++) {
        if (s->coal[i] > best) best = s->coal[i];
        if (s->pieces[i] > most) most = s->pieces[i];
        if (s->stake[i] > highest) highest = s->stake[i];
    }
    for (int i = 0; i < n; i++) {
        int won = s->stake[i] > best ? 0 : s->stake[i] * (s->stake[i] == highest ? 3 : 2);
        if (s->pieces[i]) won += 50 * (s->coal[i] == best) + 50 * (s->pieces[i] == most);
        s->gain[i] = won - s->stake[i];
        s->chips[i] += won;
        s->stake[i] = -1;
        s->space[i] = space_of(s->chips[i]);
        done |= s->chips[i] >= 1600;
    }
    if (done) { s->node = OVER; return; }
    int last = s->space[0], alone = 0;
    for (int i = 0; i < n; i++) if (s->space[i] < last) last = s->space[i];
    for (int i = 0; i < n; i++) alone += s->space[i] == last;
    for (int i = 0; i < n; i++) s->pact[i] = s->space[i] == last && (alone == 1 || last == 0);
    if (left(s) <= s->mouth) memcpy(s->furnace, FULL, KINDS);
    memset(s->front, 0, sizeof s->front);
    memset(s->busted, 0, sizeof s->busted);
    memset(s->coal, 0, sizeof s->coal);
    memset(s->pieces, 0, sizeof s->pieces);
    s->rounds++;
    s->first = (s->first + 1) % n;
    s->node = BET;
}
static void pass_on(State *s) {
    s->turn = (s->turn + 1) % s->seats;
    if (s->turn == s->first) settle(s);
}
static void turn_piece(State *s, int kind) {
    int t = s->turn;
    s->furnace[kind]--;
    s->node = PULL;
    if (kind == DEVIL) {
        s->busted[t] = 1;
        s->coal[t] = s->pieces[t] = 0;
        memset(s->front[t], 0, KINDS);
        for (int i = 1; i < s->seats; i++) {
            int o = (t + i) % s->seats;
            if (!s->pact[o]) continue;
            if (s->purse[t] >= 50) { s->purse[t] -= 50; s->chips[t] -= 50; }
            s->chips[o] += 50;
        }
    } else {
        s->front[t][kind]++;
        s->pieces[t]++;
        s->coal[t] += VALUE[kind];
    }
    if (left(s) == 0) settle(s);
    else if (kind == DEVIL) pass_on(s);
}
static void apply(State *s, int seat, int a) {
    if (s->node == BET) {
        s->stake[seat] = a * 10;
        if (actor(s) >= 0) return;
        for (int i = 0; i < s->seats; i++) s->purse[i] = s->chips[i] -= s->stake[i];
        s->turn = s->first;
        s->node = PULL;
    } else if (s->node == COAL) turn_piece(s, a);
    else if (s->node == FIRST) { s->first = (int8_t)a; s->node = BET; }
    else if (a == ACT_PULL) s->node = COAL;
    else pass_on(s);
}

static void prepare(int seats) { (void)seats; }
static State begin(int seats) {
    State s = {.seats = (int8_t)seats, .rounds = 1, .mouth = 20};
    memcpy(s.furnace, FULL, KINDS);
    for (int i = 0; i < SEATS; i++) s.stake[i] = -1;
    for (int i = 0; i < seats; i++) { s.chips[i] = 200; s.space[i] = 2; }
    return s;
}

enum { OPTIONS = 162, OUTCOMES = KINDS };
#include "loop.h"
