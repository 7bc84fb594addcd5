import type { Analyzer } from './Analyzer.js';

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const nameMark = /[\p{Lu}\p{Lt}\p{N}]/u;
const innerMark = /^.+[\p{Lu}\p{Lt}\p{N}]|^\p{N}/u;
const stop = /[.!?:]/;
const whiteSpace = /\s/;
/** What may stand between a stop, or the start of a line, and the sentence: quotes, brackets, bullets. */
const aroundSentences = /["'`“”„‟‘’‚‛«»‹›()[\]{}*•‣·–—#-]/;
/** Characters of a word that say whether it is a version. */
const versionLength = 16;
/** `1.6`, `2.x`, `v4`, `2019-08`, where a word begins. */
const version = /^(?:v\d|\d+[.-][\dx])/i;
/** A version makes a name of the word before it and of the one before that: `libxslt 1.1.33`, `curl before 7.5`. */
const versionReach = 2;

/** Before a term of which a text says no more than that it can begin a sentence. No analyzer's terms begin with it. */
const undecidedMark = '^';

/**
 * An analyzer that keeps only the words that a text writes as names, each once: with a capital letter or a digit (`Chrome`,
 * `iTunes`, `log4j`, `2016`), or ahead of a version (`libxslt 1.1.33`, `curl before 7.5`). A capital that begins a sentence
 * tells nothing; a word that a text has in no other place is kept as undecided. An index by it, beside the one of all words,
 * says in how many documents of any snapshot a term is a name (see `namenessOf`): a statistic of spelling that tells what
 * texts are about from the words in which they talk about it, without any list of words.
 */
export function namesOf(analyzer: Analyzer): Analyzer {
  return {
    id: `names/3(${analyzer.id})`,
    tokenize(text) {
      const normalized = text.normalize('NFKC');
      const words = Array.from(normalized.matchAll(word), ({ 0: found, index }) => ({ found, index }));
      const named = new Set<string>();
      const first: string[] = [];
      const plainWords = new Set<string>();
      for (const [at, { found, index }] of words.entries()) {
        const hasMark = nameMark.test(found);
        const isFirst = hasMark && !innerMark.test(found) && beginsSentence(normalized, index);
        if ((hasMark && !isFirst) || isVersioned(normalized, words, at)) {
          for (const term of analyzer.tokenize(found)) named.add(term);
        } else if (isFirst) first.push(found);
        else plainWords.add(found);
      }
      const terms = [...named];
      const undecided = first.filter((found) => !plainWords.has(found.toLowerCase()));
      for (const term of new Set(undecided.flatMap((found) => analyzer.tokenize(found)))) {
        if (!named.has(term)) terms.push(undecidedMark + term);
      }
      return terms;
    },
  };
}

/**
 * Whether nothing but white space, quotes, brackets and bullets is between a word and the start of the text, the start of its
 * line, or a stop that white space follows.
 */
function beginsSentence(text: string, index: number): boolean {
  let isApart = false;
  for (let at = index - 1; at >= 0; at--) {
    const character = text[at]!;
    if (character === '\n') return true;
    if (whiteSpace.test(character)) isApart = true;
    else if (!aroundSentences.test(character)) return isApart && stop.test(character);
  }
  return true;
}

/** Whether a version follows, with nothing but white space and at most one word between. */
function isVersioned(text: string, words: readonly { found: string; index: number }[], at: number): boolean {
  for (let next = at + 1; next <= at + versionReach && next < words.length; next++) {
    const { found, index } = words[next - 1]!;
    const start = words[next]!.index;
    if (text.slice(index + found.length, start).trim() !== '') return false;
    if (version.test(text.slice(start, start + versionLength))) return true;
  }
  return false;
}

interface DocumentCounts {
  /** Live documents that hold a term. */
  documentFrequencyOf(term: string): number;
}

/**
 * How often texts write a term as a name: (named + 0.5) / (decided + 1), in (0, 1). `named` counts the documents of a snapshot
 * that write it so, `decided` those that hold it and do not only begin sentences with it. One half where nothing is known.
 *
 * @param words the snapshot of an index by some analyzer
 * @param names the same snapshot of an index by `namesOf` that analyzer
 */
export function namenessOf(term: string, words: DocumentCounts, names: DocumentCounts): number {
  const named = names.documentFrequencyOf(term);
  const undecided = names.documentFrequencyOf(undecidedMark + term);
  return (named + 0.5) / (Math.max(named, words.documentFrequencyOf(term) - undecided) + 1);
}
