/**
 * The first character of a text file that is no white space (as Latin-1; empty when there is none), which tells JSON,
 * markup and plain columns apart, and the whole file.
 */
export async function sniff(chunks: AsyncGenerator<Buffer>): Promise<{ first: string; all: AsyncGenerator<Buffer> }> {
  const held: Buffer[] = [];
  let first = '';
  while (first === '') {
    const next = await chunks.next();
    if (next.done) break;
    held.push(next.value);
    first = /[^ \t\r\n]/.exec(next.value.toString('latin1'))?.[0] ?? '';
  }
  return { first, all: replay(held, chunks) };
}

async function* replay(held: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* held.splice(0);
    yield* rest;
  } finally {
    // Left before its own turn came, the rest would keep its file open.
    await rest.return(undefined);
  }
}
