import { stem } from 'porter2';
import type { Analyzer } from './Analyzer.js';
import { plain } from './plain.js';

/**
 * Words that say little of what a text is about: the 33 of Lucene's EnglishAnalyzer, so that runs can be compared with
 * Lucene, Anserini and bm25s, which drop the same ones.
 */
export const englishStopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such ' +
    'that the their then there these they this to was will with'
  ).split(' '),
);

/**
 * Analyzer `english`: `plain`, less stop words, then stemmed by Porter2 (Porter 2001, the English stemmer of Snowball).
 * The stemmer gives what libstemmer 2.2 gives; Snowball 3 later moved some words (`biologist`, `organic`), hence the
 * version in the id.
 */
export const english: Analyzer = {
  id: 'english/1+porter2-2.2',
  tokenize(text) {
    const terms: string[] = [];
    for (const word of plain.tokenize(text)) if (!englishStopWords.has(word)) terms.push(stem(word));
    return terms;
  },
};
