/**
 * Column-wise tables between typed arrays and Parquet. Numbers never become per-row objects on the way.
 *
 * `instant` columns are 64-bit integers in the file (epoch milliseconds, or stream positions) and Float64Array here.
 * NaN in a column of Float64Array, and any non-finite value in an `instant` column, are nulls in the file.
 */
export type Column = ScalarColumn | ListColumn;

export type ScalarColumn =
  | { readonly name: string; readonly type: 'string'; readonly values: readonly (string | null)[] }
  /** The same text on every row. */
  | { readonly name: string; readonly type: 'constant'; readonly value: string | null }
  /** The same whole number on every row. */
  | { readonly name: string; readonly type: 'constant-int32'; readonly value: number }
  | { readonly name: string; readonly type: 'constant-boolean'; readonly value: boolean }
  | {
      readonly name: string;
      readonly type: 'int32';
      readonly values: Uint32Array | Int32Array | Uint16Array | Uint8Array | Float64Array;
    }
  | { readonly name: string; readonly type: 'float64' | 'instant'; readonly values: Float64Array };

/** List columns share one shape: row r holds elements [offsets[r], offsets[r] + lengths[r]) of `values`. */
export type ListColumn = {
  readonly name: string;
  /** [rows] */
  readonly offsets: Uint32Array;
  /** [rows] */
  readonly lengths: Uint32Array;
} & (
  | { readonly type: 'list<int32>'; readonly values: Uint32Array | Int32Array }
  | { readonly type: 'list<float64>' | 'list<instant>'; readonly values: Float64Array }
  /** Elements are codes into `dictionary`. */
  | { readonly type: 'list<string>'; readonly values: Uint32Array; readonly dictionary: readonly string[] }
);

/** Shape of a list column whose row r starts at `r * stride`. */
export function stridedShape(lengths: Uint32Array, stride: number): Pick<ListColumn, 'offsets' | 'lengths'> {
  return { offsets: Uint32Array.from(lengths, (_, row) => row * stride), lengths };
}

/** Shape of a list column from compressed-row offsets, [rows + 1]. */
export function compressedShape(offsets: Uint32Array): Pick<ListColumn, 'offsets' | 'lengths'> {
  const rows = offsets.length - 1;
  return { offsets, lengths: Uint32Array.from({ length: rows }, (_, row) => offsets[row + 1]! - offsets[row]!) };
}
