/**
 * transformers.js beside asof's embedder, on the same model file. One JSON object a line on standard input, one a line
 * back. First line: {"package": folder of @huggingface/transformers, "models": folder, "model": name in it, "dtype",
 * "threads"}; the answer names the versions. Then, for each {"texts": [...], "batch": n}: embeds with mean pooling and
 * normalisation, sorted by length to keep padding small, and answers {"seconds", "cpuSeconds", "vectors"}.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const setup = JSON.parse((await lines.next()).value);
const resolve = createRequire(`${setup.package}/`).resolve;
const { env, pipeline } = await import(pathToFileURL(resolve('@huggingface/transformers')).href);
env.allowRemoteModels = false;
env.localModelPath = setup.models;
const extract = await pipeline('feature-extraction', setup.model, {
  dtype: setup.dtype,
  device: 'cpu',
  session_options: {
    intraOpNumThreads: setup.threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    extra: { session: { disable_quant_qdq: '1' } },
  },
});
const { version } = JSON.parse(readFileSync(`${setup.package}/package.json`, 'utf8'));
console.log(JSON.stringify({ 'transformers.js': version }));

for await (const line of lines) {
  const { texts, batch } = JSON.parse(line);
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  const order = [...texts.keys()].sort((a, b) => texts[a].length - texts[b].length);
  const vectors = new Array(texts.length);
  for (let at = 0; at < order.length; at += batch) {
    const rows = order.slice(at, at + batch);
    const output = await extract(
      rows.map((row) => texts[row]),
      { pooling: 'mean', normalize: true },
    );
    const dimension = output.dims[1];
    for (const [i, row] of rows.entries()) vectors[row] = output.data.slice(i * dimension, (i + 1) * dimension);
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuStart);
  const cpuSeconds = (user + system) / 1e6;
  console.log(JSON.stringify({ seconds, cpuSeconds, vectors: vectors.map((vector) => [...vector]) }));
}
