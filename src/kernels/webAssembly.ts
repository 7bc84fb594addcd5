/**
 * The part of the WebAssembly API that kernels need. TypeScript types it in the DOM library only, which would bring the
 * names of a browser into a program that has none.
 */
interface WebAssemblyApi {
  readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { exports: unknown };
}

const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

const pageBytes = 65_536;
/** Most bytes that a kernel can address. */
export const largestKernelMemory = 65_536 * pageBytes;

const compiled = new Map<string, object>();

/**
 * Starts a kernel over `bytes` of zeroed memory of its own.
 * @param module a module in base64 that imports `host.memory`; compiled once in a thread
 * @returns its exports, which the caller knows (a test compiles the text and compares), and the memory
 */
export function startKernel<Exports>(module: string, bytes: number): { kernel: Exports; buffer: ArrayBuffer } {
  const pages = Math.max(1, Math.ceil(bytes / pageBytes));
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages });
  let code = compiled.get(module);
  if (code === undefined) {
    code = new webAssembly.Module(Buffer.from(module, 'base64'));
    compiled.set(module, code);
  }
  const { exports } = new webAssembly.Instance(code, { host: { memory } });
  return { kernel: exports as Exports, buffer: memory.buffer };
}
