;; Memory signals of the candidates of one anchor for eight memory views at once, and the best candidates of one view: what
;; `CandidateScores.addList` and `BucketSelector` compute for one view, to the bit. A lane holds a view. Sums start from -0,
;; and the lanes of views that did not select an entry add -0, which changes no number: each view's sums are added in the
;; order of its own entries, and a signal is -0 exactly where no entry of the view holds the asset.
;; Compiled into viewScoresModule.ts by `npm run build:kernels`.
;;
;; Candidate c of the anchor has its corpus row at $rows + 4c and its signals, [8] float64, at $signals + 64c; candidates
;; 0 to baseCount - 1 are the base list. $placeOf: [assets] int32, byte address of the signals of an asset; 0 where it is no
;; candidate, which all are between anchors.
(module
  (import "host" "memory" (memory 1))

  ;; Makes the next $count rows candidates, with signals of -0.
  (func (export "begin") (param $count i32) (param $rows i32) (param $signals i32) (param $placeOf i32)
    (local $end i32) (local $none v128)
    (local.set $none (v128.const f64x2 -0 -0))
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $next
      (i32.store
        (i32.add (local.get $placeOf) (i32.shl (i32.load (local.get $rows)) (i32.const 2)))
        (local.get $signals))
      (v128.store offset=0 (local.get $signals) (local.get $none))
      (v128.store offset=16 (local.get $signals) (local.get $none))
      (v128.store offset=32 (local.get $signals) (local.get $none))
      (v128.store offset=48 (local.get $signals) (local.get $none))
      (local.set $signals (i32.add (local.get $signals) (i32.const 64)))
      (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $rows) (local.get $end)))))

  ;; Adds $gain / $divisors[rank] to the signals of the assets of a list in the views of $views (bit v: view v), and makes
  ;; them candidates; returns the number of candidates. Rows at or beyond $visibleRows are passed over.
  ;; $list: [count] int32; $divisors: [count] float64.
  (func (export "add")
    (param $list i32) (param $count i32) (param $gain f64) (param $views i32) (param $divisors i32)
    (param $visibleRows i32) (param $candidates i32) (param $rows i32) (param $signals i32) (param $placeOf i32)
    (result i32)
    (local $end i32) (local $row i32) (local $at i32) (local $place i32) (local $value v128) (local $gains v128) (local $none v128)
    (local $bits v128) (local $views01 v128) (local $views23 v128) (local $views45 v128) (local $views67 v128)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $none (v128.const f64x2 -0 -0))
    (local.set $gains (f64x2.splat (local.get $gain)))
    (local.set $bits (i64x2.splat (i64.extend_i32_u (local.get $views))))
    (local.set $views01 (call $lanes (local.get $bits) (v128.const i64x2 1 2)))
    (local.set $views23 (call $lanes (local.get $bits) (v128.const i64x2 4 8)))
    (local.set $views45 (call $lanes (local.get $bits) (v128.const i64x2 16 32)))
    (local.set $views67 (call $lanes (local.get $bits) (v128.const i64x2 64 128)))
    (if (i32.eqz (local.get $count)) (then (return (local.get $candidates))))
    (loop $next
      (local.set $row (i32.load (local.get $list)))
      (if (i32.lt_u (local.get $row) (local.get $visibleRows))
        (then
          (local.set $at (i32.add (local.get $placeOf) (i32.shl (local.get $row) (i32.const 2))))
          (local.set $place (i32.load (local.get $at)))
          (local.set $value (f64x2.div (local.get $gains) (v128.load64_splat (local.get $divisors))))
          (if (local.get $place)
            (then
              (v128.store offset=0 (local.get $place)
                (f64x2.add (v128.load offset=0 (local.get $place)) (v128.bitselect (local.get $value) (local.get $none) (local.get $views01))))
              (v128.store offset=16 (local.get $place)
                (f64x2.add (v128.load offset=16 (local.get $place)) (v128.bitselect (local.get $value) (local.get $none) (local.get $views23))))
              (v128.store offset=32 (local.get $place)
                (f64x2.add (v128.load offset=32 (local.get $place)) (v128.bitselect (local.get $value) (local.get $none) (local.get $views45))))
              (v128.store offset=48 (local.get $place)
                (f64x2.add (v128.load offset=48 (local.get $place)) (v128.bitselect (local.get $value) (local.get $none) (local.get $views67)))))
            (else
              (local.set $place (i32.add (local.get $signals) (i32.shl (local.get $candidates) (i32.const 6))))
              (i32.store (local.get $at) (local.get $place))
              (i32.store
                (i32.add (local.get $rows) (i32.shl (local.get $candidates) (i32.const 2)))
                (local.get $row))
              (local.set $candidates (i32.add (local.get $candidates) (i32.const 1)))
              (v128.store offset=0 (local.get $place) (v128.bitselect (local.get $value) (local.get $none) (local.get $views01)))
              (v128.store offset=16 (local.get $place) (v128.bitselect (local.get $value) (local.get $none) (local.get $views23)))
              (v128.store offset=32 (local.get $place) (v128.bitselect (local.get $value) (local.get $none) (local.get $views45)))
              (v128.store offset=48 (local.get $place) (v128.bitselect (local.get $value) (local.get $none) (local.get $views67)))))))
      (local.set $divisors (i32.add (local.get $divisors) (i32.const 8)))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $list) (local.get $end))))
    (local.get $candidates))

  ;; All bits of a lane set where $bits has the bit of $ofLane.
  (func $lanes (param $bits v128) (param $ofLane v128) (result v128)
    (i64x2.eq (v128.and (local.get $bits) (local.get $ofLane)) (local.get $ofLane)))

  ;; Writes the largest signal of each view to $largest, [8] float64, and makes every candidate's place 0 again.
  (func (export "collect")
    (param $candidates i32) (param $rows i32) (param $signals i32) (param $placeOf i32) (param $largest i32)
    (local $end i32) (local $most01 v128) (local $most23 v128) (local $most45 v128) (local $most67 v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $candidates) (i32.const 2))))
    (if (local.get $candidates)
      (then
        (loop $next
          (i32.store
            (i32.add (local.get $placeOf) (i32.shl (i32.load (local.get $rows)) (i32.const 2)))
            (i32.const 0))
          (local.set $most01 (f64x2.pmax (local.get $most01) (v128.load offset=0 (local.get $signals))))
          (local.set $most23 (f64x2.pmax (local.get $most23) (v128.load offset=16 (local.get $signals))))
          (local.set $most45 (f64x2.pmax (local.get $most45) (v128.load offset=32 (local.get $signals))))
          (local.set $most67 (f64x2.pmax (local.get $most67) (v128.load offset=48 (local.get $signals))))
          (local.set $signals (i32.add (local.get $signals) (i32.const 64)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
          (br_if $next (i32.lt_u (local.get $rows) (local.get $end))))))
    (v128.store offset=0 (local.get $largest) (local.get $most01))
    (v128.store offset=16 (local.get $largest) (local.get $most23))
    (v128.store offset=32 (local.get $largest) (local.get $most45))
    (v128.store offset=48 (local.get $largest) (local.get $most67)))

  ;; Scores the candidates of one view by 1/base rank + $scale * signal, and counts them by bucket, as `BucketSelector`
  ;; does; returns how many they are. Beyond the base list an asset with a signal of -0 is no candidate of the view.
  ;; $signals: of the view, that of candidate c at $signals + 64c; $reciprocals: [baseCount] float64, 1/base rank;
  ;; $counts: [1025] int32, all 0. Into $scored, 16 bytes each: score (float64), candidate, bucket (int32).
  (func (export "score")
    (param $signals i32) (param $baseCount i32) (param $candidates i32) (param $scale f64) (param $bucketsPerScore f64)
    (param $reciprocals i32) (param $counts i32) (param $scored i32)
    (result i32)
    (local $candidate i32) (local $start i32) (local $score f64) (local $bucket i32) (local $at i32)
    (local.set $start (local.get $scored))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $candidate) (local.get $candidates)))
        (if
          (i32.or
            (i32.lt_u (local.get $candidate) (local.get $baseCount))
            (i64.ge_s (i64.load (local.get $signals)) (i64.const 0)))
          (then
            (local.set $score (f64.mul (local.get $scale) (f64.load (local.get $signals))))
            (if (i32.lt_u (local.get $candidate) (local.get $baseCount))
              (then
                (local.set $score
                  (f64.add
                    (f64.load (i32.add (local.get $reciprocals) (i32.shl (local.get $candidate) (i32.const 3))))
                    (local.get $score)))))
            ;; The product may round to just above the last bucket's edge.
            (local.set $bucket (i32.trunc_sat_f64_u (f64.mul (local.get $score) (local.get $bucketsPerScore))))
            (local.set $bucket
              (select (local.get $bucket) (i32.const 1024) (i32.lt_u (local.get $bucket) (i32.const 1024))))
            (f64.store offset=0 (local.get $scored) (local.get $score))
            (i32.store offset=8 (local.get $scored) (local.get $candidate))
            (i32.store offset=12 (local.get $scored) (local.get $bucket))
            (local.set $scored (i32.add (local.get $scored) (i32.const 16)))
            (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $bucket) (i32.const 2))))
            (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))))
        (local.set $signals (i32.add (local.get $signals) (i32.const 64)))
        (local.set $candidate (i32.add (local.get $candidate) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $scored) (local.get $start)) (i32.const 4)))

  ;; Turns counts into places, from the best bucket down to the one that holds the $depth-th best candidate, and brings the
  ;; candidates of these buckets there, bucket by bucket; leaves $counts all 0. Into $summary: how many they are, and the
  ;; size of the largest bucket (int32). $ties: [assets] int32, tie keys of candidates beyond the base list.
  ;; $items, $keptScores, $keptTies: [scored] receive corpus rows, scores (float64) and tie keys.
  (func (export "keep")
    (param $scored i32) (param $count i32) (param $depth i32) (param $baseCount i32) (param $rows i32)
    (param $ties i32) (param $counts i32) (param $items i32) (param $keptScores i32) (param $keptTies i32)
    (param $summary i32)
    (local $bucket i32) (local $at i32) (local $size i32) (local $most i32) (local $here i32) (local $end i32)
    (local $candidate i32) (local $row i32)
    (local.set $bucket (i32.const 1024))
    (local.set $at (i32.add (local.get $counts) (i32.const 4096)))
    (block $placed
      (loop $nextBucket
        (local.set $here (i32.load (local.get $at)))
        (i32.store (local.get $at) (local.get $size))
        (local.set $size (i32.add (local.get $size) (local.get $here)))
        (if (i32.gt_u (local.get $here) (local.get $most)) (then (local.set $most (local.get $here))))
        (br_if $placed (i32.ge_u (local.get $size) (local.get $depth)))
        (br_if $placed (i32.eqz (local.get $bucket)))
        (local.set $bucket (i32.sub (local.get $bucket) (i32.const 1)))
        (local.set $at (i32.sub (local.get $at) (i32.const 4)))
        (br $nextBucket)))
    (i32.store offset=0 (local.get $summary) (local.get $size))
    (i32.store offset=4 (local.get $summary) (local.get $most))
    (local.set $end (i32.add (local.get $scored) (i32.shl (local.get $count) (i32.const 4))))
    (block $kept
      (loop $next
        (br_if $kept (i32.ge_u (local.get $scored) (local.get $end)))
        (local.set $here (i32.load offset=12 (local.get $scored)))
        (if (i32.ge_u (local.get $here) (local.get $bucket))
          (then
            (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $here) (i32.const 2))))
            (local.set $here (i32.load (local.get $at)))
            (i32.store (local.get $at) (i32.add (local.get $here) (i32.const 1)))
            (local.set $candidate (i32.load offset=8 (local.get $scored)))
            (local.set $row (i32.load (i32.add (local.get $rows) (i32.shl (local.get $candidate) (i32.const 2)))))
            (f64.store
              (i32.add (local.get $keptScores) (i32.shl (local.get $here) (i32.const 3)))
              (f64.load (local.get $scored)))
            (local.set $here (i32.shl (local.get $here) (i32.const 2)))
            (i32.store (i32.add (local.get $items) (local.get $here)) (local.get $row))
            (i32.store
              (i32.add (local.get $keptTies) (local.get $here))
              (if (result i32) (i32.lt_u (local.get $candidate) (local.get $baseCount))
                (then (i32.add (local.get $candidate) (i32.const 1)))
                (else (i32.load (i32.add (local.get $ties) (i32.shl (local.get $row) (i32.const 2)))))))))
        (local.set $scored (i32.add (local.get $scored) (i32.const 16)))
        (br $next)))
    (local.set $end (i32.add (local.get $counts) (i32.const 4112)))
    (loop $clear
      (v128.store (local.get $counts) (v128.const i64x2 0 0))
      (local.set $counts (i32.add (local.get $counts) (i32.const 16)))
      (br_if $clear (i32.lt_u (local.get $counts) (local.get $end)))))

  ;; `sortByInsertion`: linear where each entry is near its place already.
  (func (export "sort") (param $items i32) (param $scores i32) (param $ties i32) (param $count i32)
    (local $i i32) (local $hole i32) (local $above i32) (local $score f64) (local $other f64) (local $item i32)
    (local $tie i32)
    (local.set $i (i32.const 1))
    (block $sorted
      (loop $next
        (br_if $sorted (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $score (f64.load (i32.add (local.get $scores) (i32.shl (local.get $i) (i32.const 3)))))
        (if
          (f64.le
            (f64.load (i32.add (local.get $scores) (i32.shl (i32.sub (local.get $i) (i32.const 1)) (i32.const 3))))
            (local.get $score))
          (then
            (local.set $item (i32.load (i32.add (local.get $items) (i32.shl (local.get $i) (i32.const 2)))))
            (local.set $tie (i32.load (i32.add (local.get $ties) (i32.shl (local.get $i) (i32.const 2)))))
            (local.set $hole (local.get $i))
            (block $found
              (loop $shift
                (br_if $found (i32.eqz (local.get $hole)))
                (local.set $above (i32.sub (local.get $hole) (i32.const 1)))
                (local.set $other (f64.load (i32.add (local.get $scores) (i32.shl (local.get $above) (i32.const 3)))))
                (br_if $found (f64.gt (local.get $other) (local.get $score)))
                (if (f64.eq (local.get $other) (local.get $score))
                  (then
                    (br_if $found
                      (i32.le_u
                        (i32.load (i32.add (local.get $ties) (i32.shl (local.get $above) (i32.const 2))))
                        (local.get $tie)))))
                (f64.store (i32.add (local.get $scores) (i32.shl (local.get $hole) (i32.const 3))) (local.get $other))
                (i32.store
                  (i32.add (local.get $items) (i32.shl (local.get $hole) (i32.const 2)))
                  (i32.load (i32.add (local.get $items) (i32.shl (local.get $above) (i32.const 2)))))
                (i32.store
                  (i32.add (local.get $ties) (i32.shl (local.get $hole) (i32.const 2)))
                  (i32.load (i32.add (local.get $ties) (i32.shl (local.get $above) (i32.const 2)))))
                (local.set $hole (local.get $above))
                (br $shift)))
            (f64.store (i32.add (local.get $scores) (i32.shl (local.get $hole) (i32.const 3))) (local.get $score))
            (i32.store (i32.add (local.get $items) (i32.shl (local.get $hole) (i32.const 2))) (local.get $item))
            (i32.store (i32.add (local.get $ties) (i32.shl (local.get $hole) (i32.const 2))) (local.get $tie))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))))
