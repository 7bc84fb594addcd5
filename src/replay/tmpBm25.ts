import { sha256Hex } from '../commitment/sha256.js';
import type { Corpus } from '../corpus/corpus.js';
import type { SparseVectors } from '../memory/vectorSimilarity.js';
import { newRankedBlock, type RankedBlock, TopSelector } from '../retrieval/ranking.js';

export const tok = (t: string) =>
  t
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
export class TmpIndex {
  post = new Map<string, { r: number[]; f: number[] }>();
  len: Float64Array;
  constructor(readonly corpus: Corpus) {
    this.len = new Float64Array(corpus.size);
    for (let r = 0; r < corpus.size; r++) {
      const c = new Map<string, number>();
      const ts = tok(corpus.texts[r]!);
      this.len[r] = ts.length;
      for (const t of ts) c.set(t, (c.get(t) ?? 0) + 1);
      for (const [t, f] of c) {
        let p = this.post.get(t);
        if (!p) this.post.set(t, (p = { r: [], f: [] }));
        p.r.push(r);
        p.f.push(f);
      }
    }
  }
  df(t: string, n: number): number {
    const p = this.post.get(t);
    if (!p) return 0;
    let k = p.r.length;
    while (k > 0 && p.r[k - 1]! >= n) k--;
    return k;
  }
  rank(queries: readonly string[], depth: number, n: number): RankedBlock {
    const out = newRankedBlock(queries.length, depth);
    let tot = 0;
    for (let r = 0; r < n; r++) tot += this.len[r]!;
    const avg = n ? tot / n : 0;
    const acc = new Float64Array(n);
    const sel = new TopSelector(depth);
    for (const [q, text] of queries.entries()) {
      acc.fill(0);
      for (const t of tok(text)) {
        const df = this.df(t, n);
        if (!df) continue;
        const idf = Math.log(1 + (n - df + 0.5) / (df + 0.5));
        const p = this.post.get(t)!;
        for (let k = 0; k < df; k++) {
          const r = p.r[k]!;
          acc[r]! += (idf * p.f[k]!) / (p.f[k]! + 1.5 * (0.25 + (0.75 * this.len[r]!) / avg));
        }
      }
      for (let r = 0; r < n; r++) if (acc[r]! > 0) sel.push(r, acc[r]!, this.corpus.idOrder[r]!);
      out.lengths[q] = sel.drain(out.rows, out.scores, q * depth);
    }
    return out;
  }
  vectors(texts: readonly string[], n: number): SparseVectors {
    const vocab = new Map<string, number>();
    const offsets = new Uint32Array(texts.length + 1);
    const terms: number[] = [];
    const weights: number[] = [];
    for (const [q, text] of texts.entries()) {
      const c = new Map<number, { f: number; t: string }>();
      for (const t of tok(text)) {
        let v = vocab.get(t);
        if (v === undefined) vocab.set(t, (v = vocab.size));
        const e = c.get(v);
        if (e) e.f++;
        else c.set(v, { f: 1, t });
      }
      const es = [...c]
        .sort((a, b) => a[0] - b[0])
        .map(([v, { f, t }]) => {
          const df = this.df(t, n);
          return [v, f * Math.log(1 + (n - df + 0.5) / (df + 0.5))] as const;
        });
      const norm = Math.sqrt(es.reduce((s, [, w]) => s + w * w, 0));
      for (const [v, w] of es) {
        terms.push(v);
        weights.push(norm > 0 ? w / norm : 0);
      }
      offsets[q + 1] = terms.length;
    }
    return { kind: 'sparse', offsets, terms: Uint32Array.from(terms), weights: Float64Array.from(weights) };
  }
  hash = sha256Hex('tmp');
}
