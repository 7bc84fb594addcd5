/**
 * The part of the WebAssembly API that the kernel needs. TypeScript types it in the DOM library only, which would bring
 * the names of a browser into a program that has none.
 */
export interface WebAssemblyApi {
  readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { exports: unknown };
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
