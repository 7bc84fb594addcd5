/** Rows of several parts, numbered through: the number of each part's first row. @param sizes [parts] */
export function firstRowsOf(sizes: readonly number[]): number[] {
  let rows = 0;
  return sizes.map((size) => {
    const first = rows;
    rows += size;
    return first;
  });
}

/** Which of several parts a row is in. @param firstRows [parts] number of each part's first row, ascending */
export function partOf(firstRows: readonly number[], row: number): number {
  let low = 0;
  let high = firstRows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (firstRows[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
