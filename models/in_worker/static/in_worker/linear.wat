;; Products of rows with a matrix of 4 or 8 bits per number, y = x Wᵀ, for linear.js. JavaScript itself has no SIMD.
;; `make wasm` assembles this file into linear.wasm, which the page takes.
;;
;; W has `out` rows of `blocks` blocks. A block is 32 numbers, as GGUF stores them:
;;   8 bits: d in float16, then 32 whole numbers n in int8:             w = d n
;;   4 bits: d and m in float16, then 32 whole numbers n from 0 to 15:  w = d n + m; byte e has n of e and of e + 16
;; x is rounded to whole numbers of 16 bits, too, with one step per block: x ≈ s q, where the step s is the largest |x|
;; of the block divided by 32767. Then Σ w x = d s Σ n q + m s Σ q, and the sums of n q are whole: they lose nothing.
;; Rows of x come in fours; L does not count the rows that fill up the last four. Addresses are in bytes.
(module
  (memory (export "memory") 1)

  ;; From float16 to float32. The factor 2^112 corrects the exponent, also for numbers below 2^-14.
  (func $half (param $h i32) (result f32)
    (f32.copysign
      (f32.mul
        (f32.reinterpret_i32 (i32.shl (i32.and (local.get $h) (i32.const 0x7fff)) (i32.const 13)))
        (f32.const 0x1p112))
      (f32.reinterpret_i32 (i32.shl (local.get $h) (i32.const 16)))))

  (func $sum (param $v v128) (result f32)
    (local.set $v (f32x4.add (local.get $v) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
    (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v))))

  ;; Round `rows` rows of x (float32) to whole numbers, written to q in int16. For each group of four rows and each
  ;; block, s gets the four steps, and sums gets each row's step times its Σ q.
  (func (export "round") (param $x i32) (param $q i32) (param $s i32) (param $sums i32) (param $rows i32) (param $blocks i32)
    (local $i i32) (local $b i32) (local $e i32) (local $at i32)
    (local $largest v128) (local $per v128) (local $n v128) (local $p v128) (local $total v128) (local $step f32)
    (loop $each_row
      (local.set $b (i32.const 0))
      (loop $each_block
        (local.set $largest (v128.const f32x4 0 0 0 0))
        (local.set $e (i32.const 0))
        (loop $each_four
          (local.set $largest (f32x4.max (local.get $largest)
            (f32x4.abs (v128.load (i32.add (local.get $x) (local.get $e))))))
          (br_if $each_four (i32.lt_u (local.tee $e (i32.add (local.get $e) (i32.const 16))) (i32.const 128))))
        (local.set $step (f32.div
          (f32.max
            (f32.max (f32x4.extract_lane 0 (local.get $largest)) (f32x4.extract_lane 1 (local.get $largest)))
            (f32.max (f32x4.extract_lane 2 (local.get $largest)) (f32x4.extract_lane 3 (local.get $largest))))
          (f32.const 32767)))
        (local.set $per (f32x4.splat (select
          (f32.const 0) (f32.div (f32.const 1) (local.get $step)) (f32.eq (local.get $step) (f32.const 0)))))
        (local.set $total (v128.const i32x4 0 0 0 0))
        (local.set $e (i32.const 0))
        (loop $each_eight
          (local.set $n (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (local.get $per)
            (v128.load (local.get $x))))))
          (local.set $p (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (local.get $per)
            (v128.load offset=16 (local.get $x))))))
          (local.set $total (i32x4.add (local.get $total) (i32x4.add (local.get $n) (local.get $p))))
          (v128.store (local.get $q) (i16x8.narrow_i32x4_s (local.get $n) (local.get $p)))
          (local.set $x (i32.add (local.get $x) (i32.const 32)))
          (local.set $q (i32.add (local.get $q) (i32.const 16)))
          (br_if $each_eight (i32.lt_u (local.tee $e (i32.add (local.get $e) (i32.const 1))) (i32.const 4))))
        ;; place of this row among its four: (row / 4 · blocks + block) · 16 + row % 4 · 4
        (local.set $at (i32.add
          (i32.shl (i32.add (i32.mul (i32.shr_u (local.get $i) (i32.const 2)) (local.get $blocks)) (local.get $b)) (i32.const 4))
          (i32.shl (i32.and (local.get $i) (i32.const 3)) (i32.const 2))))
        (f32.store (i32.add (local.get $s) (local.get $at)) (local.get $step))
        (f32.store (i32.add (local.get $sums) (local.get $at))
          (f32.mul (local.get $step) (call $sum (f32x4.convert_i32x4_s (local.get $total)))))
        (br_if $each_block (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 1))) (local.get $blocks))))
      (br_if $each_row (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $rows)))))

  ;; One row of W: its whole numbers go to `n` in int16, d and m to `dm`, two float32 per block. Returns the address of
  ;; the next row.
  (func $unpack_8 (param $w i32) (param $n i32) (param $dm i32) (param $blocks i32) (result i32)
    (local $v v128)
    (loop $each_block
      (f32.store (local.get $dm) (call $half (i32.load16_u (local.get $w))))
      (f32.store offset=4 (local.get $dm) (f32.const 0))
      (local.set $v (v128.load offset=2 (local.get $w)))
      (v128.store (local.get $n) (i16x8.extend_low_i8x16_s (local.get $v)))
      (v128.store offset=16 (local.get $n) (i16x8.extend_high_i8x16_s (local.get $v)))
      (local.set $v (v128.load offset=18 (local.get $w)))
      (v128.store offset=32 (local.get $n) (i16x8.extend_low_i8x16_s (local.get $v)))
      (v128.store offset=48 (local.get $n) (i16x8.extend_high_i8x16_s (local.get $v)))
      (local.set $w (i32.add (local.get $w) (i32.const 34)))
      (local.set $n (i32.add (local.get $n) (i32.const 64)))
      (local.set $dm (i32.add (local.get $dm) (i32.const 8)))
      (br_if $each_block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))
    (local.get $w))

  (func $unpack_4 (param $w i32) (param $n i32) (param $dm i32) (param $blocks i32) (result i32)
    (local $v v128) (local $low v128)
    (loop $each_block
      (f32.store (local.get $dm) (call $half (i32.load16_u (local.get $w))))
      (f32.store offset=4 (local.get $dm) (call $half (i32.load16_u offset=2 (local.get $w))))
      (local.set $v (v128.load offset=4 (local.get $w)))
      (local.set $low (v128.and (local.get $v) (i8x16.splat (i32.const 15))))
      (local.set $v (i8x16.shr_u (local.get $v) (i32.const 4)))
      (v128.store (local.get $n) (i16x8.extend_low_i8x16_u (local.get $low)))
      (v128.store offset=16 (local.get $n) (i16x8.extend_high_i8x16_u (local.get $low)))
      (v128.store offset=32 (local.get $n) (i16x8.extend_low_i8x16_u (local.get $v)))
      (v128.store offset=48 (local.get $n) (i16x8.extend_high_i8x16_u (local.get $v)))
      (local.set $w (i32.add (local.get $w) (i32.const 20)))
      (local.set $n (i32.add (local.get $n) (i32.const 64)))
      (local.set $dm (i32.add (local.get $dm) (i32.const 8)))
      (br_if $each_block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))
    (local.get $w))

  ;; Σ n q of a block and a row of x, in four parts
  (func $dot (param $n i32) (param $q i32) (result v128)
    (i32x4.add
      (i32x4.add
        (i32x4.dot_i16x8_s (v128.load (local.get $n)) (v128.load (local.get $q)))
        (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $n)) (v128.load offset=16 (local.get $q))))
      (i32x4.add
        (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $n)) (v128.load offset=32 (local.get $q)))
        (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $n)) (v128.load offset=48 (local.get $q))))))

  ;; One row of x with one row of W
  (func $one (param $n i32) (param $dm i32) (param $q i32) (param $s i32) (param $sums i32) (param $blocks i32) (result f32)
    (local $a v128) (local $m f32)
    (loop $each_block
      (local.set $a (f32x4.add (local.get $a) (f32x4.mul
        (f32x4.splat (f32.mul (f32.load (local.get $dm)) (f32.load (local.get $s))))
        (f32x4.convert_i32x4_s (call $dot (local.get $n) (local.get $q))))))
      (local.set $m (f32.add (local.get $m) (f32.mul (f32.load offset=4 (local.get $dm)) (f32.load (local.get $sums)))))
      (local.set $n (i32.add (local.get $n) (i32.const 64)))
      (local.set $q (i32.add (local.get $q) (i32.const 64)))
      (local.set $dm (i32.add (local.get $dm) (i32.const 8)))
      (local.set $s (i32.add (local.get $s) (i32.const 16)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (br_if $each_block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))
    (f32.add (call $sum (local.get $a)) (local.get $m)))

  ;; Four rows of x, `row` bytes apart, with one row of W: four numbers
  (func $four (param $n i32) (param $dm i32) (param $q i32) (param $row i32) (param $s i32) (param $sums i32) (param $blocks i32) (result v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $m v128)
    (local $n0 v128) (local $n1 v128) (local $n2 v128) (local $n3 v128) (local $steps v128) (local $at i32)
    (loop $each_block
      (local.set $n0 (v128.load (local.get $n)))
      (local.set $n1 (v128.load offset=16 (local.get $n)))
      (local.set $n2 (v128.load offset=32 (local.get $n)))
      (local.set $n3 (v128.load offset=48 (local.get $n)))
      (local.set $steps (f32x4.mul (v128.load32_splat (local.get $dm)) (v128.load (local.get $s))))
      (local.set $m (f32x4.add (local.get $m)
        (f32x4.mul (v128.load32_splat offset=4 (local.get $dm)) (v128.load (local.get $sums)))))
      (local.set $at (local.get $q))
      (local.set $a (f32x4.add (local.get $a) (f32x4.mul
        (i8x16.shuffle 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 (local.get $steps) (local.get $steps))
        (f32x4.convert_i32x4_s (i32x4.add
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n0) (v128.load (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n1) (v128.load offset=16 (local.get $at))))
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n2) (v128.load offset=32 (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n3) (v128.load offset=48 (local.get $at)))))))))
      (local.set $at (i32.add (local.get $at) (local.get $row)))
      (local.set $b (f32x4.add (local.get $b) (f32x4.mul
        (i8x16.shuffle 4 5 6 7 4 5 6 7 4 5 6 7 4 5 6 7 (local.get $steps) (local.get $steps))
        (f32x4.convert_i32x4_s (i32x4.add
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n0) (v128.load (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n1) (v128.load offset=16 (local.get $at))))
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n2) (v128.load offset=32 (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n3) (v128.load offset=48 (local.get $at)))))))))
      (local.set $at (i32.add (local.get $at) (local.get $row)))
      (local.set $c (f32x4.add (local.get $c) (f32x4.mul
        (i8x16.shuffle 8 9 10 11 8 9 10 11 8 9 10 11 8 9 10 11 (local.get $steps) (local.get $steps))
        (f32x4.convert_i32x4_s (i32x4.add
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n0) (v128.load (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n1) (v128.load offset=16 (local.get $at))))
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n2) (v128.load offset=32 (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n3) (v128.load offset=48 (local.get $at)))))))))
      (local.set $at (i32.add (local.get $at) (local.get $row)))
      (local.set $d (f32x4.add (local.get $d) (f32x4.mul
        (i8x16.shuffle 12 13 14 15 12 13 14 15 12 13 14 15 12 13 14 15 (local.get $steps) (local.get $steps))
        (f32x4.convert_i32x4_s (i32x4.add
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n0) (v128.load (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n1) (v128.load offset=16 (local.get $at))))
          (i32x4.add (i32x4.dot_i16x8_s (local.get $n2) (v128.load offset=32 (local.get $at)))
            (i32x4.dot_i16x8_s (local.get $n3) (v128.load offset=48 (local.get $at)))))))))
      (local.set $n (i32.add (local.get $n) (i32.const 64)))
      (local.set $q (i32.add (local.get $q) (i32.const 64)))
      (local.set $dm (i32.add (local.get $dm) (i32.const 8)))
      (local.set $s (i32.add (local.get $s) (i32.const 16)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (br_if $each_block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))
    ;; sum the lanes of a, b, c and d
    (local.set $n0 (f32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $a) (local.get $b))
      (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $n1 (f32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $c) (local.get $d))
      (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (f32x4.add (local.get $m) (f32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $n0) (local.get $n1))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $n0) (local.get $n1)))))

  ;; y gets `out` numbers for each of L rows; `scratch` has room for a row of W, 72 bytes per block.
  (func (export "multiply") (param $bits i32) (param $q i32) (param $s i32) (param $sums i32) (param $w i32) (param $y i32) (param $scratch i32) (param $L i32) (param $blocks i32) (param $out i32)
    (local $dm i32) (local $row i32) (local $line i32) (local $j i32) (local $i i32) (local $at i32)
    (local $x i32) (local $t i32) (local $u i32) (local $v v128)
    (local.set $dm (i32.add (local.get $scratch) (i32.shl (local.get $blocks) (i32.const 6))))
    (local.set $row (i32.shl (local.get $blocks) (i32.const 6)))
    (local.set $line (i32.shl (local.get $out) (i32.const 2)))
    (loop $each_row_of_w
      (local.set $w (if (result i32) (i32.eq (local.get $bits) (i32.const 4))
        (then (call $unpack_4 (local.get $w) (local.get $scratch) (local.get $dm) (local.get $blocks)))
        (else (call $unpack_8 (local.get $w) (local.get $scratch) (local.get $dm) (local.get $blocks)))))
      (local.set $at (i32.add (local.get $y) (i32.shl (local.get $j) (i32.const 2))))
      (local.set $x (local.get $q)) (local.set $t (local.get $s)) (local.set $u (local.get $sums))
      (local.set $i (local.get $L))
      (loop $each_four_rows
        (if (i32.eq (local.get $i) (i32.const 1))
          (then (f32.store (local.get $at)
            (call $one (local.get $scratch) (local.get $dm) (local.get $x) (local.get $t) (local.get $u) (local.get $blocks))))
          (else
            (local.set $v (call $four (local.get $scratch) (local.get $dm) (local.get $x) (local.get $row) (local.get $t) (local.get $u) (local.get $blocks)))
            (f32.store (local.get $at) (f32x4.extract_lane 0 (local.get $v)))
            (f32.store (local.tee $at (i32.add (local.get $at) (local.get $line))) (f32x4.extract_lane 1 (local.get $v)))
            (f32.store (local.tee $at (i32.add (local.get $at) (local.get $line))) (f32x4.extract_lane 2 (local.get $v)))
            (f32.store (local.tee $at (i32.add (local.get $at) (local.get $line))) (f32x4.extract_lane 3 (local.get $v)))
            (local.set $at (i32.add (local.get $at) (local.get $line)))
            (local.set $x (i32.add (local.get $x) (i32.shl (local.get $row) (i32.const 2))))
            (local.set $t (i32.add (local.get $t) (i32.shl (local.get $blocks) (i32.const 4))))
            (local.set $u (i32.add (local.get $u) (i32.shl (local.get $blocks) (i32.const 4))))))
        (br_if $each_four_rows (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 4))) (i32.const 0))))
      (br_if $each_row_of_w (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 1))) (local.get $out))))))
