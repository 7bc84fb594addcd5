;; Draws resamples and sums columns over them, four resamples at a time: lane l of every vector belongs to resample l.
;; All numbers are added in the order drawn, one accumulator per resample and column, so the sums are the same to the
;; last bit on every machine. Compiled into resampleModule.ts by `npm run build:kernels`.
(module
  (import "host" "memory" (memory 1))

  ;; Draws $blocks blocks of four resamples of $rows rows each and sums every pair of columns over them.
  ;; $columns: [pairs, rows, 2] float64; $sums: [pairs, blocks, 4, 2] float64; the rest as for $draw.
  (func (export "resample")
    (param $state i32) (param $offsets i32) (param $columns i32) (param $sums i32)
    (param $rows i32) (param $pairs i32) (param $blocks i32) (param $threshold i32) (param $paired i32)
    (local $block i32) (local $pair i32) (local $pairBytes i32)
    (local.set $pairBytes (i32.shl (local.get $rows) (i32.const 4)))
    (loop $nextBlock
      (call $draw
        (local.get $state) (local.get $offsets) (local.get $rows)
        (local.get $rows) (local.get $threshold) (local.get $paired))
      (local.set $pair (i32.const 0))
      (loop $nextPair
        (call $sum
          (local.get $offsets)
          (local.get $rows)
          (i32.add (local.get $columns) (i32.mul (local.get $pair) (local.get $pairBytes)))
          (i32.add
            (local.get $sums)
            (i32.shl
              (i32.add (i32.mul (local.get $pair) (local.get $blocks)) (local.get $block))
              (i32.const 6))))
        (local.set $pair (i32.add (local.get $pair) (i32.const 1)))
        (br_if $nextPair (i32.lt_u (local.get $pair) (local.get $pairs))))
      (local.set $block (i32.add (local.get $block) (i32.const 1)))
      (br_if $nextBlock (i32.lt_u (local.get $block) (local.get $blocks)))))

  ;; Draws $count x 4 row numbers, uniform in 0..$bound-1, and stores each as a byte offset into a pair of columns
  ;; (row * 16) at $offsets, [count, 4]. $state: four vectors, the state of one xoshiro128+ generator a lane
  ;; (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021). Its lowest bits are its weak ones; a
  ;; row number is decided by the highest.
  ;;
  ;; A row number is the high word of random * bound. With $paired, the low word serves as the random number of the next
  ;; row number (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024; bound^2 <= 2^32), and
  ;; the store may run one vector beyond $count. Low words below $threshold = 2^32 mod bound (mod bound^2 when paired)
  ;; would make some rows likelier than others: then all four lanes draw again.
  (func $draw
    (param $state i32) (param $offsets i32) (param $count i32)
    (param $bound i32) (param $threshold i32) (param $paired i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $random v128) (local $shifted v128)
    (local $bounds v128) (local $thresholds v128)
    (local $products01 v128) (local $products23 v128)
    (local $first v128)
    (local $end i32)
    (local.set $s0 (v128.load offset=0 (local.get $state)))
    (local.set $s1 (v128.load offset=16 (local.get $state)))
    (local.set $s2 (v128.load offset=32 (local.get $state)))
    (local.set $s3 (v128.load offset=48 (local.get $state)))
    (local.set $bounds (i32x4.splat (local.get $bound)))
    (local.set $thresholds (i32x4.splat (local.get $threshold)))
    (local.set $end (i32.add (local.get $offsets) (i32.shl (local.get $count) (i32.const 4))))
    (loop $next
      (local.set $random (i32x4.add (local.get $s0) (local.get $s3)))
      (local.set $shifted (i32x4.shl (local.get $s1) (i32.const 9)))
      (local.set $s2 (v128.xor (local.get $s2) (local.get $s0)))
      (local.set $s3 (v128.xor (local.get $s3) (local.get $s1)))
      (local.set $s1 (v128.xor (local.get $s1) (local.get $s2)))
      (local.set $s0 (v128.xor (local.get $s0) (local.get $s3)))
      (local.set $s2 (v128.xor (local.get $s2) (local.get $shifted)))
      ;; s3 = rotl(s3, 11)
      (local.set $s3
        (v128.or
          (i32x4.shl (local.get $s3) (i32.const 11))
          (i32x4.shr_u (local.get $s3) (i32.const 21))))

      (local.set $products01 (i64x2.extmul_low_i32x4_u (local.get $random) (local.get $bounds)))
      (local.set $products23 (i64x2.extmul_high_i32x4_u (local.get $random) (local.get $bounds)))
      ;; first = high words * 16; random = low words
      (local.set $first
        (i32x4.shl
          (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31
            (local.get $products01) (local.get $products23))
          (i32.const 4)))
      (local.set $random
        (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27
          (local.get $products01) (local.get $products23)))
      (if (local.get $paired)
        (then
          (local.set $products01 (i64x2.extmul_low_i32x4_u (local.get $random) (local.get $bounds)))
          (local.set $products23 (i64x2.extmul_high_i32x4_u (local.get $random) (local.get $bounds)))
          (br_if $next
            (v128.any_true
              (i32x4.lt_u
                (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27
                  (local.get $products01) (local.get $products23))
                (local.get $thresholds))))
          (v128.store offset=0 (local.get $offsets) (local.get $first))
          (v128.store offset=16 (local.get $offsets)
            (i32x4.shl
              (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31
                (local.get $products01) (local.get $products23))
              (i32.const 4)))
          (local.set $offsets (i32.add (local.get $offsets) (i32.const 32))))
        (else
          (br_if $next (v128.any_true (i32x4.lt_u (local.get $random) (local.get $thresholds))))
          (v128.store (local.get $offsets) (local.get $first))
          (local.set $offsets (i32.add (local.get $offsets) (i32.const 16)))))
      (br_if $next (i32.lt_u (local.get $offsets) (local.get $end))))
    (v128.store offset=0 (local.get $state) (local.get $s0))
    (v128.store offset=16 (local.get $state) (local.get $s1))
    (v128.store offset=32 (local.get $state) (local.get $s2))
    (v128.store offset=48 (local.get $state) (local.get $s3)))

  ;; Sums a pair of columns at $columns, [rows, 2] float64, over the rows drawn by $draw, into $sums, [4, 2] float64.
  (func $sum (param $offsets i32) (param $count i32) (param $columns i32) (param $sums i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $end i32)
    (local.set $end (i32.add (local.get $offsets) (i32.shl (local.get $count) (i32.const 4))))
    (loop $next
      (local.set $sum0
        (f64x2.add (local.get $sum0)
          (v128.load (i32.add (local.get $columns) (i32.load offset=0 (local.get $offsets))))))
      (local.set $sum1
        (f64x2.add (local.get $sum1)
          (v128.load (i32.add (local.get $columns) (i32.load offset=4 (local.get $offsets))))))
      (local.set $sum2
        (f64x2.add (local.get $sum2)
          (v128.load (i32.add (local.get $columns) (i32.load offset=8 (local.get $offsets))))))
      (local.set $sum3
        (f64x2.add (local.get $sum3)
          (v128.load (i32.add (local.get $columns) (i32.load offset=12 (local.get $offsets))))))
      (local.set $offsets (i32.add (local.get $offsets) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $offsets) (local.get $end))))
    (v128.store offset=0 (local.get $sums) (local.get $sum0))
    (v128.store offset=16 (local.get $sums) (local.get $sum1))
    (v128.store offset=32 (local.get $sums) (local.get $sum2))
    (v128.store offset=48 (local.get $sums) (local.get $sum3))))
