// ways_out.cu: regions that some lanes leave by break, continue or return, and who runs together in them, for the tests.
//   nvcc -arch=sm_90 -ptx ways_out.cu
//   nvcc -arch=sm_90 -G -ptx ways_out.cu -o ways_out.g.ptx
// A lane writes down where it is and who is with it; what it does next are bits of a number of its own, which changes
// with each note.
enum { NOTES = 48, LIMIT = 36 };
#define NOTE(point) { \
  unsigned mask; \
  asm volatile("activemask.b32 %0;" : "=r"(mask)); \
  asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" :: "l"(log + 64 * n), "r"(point), "r"(mask) : "memory"); \
  n += n < NOTES - 1; \
  bits = bits * 0x9e3779b1u + (point) * 0x85ebca6bu; \
  bits ^= bits >> 15; \
  bits *= 0x2c1b3c6du; \
  bits ^= bits >> 13; \
}
#define KERNEL(name) extern "C" __global__ void name(unsigned *log) { \
  unsigned n = 0, bits = (threadIdx.x + 1) * 0xc2b2ae35u; \
  log += 2 * threadIdx.x; \
  NOTE(1)
#define IF(bit) if (bits >> (bit) & 1)
#define GOES_ON (bits >> 20 & (n < LIMIT))
#define IS_OVER ((bits >> 20 & bits >> 21 & 1) | (n >= LIMIT))

KERNEL(break_in_if)
  do {
    NOTE(2);
    IF(8) { NOTE(3); IF(9) break; NOTE(4); }
    NOTE(5);
  } while (GOES_ON);
  NOTE(6);
}
KERNEL(continue_in_if)
  do {
    NOTE(2);
    IF(8) { NOTE(3); IF(9) continue; NOTE(4); }
    NOTE(5);
  } while (GOES_ON);
  NOTE(6);
}
KERNEL(return_in_if)
  IF(7) {
    NOTE(2);
    IF(8) { NOTE(3); IF(9) { NOTE(4); return; } NOTE(5); }
    NOTE(6);
  }
  NOTE(7);
}
KERNEL(breaks_in_both)
  do {
    NOTE(2);
    IF(8) { NOTE(3); IF(9) { NOTE(4); break; } NOTE(5); }
    else { NOTE(6); IF(10) { NOTE(7); break; } NOTE(8); }
    NOTE(9);
  } while (GOES_ON);
  NOTE(10);
}
KERNEL(code_at_the_break)
  do {
    NOTE(2);
    IF(11) { NOTE(3); }
    NOTE(4);
    IF(9) { NOTE(5); NOTE(6); break; }
    NOTE(7);
  } while (GOES_ON);
  NOTE(8);
}
KERNEL(return_in_do)
  IF(7) {
    NOTE(2);
    do {
      NOTE(3);
      IF(8) { NOTE(4); IF(9) { NOTE(5); return; } NOTE(6); }
      NOTE(7);
    } while (GOES_ON);
    NOTE(8);
  }
  NOTE(9);
}
KERNEL(return_in_while)
  IF(7) {
    NOTE(2);
    while (GOES_ON) {
      NOTE(3);
      IF(9) { NOTE(4); return; }
      NOTE(5);
    }
    NOTE(6);
  }
  NOTE(7);
}
KERNEL(return_in_for)
  IF(7) {
    NOTE(2);
    for (;;) {
      NOTE(3);
      IF(9) { NOTE(4); return; }
      NOTE(5);
      if (IS_OVER) break;
      NOTE(6);
    }
    NOTE(7);
  }
  NOTE(8);
}
KERNEL(loop_in_loop)
  do {
    NOTE(2);
    do {
      NOTE(3);
      IF(8) { NOTE(4); IF(9) break; NOTE(5); }
      NOTE(6);
    } while (GOES_ON);
    NOTE(7);
    IF(10) { NOTE(8); IF(11) continue; NOTE(9); IF(12) break; NOTE(10); }
    NOTE(11);
  } while (GOES_ON);
  NOTE(12);
}
KERNEL(short_circuit)
  for (;;) {
    NOTE(2);
    if ((bits >> 8 & 1) && (bits >> 9 & 1)) { NOTE(3); }
    else { NOTE(4); if ((bits >> 10 & 1) || (bits >> 11 & 1)) { NOTE(5); continue; } }
    NOTE(6);
    if (IS_OVER) break;
    NOTE(7);
  }
  NOTE(8);
}
