/* The loop of engine/playout.py, for the twins in C, which include it after their rules.
   A twin has State, OPTIONS, OUTCOMES, prepare, begin, actor, legal, chance and apply. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    int seats = argc > 1 ? atoi(argv[1]) : 2, games = argc > 2 ? atoi(argv[2]) : 10000;
    int64_t out[OPTIONS], steps = 0;
    double p[OUTCOMES];
    struct timespec a, b;
    x = 1;
    prepare(seats);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int g = 0; g < games; g++) {
        State s = begin(seats);
        for (int who; (who = actor(&s)) != -2; steps++) {
            int k = 0;
            if (who == -1) {
                int n = chance(&s, out, p);
                double u = unit();
                while (k < n - 1 && (u -= p[k]) >= 0) k++;
            } else k = below(legal(&s, who, out));
            apply(&s, who, (int)out[k]);
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    printf("%lld %.6f %llu\n", (long long)steps, seconds, (unsigned long long)x);
    return 0;
}
