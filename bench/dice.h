/* The generator of engine/rng.py, for the twins in C. */
#include <stdint.h>

static uint64_t x;
static uint64_t bits(void) {
    uint64_t z = (x += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
static int below(int n) { return (int)((bits() >> 32) * (uint64_t)n >> 32); }
static double unit(void) { return (double)(bits() >> 11) * 0x1p-53; }
