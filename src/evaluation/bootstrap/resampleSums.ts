import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { largestKernelMemory, startKernel } from '../../kernels/webAssembly.js';
import { RandomSource } from '../../random/RandomSource.js';
import { resampleModule } from './resampleModule.js';

/** Resamples that the kernel draws at a time: one in each lane of its vectors. */
const lanes = 4;
const vectorBytes = 16;
const twoTo32 = 2 ** 32;
/** Most rows for which a random number gives two row numbers: beyond, too many (1 in 16 a lane) would be drawn again. */
const largestPaired = 2 ** 14;

interface Kernel {
  resample(
    state: number,
    offsets: number,
    columns: number,
    sums: number,
    rows: number,
    pairs: number,
    blocks: number,
    threshold: number,
    paired: number,
  ): void;
}

/**
 * Sums of columns over resamples of their rows: each resample draws as many rows as there are, uniformly and with
 * replacement, and every column is summed over the same draws, in the order drawn.
 *
 * The draws depend on the seed, the number of rows and the number of resamples before, never on the columns; so a
 * column's sums do not depend on its companions. The same sums to the last bit on every machine: the order of additions
 * is fixed, and vector lanes hold separate sums. The work is done in WebAssembly (resample.wat), because plain
 * JavaScript took more than twice the time; the tests hold its twin in TypeScript.
 *
 * @param columns [columns][rows], all of the same length, at least one row, finite
 * @param options.seed integer; `options.purpose` keeps the draws of one place apart from those of another
 * @returns [columns, resamples] row-major
 */
export function resampleSums(
  columns: readonly Float64Array[],
  options: { resamples: number; seed: number; purpose: string },
): Float64Array {
  const { resamples } = options;
  const sums = new Float64Array(columns.length * resamples);
  if (columns.length === 0) return sums;
  const rows = columns[0]!.length;
  const pairs = Math.ceil(columns.length / 2);
  const blocks = Math.ceil(resamples / lanes);

  // The kernel's memory, one array after another; it may draw one vector of offsets more than there are rows.
  const stateAt = 0;
  const offsetsAt = stateAt + 4 * vectorBytes;
  const columnsAt = offsetsAt + (rows + 1) * vectorBytes;
  const sumsAt = columnsAt + pairs * rows * vectorBytes;
  const bytes = sumsAt + pairs * blocks * lanes * vectorBytes;
  requireAddressable(bytes);
  const { kernel, buffer } = startKernel<Kernel>(resampleModule, bytes);

  const random = new RandomSource(options.seed, options.purpose);
  const state = new Uint32Array(buffer, stateAt, 4 * lanes);
  for (let word = 0; word < state.length; word++) state[word] = random.uint32();
  const interleaved = new Float64Array(buffer, columnsAt, pairs * rows * 2);
  for (const [column, values] of columns.entries()) {
    const start = (column >>> 1) * rows * 2 + (column & 1);
    for (let row = 0; row < rows; row++) interleaved[start + row * 2] = values[row]!;
  }

  const paired = rows <= largestPaired;
  const threshold = twoTo32 % (paired ? rows * rows : rows);
  kernel.resample(stateAt, offsetsAt, columnsAt, sumsAt, rows, pairs, blocks, threshold, paired ? 1 : 0);

  const interleavedSums = new Float64Array(buffer, sumsAt, pairs * blocks * lanes * 2);
  for (let column = 0; column < columns.length; column++) {
    const start = (column >>> 1) * blocks * lanes * 2 + (column & 1);
    for (let resample = 0; resample < resamples; resample++) {
      sums[column * resamples + resample] = interleavedSums[start + resample * 2]!;
    }
  }
  return sums;
}

/** @throws InvalidArgumentError when the kernel's 32-bit memory cannot hold that many bytes */
function requireAddressable(bytes: number): void {
  if (bytes <= largestKernelMemory) return;
  throw new InvalidArgumentError({
    argument: 'columns',
    value: `${bytes} bytes`,
    expected: 'rows and columns that fit 4 GiB of memory',
  });
}
