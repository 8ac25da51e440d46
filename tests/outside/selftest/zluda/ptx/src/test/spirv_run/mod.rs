// A few tests in the form of ZLUDA's, of which one is right and the others are not, each in another way.
macro_rules! test_ptx { ($name:ident, $input:expr, $output:expr) => {}; }

test_ptx!(double_it, [0x01_02u32, 3], [516u32]);
test_ptx!(double_it, [1.5f32], [3f32]); // 1.5 is 0x3fc00000, and twice that is no float 3
// test_ptx!(not_there, [1u32], [1u32]);
test_ptx_warp!(
    write_lane,
    [
        0u16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
        27, 28, 29, 30, half::f16::from_bits(31).to_bits()
    ]
);
test_ptx!(past_end, [7u32], [-(-7)]);
test_ptx!(unreadable, [1u8], [1u8]);
test_ptx!(double_it, [not::known], [1u32]);
test_ptx!(only_read);
