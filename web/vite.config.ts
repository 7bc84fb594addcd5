import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Builds the dashboard into `dist/web`, from where `asof serve` serves it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Small files inlined into the page would need a laxer content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  // `npx vite web` beside `asof serve`.
  server: { proxy: { '/v1': 'http://127.0.0.1:8700', '/healthz': 'http://127.0.0.1:8700' } },
});
