// test_sim_calls.c: the emulator on kernels written here: calls, recursion, parameters and aliases; printf and
// assert.
#include "sim_rig.h"

static const char fibonacci[] =
    ".func (.param .b32 r0) fib(.param .b32 a0)\n{ .reg .b32 %a<8>; .reg .pred %q; .param .b32 x; .param .b32 y; "
    ".local .align 4 .b8 keep[4];\n"
    "  ld.param.b32 %a1, [a0]; st.local.u32 [keep], %a1; setp.lt.u32 %q, %a1, 2; @%q bra SMALL;\n"
    "  sub.u32 %a2, %a1, 1; st.param.b32 [x], %a2; call (y), fib, (x); ld.param.b32 %a3, [y];\n"
    "  ld.local.u32 %a4, [keep]; sub.u32 %a4, %a4, 2; st.param.b32 [x], %a4; call (y), fib, (x); ld.param.b32 %a5, "
    "[y]; add.u32 %a3, %a3, %a5; st.param.b32 [r0], %a3; ret;\n"
    "SMALL: st.param.b32 [r0], %a1; ret; }\n";

static void test_recursion(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", fibonacci,
               "  .param .b32 x; .param .b32 y;\n  st.param.b32 [x], %r1; call (y), fib, (x); ld.param.b32 %r2, [y]; "
               "st.global.u32 [%rd3], %r2; ret;");
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "14");
    rig_arg(&rig, "u32[14]=zero");
    rig_run(&rig);
    uint32_t a = 0, b = 1;
    for (int t = 0; t < 14; t++) {
      CHECK_INT(rig_words(&rig, 0)[t], a);
      b += a;
      a = b - a;
    }
    CHECK_INT(rig_faults(&rig), 0);
    rig_free(&rig);
  }
}

