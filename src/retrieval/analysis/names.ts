import type { Analyzer } from './Analyzer.js';

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const nameMark = /[\p{Lu}\p{Lt}\p{N}]/u;
const innerMark = /^.+[\p{Lu}\p{Lt}\p{N}]|^\p{N}/u;
const sentenceStart = /(?:^|[.!?:]\s|\n)\s*$/;
/** Characters before a word that decide whether it begins a sentence: enough for a stop and the white space after it. */
const lookBehind = 8;

/**
 * An analyzer that keeps only the words that a text writes as names: with a capital letter or a digit (`Chrome`, `iTunes`,
 * `log4j`, `2016`). A capital that only begins a sentence does not count. An index by it, beside the one of all words, says
 * in how many documents of any snapshot a term is a name: a statistic of spelling that tells what texts are about from the
 * words in which they talk about it, without any list of words.
 */
export function namesOf(analyzer: Analyzer): Analyzer {
  return {
    id: `names/1(${analyzer.id})`,
    tokenize(text) {
      const normalized = text.normalize('NFKC');
      const terms: string[] = [];
      for (const { 0: found, index } of normalized.matchAll(word)) {
        if (!nameMark.test(found)) continue;
        const before = normalized.slice(Math.max(0, index - lookBehind), index);
        if (!innerMark.test(found) && sentenceStart.test(before)) continue;
        terms.push(...analyzer.tokenize(found));
      }
      return terms;
    },
  };
}
