/**
 * The k-th largest number, 1 <= k <= length, by Hoare's selection with a median-of-three pivot; expected O(length).
 * Reorders `values`.
 */
export function kthLargest(values: Float32Array, k: number): number {
  const target = k - 1;
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left]!, values[(left + right) >>> 1]!, values[right]!);
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! > pivot) i++;
      while (values[j]! < pivot) j--;
      if (i > j) break;
      const held = values[i]!;
      values[i++] = values[j]!;
      values[j--] = held;
    }
    if (target <= j) right = j;
    else if (target >= i) left = i;
    else return values[target]!;
  }
  return values[target]!;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
