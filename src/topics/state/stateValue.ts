/** What a model's state is made of: JSON, and arrays of numbers that keep their bits. */
export type StateValue =
  | null
  | boolean
  | number
  | string
  | Float32Array
  | Float64Array
  | readonly StateValue[]
  | { readonly [key: string]: StateValue };
