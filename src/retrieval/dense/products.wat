;; Inner products of one vector with every row of a matrix, in double precision, each added in column order: what
;; `innerProduct` computes, to the bit, for eight rows at a time (a row a lane). Compiled into productsModule.ts by
;; `npm run build:kernels`.
(module
  (import "host" "memory" (memory 1))

  ;; $vector: [dimension] float64; $matrix: [groups, dimension, 8] float32; $products: [groups, 8] float64.
  ;; $groups and $dimension are at least 1.
  (func (export "products")
    (param $vector i32) (param $matrix i32) (param $products i32) (param $groups i32) (param $dimension i32)
    (local $at i32) (local $end i32) (local $value v128)
    (local $sum01 v128) (local $sum23 v128) (local $sum45 v128) (local $sum67 v128)
    (local.set $end (i32.add (local.get $vector) (i32.shl (local.get $dimension) (i32.const 3))))
    (loop $nextGroup
      (local.set $at (local.get $vector))
      (local.set $sum01 (v128.const f64x2 0 0))
      (local.set $sum23 (v128.const f64x2 0 0))
      (local.set $sum45 (v128.const f64x2 0 0))
      (local.set $sum67 (v128.const f64x2 0 0))
      (loop $nextColumn
        (local.set $value (v128.load64_splat (local.get $at)))
        (local.set $sum01
          (f64x2.add (local.get $sum01)
            (f64x2.mul (local.get $value) (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $matrix))))))
        (local.set $sum23
          (f64x2.add (local.get $sum23)
            (f64x2.mul (local.get $value) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $matrix))))))
        (local.set $sum45
          (f64x2.add (local.get $sum45)
            (f64x2.mul (local.get $value) (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 (local.get $matrix))))))
        (local.set $sum67
          (f64x2.add (local.get $sum67)
            (f64x2.mul (local.get $value) (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 (local.get $matrix))))))
        (local.set $matrix (i32.add (local.get $matrix) (i32.const 32)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $nextColumn (i32.lt_u (local.get $at) (local.get $end))))
      (v128.store offset=0 (local.get $products) (local.get $sum01))
      (v128.store offset=16 (local.get $products) (local.get $sum23))
      (v128.store offset=32 (local.get $products) (local.get $sum45))
      (v128.store offset=48 (local.get $products) (local.get $sum67))
      (local.set $products (i32.add (local.get $products) (i32.const 64)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $nextGroup (local.get $groups)))))