static void test_register_parameters(void) {   // as people write them; f swaps its arguments when it calls itself
  Rig rig;
  run_simple(&rig,
             ".func (.reg .u32 %rv, .reg .u64 %rw) f(.reg .u32 %n, .reg .u64 %x, .reg .u64 %y)\n"
             "{ .reg .pred %q; .reg .u32 %m; .reg .u64 %z;\n"
             "  setp.eq.u32 %q, %n, 0; @%q bra D; sub.u32 %m, %n, 1; call (%m, %z), f, (%m, %y, %x); add.u32 %rv, %m, %n; "
             "add.u64 %rw, %z, %x; ret;\nD: mov.u32 %rv, 0; mov.u64 %rw, %y; ret; }\n",
             "  .reg .u64 %big;\n  and.b32 %r2, %r1, 7; cvt.u64.u32 %big, %r1; call (%r4, %rd5), f, (%r2, %big, 1000);\n"
             "  cvt.u32.u64 %r6, %rd5; st.global.u32 [%rd3], %r4; st.global.u32 [%rd3+256], %r6; ret;",
             64, 128);
  for (uint32_t t = 0; t < 64; t++) {
    uint32_t n = t & 7, x = t, y = 1000, sum = n % 2 ? x : y;
    for (uint32_t k = 0; k < n; k++) sum += k % 2 ? y : x;
    CHECK_INT(rig_words(&rig, 0)[t], n * (n + 1) / 2);
    CHECK_INT(rig_words(&rig, 0)[64 + t], sum);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_refused_together(void) {   // everything that cannot be executed, in one message
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0",
             ".func g(.reg .b128 %q)\n{ ret; }\n.func h()\n{ .reg .u32 %a; mov.u32 %a, 1; }\n",
             "  call g, (%p1); call h; txq.channel_order.b32 %r2, [%rd1];\n"
             "P: .callprototype _ (.param .b32 _);\n  call %rd1, (), P; ret;");
  rig_arg(&rig, "u32[1]=zero");
  CHECK(!rig_make(&rig));
  CHECK_INT(rig.err.kind, LS_EUNSUPPORTED);
  CHECK(strstr(rig.err.message, "line 4: g takes 128 bits in a register") != NULL);
  CHECK(strstr(rig.err.message, "line 13: txq.channel_order") != NULL);
  CHECK(strstr(rig.err.message, "with other arguments or results than its .callprototype has") != NULL);
  rig_free(&rig);
}

static void test_indirect_calls(void) {
  Rig rig;
  run_simple(&rig,
             ".func (.param .b32 r0) one(.param .b32 a0)\n{ .reg .b32 %a; ld.param.b32 %a, [a0]; add.u32 %a, %a, 100; "
             "st.param.b32 [r0], %a; ret; }\n"
             ".func (.param .b32 r1) two(.param .b32 a1)\n{ .reg .b32 %a; ld.param.b32 %a, [a1]; mul.lo.u32 %a, %a, 3; "
             "st.param.b32 [r1], %a; ret; }\n",
             "  .param .b32 x; .param .b32 y;\n  mov.u64 %rd4, one; mov.u64 %rd5, two; and.b32 %r2, %r1, 1; "
             "setp.eq.u32 %p1, %r2, 0; selp.b64 %rd6, %rd4, %rd5, %p1;\n"
             "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n  st.param.b32 [x], %r1; call (y), %rd6, (x), P; "
             "ld.param.b32 %r3, [y]; st.global.u32 [%rd3], %r3; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t % 2 ? t * 3 : t + 100);
  CHECK(saw_mask(&rig, 0xffffffff));
  rig_free(&rig);
}

// Another name of a function, declared and called before it is told whose: by name, through a table, from a list of targets.
static void test_aliases(void) {
  Rig rig;
  run_simple(&rig,
             ".visible .func (.param .b32 r0) other(.param .b32 a0);\n"
             ".visible .func (.param .b32 r1) one(.param .b32 a1)\n{ .reg .b32 %a; ld.param.b32 %a, [a1]; add.u32 %a, %a, 100; "
             "st.param.b32 [r1], %a; ret; }\n.alias other, one;\n.global .align 8 .u64 table[1] = {other};\n",
             "  .param .b32 x; .param .b32 y;\n  st.param.b32 [x], %r1; call (y), other, (x); ld.param.b32 %r2, [y];\n"
             "  ld.global.u64 %rd4, [table]; st.param.b32 [x], %r2;\n"
             "P: .callprototype (.param .b32 _) _ (.param .b32 _) .abi_preserve 8;\n  call (y), %rd4, (x), P; ld.param.b32 %r2, "
             "[y];\nT: .calltargets other, one;\n  mov.u64 %rd4, other; st.param.b32 [x], %r2; call (y), %rd4, (x), T; "
             "ld.param.b32 %r3, [y]; st.global.u32 [%rd3], %r3; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t + 300);
  rig_free(&rig);
}

static void test_printf(void) {
  Rig rig;
  run_simple(&rig,
             ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
             ".global .align 1 .b8 text[32] = {37, 100, 58, 37, 48, 53, 46, 49, 102, 37, 99, 37, 115, 37, 37, 37, 108, "
             "108, 120, 10, 0};\n.global .align 1 .b8 word[4] = {111, 107, 0};\n",
             "  .local .align 8 .b8 args[40]; .param .b64 x; .param .b64 y; .param .b32 z;\n  mov.u64 %rd4, args; "
             "cvta.local.u64 %rd5, %rd4; sub.u32 %r2, %r1, 1; st.local.u32 [args], %r2;\n"
             "  cvt.rn.f64.u32 %fd1, %r1; st.local.f64 [args+8], %fd1; st.local.u32 [args+16], 65; mov.u64 %rd6, word; "
             "st.local.u64 [args+24], %rd6; mov.u64 %rd7, 0xabcdef012345; st.local.u64 [args+32], %rd7;\n"
             "  mov.u64 %rd8, text; st.param.b64 [x], %rd8; st.param.b64 [y], %rd5; call (z), vprintf, (x, y); ret;",
             2, 2);
  CHECK_STR(sim_output(rig.sim), "-1:000.0Aok%abcdef012345\n0:001.0Aok%abcdef012345\n");
  int calls = 0;
  for (int i = 0; i < rig.count; i++) {
    if (rig.events[i].e.kind != TRACE_CALL) continue;
    CHECK_INT(rig.events[i].e.target, -1);   // the module has no code of it
    calls++;
  }
  CHECK_INT(calls, 1);
  rig_free(&rig);
}

static void test_assert(void) {
  expect_fault(
      FAULT_ASSERT,
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
      ".global .align 1 .b8 what[6] = {105, 60, 110, 0}; .global .align 1 .b8 func[2] = {102, 0};\n",
      "  .param .b64 x; .param .b64 y; .param .b32 l; .param .b64 z; .param .b64 n;\n  setp.lt.u32 %p1, %r1, 3; @%p1 "
      "ret; mov.u64 %rd4, what; mov.u64 %rd5, func;\n"
      "  st.param.b64 [x], %rd4; st.param.b64 [y], %rd4; st.param.b32 [l], 7; st.param.b64 [z], %rd5; st.param.b64 "
      "[n], 1; call __assertfail, (x, y, l, z, n);",
      8, "thread (3,0,0) of block (0,0,0): the assertion 'i<n' failed in f", SIM_ITS);
}

// Functions of libdevice are known by name and parameters, with nobody to link them. Exact arguments have exact
// results.
static void test_libdevice(void) {
  Rig rig;
  run_simple(&rig,
             ".extern .func (.param .b32 r) __nv_exp2f(.param .b32 a);\n.extern .func (.param .b64 r) __nv_pow(.param .b64 a, .param .b64 b);\n"
             ".extern .func (.param .b32 r) __nv_hypotf(.param .b32 a, .param .b32 b);\n"
             ".extern .func (.param .b64 r) __nv_norm4d(.param .b64 a, .param .b64 b, .param .b64 c, .param .b64 d);\n"
             ".extern .func (.param .b32 r) __nv_jnf(.param .b32 n, .param .b32 a);\n",
             "  .param .b32 x; .param .b32 y; .param .b32 z; .param .b64 u; .param .b64 v; .param .b64 w;\n"
             "  cvt.rn.f32.u32 %f1, %r1; cvt.rn.f64.u32 %fd1, %r1; mov.f64 %fd2, 0d4008000000000000; mov.f32 %f2, 0f40800000;\n"
             "  st.param.f32 [x], %f1; call (y), __nv_exp2f, (x); ld.param.f32 %f3, [y]; cvt.rzi.u32.f32 %r2, %f3; st.global.u32 [%rd3], %r2;\n"
             "  st.param.f64 [u], %fd1; st.param.f64 [v], %fd2; call (w), __nv_pow, (u, v); ld.param.f64 %fd3, [w]; cvt.rzi.u32.f64 %r2, %fd3;\n"
             "  st.global.u32 [%rd3+64], %r2;\n"
             "  mul.f32 %f3, %f1, 0f40400000; mul.f32 %f4, %f1, 0f40800000; st.param.f32 [x], %f3; st.param.f32 [z], %f4;\n"
             "  call (y), __nv_hypotf, (x, z); ld.param.f32 %f3, [y]; cvt.rzi.u32.f32 %r2, %f3; st.global.u32 [%rd3+128], %r2;\n"
             "  call (w), __nv_norm4d, (u, u, u, u); ld.param.f64 %fd3, [w]; cvt.rzi.u32.f64 %r2, %fd3; st.global.u32 [%rd3+192], %r2;\n"
             "  st.param.b32 [x], 0; st.param.b32 [z], 0; call (y), __nv_jnf, (x, z); ld.param.f32 %f3, [y]; cvt.rzi.u32.f32 %r2, %f3;\n"
             "  st.global.u32 [%rd3+256], %r2; ret;",
             16, 80);
  for (uint32_t t = 0; t < 16; t++) {
    const uint32_t expected[] = {1u << t, t * t * t, 5 * t, 2 * t, 1};   // J0(0) is 1
    for (int i = 0; i < 5; i++) CHECK_INT(rig_words(&rig, 0)[i * 16 + (int)t], expected[i]);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

// Predicates as parameters and results, also through calls of itself, which keep a register of 128 bits.
static void test_predicates(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0",
               ".func (.reg .pred %odd, .reg .b64 %kept) odd(.reg .b32 %n, .reg .pred %is)\n"
               "{ .reg .b32 %m; .reg .pred %q, %z; .reg .b64 %w, %x; .reg .b128 %all;\n"
               "  cvt.u64.u32 %w, %n; mov.b128 %all, {%w, %w}; setp.eq.u32 %z, %n, 0; @%z bra END;\n"
               "  sub.u32 %m, %n, 1; not.pred %q, %is; call (%odd, %x), odd, (%m, %q);\n"
               "  mov.b128 {%w, %kept}, %all; add.u64 %kept, %kept, %x; ret;\n"
               "END: mov.pred %odd, %is; mov.b128 {%kept, _}, %all; ret; }\n",
               "  setp.ge.u32 %p1, %r1, 32; call (%p2, %rd4), odd, (%r1, %p1); selp.u32 %r2, 1, 0, %p2;\n"
               "  cvt.u32.u64 %r3, %rd4; mad.lo.u32 %r2, %r3, 2, %r2; st.global.u32 [%rd3], %r2; ret;");
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "40");
    rig_arg(&rig, "u32[40]=zero");
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 0);
    for (int t = 0; t < 40; t++) CHECK_INT(rig_words(&rig, 0)[t], t * (t + 1) + (t % 2 != (t >= 32)));
    rig_free(&rig);
  }
}

// Arguments of 4, 8 and 12 bytes, again and again: by all lanes of two warps, by some, and with a caller's own storage in
// between; recorded, and with nobody who looks on.
static void test_storage(void) {
  enum { THREADS = 40, ROUNDS = 12 };
  for (int how = 0; how < 3; how++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0",
               ".func (.param .b64 r0) f(.param .b32 a0, .param .b64 a1, .param .align 4 .b8 a2[12])\n"
               "{ .reg .b32 %n, %x, %y, %z; .reg .b64 %w, %v; ld.param.b32 %n, [a0]; ld.param.b64 %w, [a1];\n"
               "  ld.param.b32 %x, [a2]; ld.param.b32 %y, [a2+4]; ld.param.b32 %z, [a2+8]; add.u32 %x, %x, %y;\n"
               "  add.u32 %x, %x, %z; mad.lo.u32 %n, %n, 3, %x; cvt.u64.u32 %v, %n; add.u64 %w, %w, %v;\n"
               "  st.param.b64 [r0], %w; ret; }\n",
               "  .param .b32 a; .param .b64 b; .param .align 4 .b8 c[12]; .param .b64 r;\n"
               "  mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u64 %rd4, 0;\n"
               "L: and.b32 %r4, %r2, 3; shl.b32 %r5, %r4, 2; shr.u32 %r5, %r1, %r5; and.b32 %r5, %r5, 1;\n"
               "  setp.ne.u32 %p1, %r5, 0; @%p1 bra N; st.param.b32 [a], %r1; st.param.b64 [b], %rd4;\n"
               "  st.param.b32 [c], %r2; st.param.b32 [c+4], %r1; st.param.b32 [c+8], 5;\n"
               "  call (r), f, (a, b, c); ld.param.b64 %rd4, [r];\n"
               "N: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 12; @%p2 bra L;\n"
               "  cvt.u32.u64 %r6, %rd4; st.global.u32 [%rd3], %r6; ret;");
    rig.options.record_all = how == 0;
    if (how) rig.sink.event = NULL;
    if (how == 2) { rig.sink.access = NULL; rig.options.checks = 0; }
    rig_size(&rig, "1", "40");
    rig_arg(&rig, "u32[40]=zero");
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 0);
    for (uint32_t t = 0; t < THREADS; t++) {
      uint32_t sum = 0;
      for (uint32_t round = 0; round < ROUNDS; round++)
        if (!(t >> (round & 3) * 4 & 1)) sum += t * 3 + round + t + 5;
      CHECK_INT(rig_words(&rig, 0)[t], sum);
    }
    rig_free(&rig);
  }
}

// With other parameters it is somebody else's function, and nobody wrote it.
static void test_not_libdevice(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", ".extern .func (.param .b32 r) __nv_sinf(.param .b64 a);\n",
             "  .param .b64 x; .param .b32 y; call (y), __nv_sinf, (x); ret;");
  rig_arg(&rig, "u32[1]=zero");
  CHECK(!rig_make(&rig));
  CHECK(strstr(rig.err.message, "a function that is only declared: __nv_sinf has no body") != NULL);
  rig_free(&rig);
}

static const Check checks[] = {
    {"recursion", test_recursion},
    {"parameters in registers", test_register_parameters},
    {"predicates", test_predicates},
    {"storage of arguments", test_storage},
    {"refused together", test_refused_together},
    {"indirect calls", test_indirect_calls},
    {"aliases", test_aliases},
    {"printf", test_printf},
    {"assert", test_assert},
    {"functions of libdevice", test_libdevice},
    {"a name of libdevice with other parameters", test_not_libdevice},
};

int main(int argc, char **argv) { return check_main("sim_calls", checks, LS_COUNT(checks), argc, argv); }
