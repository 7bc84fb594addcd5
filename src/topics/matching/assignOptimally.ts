/**
 * One-to-one assignment of rows to columns with the largest total worth: the Hungarian method with potentials (Kuhn 1955,
 * Munkres 1957), in rows^2 * columns steps.
 *
 * @param worth [rows, columns] row-major; finite
 * @returns [rows] column of each row, -1 where there are more rows than columns and the row has none
 */
export function assignOptimally(worth: Float64Array, rows: number, columns: number): Int32Array {
  if (rows > columns) {
    const transposed = new Float64Array(worth.length);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) transposed[column * rows + row] = worth[row * columns + column]!;
    }
    const columnOf = new Int32Array(rows).fill(-1);
    for (const [column, row] of assignOptimally(transposed, columns, rows).entries()) columnOf[row] = column;
    return columnOf;
  }
  // Rows and columns count from 1; 0 stands for none. Costs are negated worths.
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const previous = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const visited = new Uint8Array(columns + 1);
    let column = 0;
    while (rowOf[column] !== 0) {
      visited[column] = 1;
      const current = rowOf[column]!;
      let nearest = 0;
      let least = Number.POSITIVE_INFINITY;
      for (let other = 1; other <= columns; other++) {
        if (visited[other] === 1) continue;
        const cost = -worth[(current - 1) * columns + other - 1]! - rowPotential[current]! - columnPotential[other]!;
        if (cost < slack[other]!) {
          slack[other] = cost;
          previous[other] = column;
        }
        if (slack[other]! < least) {
          least = slack[other]!;
          nearest = other;
        }
      }
      for (let other = 0; other <= columns; other++) {
        if (visited[other] === 1) {
          rowPotential[rowOf[other]!]! += least;
          columnPotential[other]! -= least;
        } else slack[other]! -= least;
      }
      column = nearest;
    }
    while (column !== 0) {
      const before = previous[column]!;
      rowOf[column] = rowOf[before]!;
      column = before;
    }
  }
  const columnOf = new Int32Array(rows).fill(-1);
  for (let column = 1; column <= columns; column++) if (rowOf[column]! > 0) columnOf[rowOf[column]! - 1] = column - 1;
  return columnOf;
}
