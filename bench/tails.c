/* TAILS, the uniformly random playout loop by hand: the yardstick for the compiled rules.
   Same work as engine/playout.py: every decision lists its options, every draw its odds.
   cc -O3 -march=native -o tails tails.c -lm; tails SEATS GAMES prints steps, seconds, generator. */
#include <math.h>
#include <string.h>
#include "dice.h"

enum { FIRST, CELL, TILE, ROTATION, PASS, OVER, CELLS = 54, KINDS = 7, BODIES = 18, ROWS = 6 };
enum { LAY = CELLS, ACT_PASS = LAY + 3 };
static const int ROTATIONS[KINDS] = {1, 1, 1, 3, 3, 3, 3};
static const int SIDES[5] = {0, 0, 2, 3, 2};
static int ROW[CELLS], X[CELLS], TWIN[CELLS], SECTOR[CELLS];
static int64_t FOREIGN[3], SECTOR_MASK[6];

typedef struct {
    int64_t free;
    int8_t node, seats, turn, cell, forced, kind, last, count, stock[KINDS], laid[CELLS];
} State;

/* -- the hexagon ----------------------------------------------------------------------------- */

static int half_width(int row) { return 3 + (row < ROWS - 1 - row ? row : ROWS - 1 - row); }
static int cell_at(int row, int x) {
    for (int c = 0; c < CELLS; c++) if (ROW[c] == row && X[c] == x) return c;
    return -1;
}
static int points_up(int c) { return (ROW[c] + X[c]) & 1; }
static int beside(int c, int side) {
    int turn = points_up(c) ? 1 : -1;
    return side == 1 ? cell_at(ROW[c] + turn, X[c])
                     : cell_at(ROW[c], X[c] + (side == 0 ? turn : -turn));
}
static double clock_of(double x, double y) {
    double degrees = atan2(-y, -x) * 180 / acos(-1);
    return degrees < 0 ? degrees + 360 : degrees;
}
static void corner(int c, int k, double *x, double *y) {
    int up = points_up(c);
    double across[3] = {0, up ? 1 : -1, up ? -1 : 1};
    *x = (X[c] + across[k % 3]) / 2;
    *y = (ROW[c] - 3 + (k % 3 == 0 ? !up : up)) * sqrt(3) / 2;
}
static void prepare(int seats) {
    int n = 0, cells[BODIES], edges = 0, owner = BODIES / SIDES[seats];
    double angles[BODIES];
    for (int row = 0; row < ROWS; row++)
        for (int x = -half_width(row); x <= half_width(row); x++) { ROW[n] = row; X[n++] = x; }
    for (int c = 0; c < CELLS; c++) {
        double mx = 0, my = 0;
        TWIN[c] = cell_at(ROWS - 1 - ROW[c], -X[c]);
        for (int side = 0; side < 3; side++) {
            double ax, ay, bx, by;
            corner(c, side, &ax, &ay);
            corner(c, side + 1, &bx, &by);
            mx += ax / 3;
            my += ay / 3;
            if (beside(c, side) >= 0) continue;
            double angle = clock_of((ax + bx) / 2, (ay + by) / 2);
            int at = edges++;
            for (; at > 0 && angles[at - 1] > angle; at--) {
                angles[at] = angles[at - 1];
                cells[at] = cells[at - 1];
            }
            angles[at] = angle;
            cells[at] = c;
        }
        SECTOR[c] = (int)(clock_of(mx, my) / 60);
        SECTOR_MASK[SECTOR[c]] |= (int64_t)1 << c;
    }
    for (int body = 0; body < BODIES; body++)
        for (int side = 0; side < SIDES[seats]; side++)
            if (body / owner != side) FOREIGN[side] |= (int64_t)1 << cells[body];
}

/* -- the rules ------------------------------------------------------------------------------- */

static int actor(const State *s) {
    if (s->node == TILE || s->node == FIRST) return -1;
    return s->node == OVER ? -2 : s->turn;
}
static int64_t choosable(const State *s, int seat) {
    int64_t cells = s->free & ~FOREIGN[seat % SIDES[s->seats]];
    if (s->seats != 3 || s->last < 0) return cells;
    int64_t sector = SECTOR_MASK[SECTOR[s->last]];
    return cells & ~sector ? cells & ~sector : cells;
}
static int legal(const State *s, int seat, int64_t *out) {
    int n = 0;
    if (s->node == PASS) { out[0] = ACT_PASS; return 1; }
    if (s->node == CELL) {
        for (int64_t cells = choosable(s, seat); cells; cells &= cells - 1)
            out[n++] = __builtin_ctzll((uint64_t)cells);
        return n;
    }
    for (; n < ROTATIONS[s->kind]; n++) out[n] = LAY + n;
    return n;
}
static int chance(const State *s, int64_t *out, double *p) {
    int n = 0, left = 0;
    if (s->node == FIRST) {
        for (; n < s->seats; n++) { out[n] = n; p[n] = 1.0 / s->seats; }
        return n;
    }
    for (int k = 0; k < KINDS; k++) left += s->stock[k];
    double share = 1.0 / left;
    for (int k = 0; k < KINDS; k++)
        if (s->stock[k] > 0) { out[n] = k; p[n++] = s->stock[k] * share; }
    return n;
}
static void name(State *s, int cell, int forced) {
    s->cell = (int8_t)cell;
    s->forced = (int8_t)forced;
    s->node = TILE;
}
static void pass_on(State *s) {
    s->turn = (s->turn + 1) % s->seats;
    s->node = choosable(s, s->turn) ? CELL : PASS;
}
static void lay(State *s, int rotation) {
    int twin = s->seats == 3 || s->forced ? -1 : TWIN[s->cell];
    s->laid[s->cell] = (int8_t)(3 * s->kind + rotation);
    s->free &= ~((int64_t)1 << s->cell);
    s->count++;
    s->last = s->cell;
    s->cell = s->kind = -1;
    s->forced = 0;
    if (s->count == CELLS) s->node = OVER;
    else if (twin >= 0) { s->turn = (s->turn + 1) % s->seats; name(s, twin, 1); }
    else if (s->seats == 3) pass_on(s);
    else s->node = CELL;
}
static void apply(State *s, int seat, int a) {
    (void)seat;
    if (s->node == CELL) name(s, a, 0);
    else if (s->node == TILE) { s->stock[a]--; s->kind = (int8_t)a; s->node = ROTATION; }
    else if (s->node == ROTATION) lay(s, a - LAY);
    else if (s->node == FIRST) { s->turn = (int8_t)a; s->node = CELL; }
    else pass_on(s);
}

static State begin(int seats) {
    State s = {.free = ((int64_t)1 << CELLS) - 1, .seats = (int8_t)seats};
    s.cell = s.kind = s.last = -1;
    memset(s.stock, 8, sizeof s.stock);
    memset(s.laid, -1, sizeof s.laid);
    return s;
}

enum { OPTIONS = CELLS + 1, OUTCOMES = KINDS };
#include "loop.h"
