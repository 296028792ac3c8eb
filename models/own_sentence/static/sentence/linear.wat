;; Products of rows for encoder.js: y = x Wᵀ, with four numbers at a time. JavaScript has no such instructions.
;; x holds L rows of `width` numbers, W holds `out` rows of them, y gets L rows of `out`; all float32, row by row.
;; L is a multiple of 4, out of 2, width of 4. Addresses are in bytes.
(module
  (memory (export "memory") 1)

  ;; The sum of four lanes
  (func $sum (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; Two neighbours in y
  (func $store (param $at i32) (param $p v128) (param $q v128)
    (f32.store (local.get $at) (call $sum (local.get $p)))
    (f32.store offset=4 (local.get $at) (call $sum (local.get $q))))

  (func (export "multiply") (param $x i32) (param $w i32) (param $y i32) (param $L i32) (param $width i32) (param $out i32)
    (local $row i32) (local $line i32)            ;; bytes of a row of x or W, and of y
    (local $i i32) (local $j i32) (local $e i32)  ;; counters, in bytes
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)  ;; four rows of x
    (local $p i32) (local $q i32)                                ;; two rows of W
    (local $wp v128) (local $wq v128) (local $v v128)
    (local $ap v128) (local $bp v128) (local $cp v128) (local $dp v128)
    (local $aq v128) (local $bq v128) (local $cq v128) (local $dq v128)
    (local $at i32)
    (local.set $row (i32.shl (local.get $width) (i32.const 2)))
    (local.set $line (i32.shl (local.get $out) (i32.const 2)))
    (local.set $p (local.get $w))
    (local.set $j (i32.const 0))
    (loop $rows_of_w
      (local.set $q (i32.add (local.get $p) (local.get $row)))
      (local.set $a (local.get $x))
      (local.set $at (i32.add (local.get $y) (local.get $j)))
      (local.set $i (i32.const 0))
      (loop $rows_of_x
        (local.set $b (i32.add (local.get $a) (local.get $row)))
        (local.set $c (i32.add (local.get $b) (local.get $row)))
        (local.set $d (i32.add (local.get $c) (local.get $row)))
        (local.set $ap (v128.const f32x4 0 0 0 0)) (local.set $aq (v128.const f32x4 0 0 0 0))
        (local.set $bp (v128.const f32x4 0 0 0 0)) (local.set $bq (v128.const f32x4 0 0 0 0))
        (local.set $cp (v128.const f32x4 0 0 0 0)) (local.set $cq (v128.const f32x4 0 0 0 0))
        (local.set $dp (v128.const f32x4 0 0 0 0)) (local.set $dq (v128.const f32x4 0 0 0 0))
        (local.set $e (i32.const 0))
        (loop $along
          (local.set $wp (v128.load (i32.add (local.get $p) (local.get $e))))
          (local.set $wq (v128.load (i32.add (local.get $q) (local.get $e))))
          (local.set $v (v128.load (i32.add (local.get $a) (local.get $e))))
          (local.set $ap (f32x4.add (local.get $ap) (f32x4.mul (local.get $v) (local.get $wp))))
          (local.set $aq (f32x4.add (local.get $aq) (f32x4.mul (local.get $v) (local.get $wq))))
          (local.set $v (v128.load (i32.add (local.get $b) (local.get $e))))
          (local.set $bp (f32x4.add (local.get $bp) (f32x4.mul (local.get $v) (local.get $wp))))
          (local.set $bq (f32x4.add (local.get $bq) (f32x4.mul (local.get $v) (local.get $wq))))
          (local.set $v (v128.load (i32.add (local.get $c) (local.get $e))))
          (local.set $cp (f32x4.add (local.get $cp) (f32x4.mul (local.get $v) (local.get $wp))))
          (local.set $cq (f32x4.add (local.get $cq) (f32x4.mul (local.get $v) (local.get $wq))))
          (local.set $v (v128.load (i32.add (local.get $d) (local.get $e))))
          (local.set $dp (f32x4.add (local.get $dp) (f32x4.mul (local.get $v) (local.get $wp))))
          (local.set $dq (f32x4.add (local.get $dq) (f32x4.mul (local.get $v) (local.get $wq))))
          (local.set $e (i32.add (local.get $e) (i32.const 16)))
          (br_if $along (i32.lt_u (local.get $e) (local.get $row))))
        (call $store (local.get $at) (local.get $ap) (local.get $aq))
        (local.set $at (i32.add (local.get $at) (local.get $line)))
        (call $store (local.get $at) (local.get $bp) (local.get $bq))
        (local.set $at (i32.add (local.get $at) (local.get $line)))
        (call $store (local.get $at) (local.get $cp) (local.get $cq))
        (local.set $at (i32.add (local.get $at) (local.get $line)))
        (call $store (local.get $at) (local.get $dp) (local.get $dq))
        (local.set $at (i32.add (local.get $at) (local.get $line)))
        (local.set $a (i32.add (local.get $d) (local.get $row)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br_if $rows_of_x (i32.lt_u (local.get $i) (local.get $L))))
      (local.set $p (i32.add (local.get $q) (local.get $row)))
      (local.set $j (i32.add (local.get $j) (i32.const 8)))
      (br_if $rows_of_w (i32.lt_u (local.get $j) (local.get $line))))))
