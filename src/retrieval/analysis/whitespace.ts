import type { Analyzer } from './Analyzer.js';

const term = /\S+/g;

/** Analyzer `whitespace`: the text is already a list of terms, parted by white space. For tests and comparisons. */
export const whitespace: Analyzer = {
  id: 'whitespace/1',
  tokenize: (text) => text.match(term) ?? [],
};
