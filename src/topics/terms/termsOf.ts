const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const digitsOnly = /^\p{N}+$/u;

/** Words that name no topic: articles, prepositions, pronouns and the forms of be, do, have and the modal verbs. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between both but by can could ' +
    'did do does doing down during each few for from further had has have having he her here hers him his how i if in ' +
    'into is it its itself just may me might more most must my no nor not now of off on once only or other our ours out ' +
    'over own s same shall she should so some such t than that the their theirs them then there these they this those ' +
    'through to too under until up upon very via was we were what when where which while who whom why will with within ' +
    'without would you your yours'
  ).split(' '),
);

/**
 * The words of a text that can name a topic: NFKC, lower case by Unicode's rules, runs of letters and digits; without
 * stop words, single characters and bare numbers. In text order, repeated words repeated.
 */
export function termsOf(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(word) ?? [];
  return words.filter((term) => term.length > 1 && !stopWords.has(term) && !digitsOnly.test(term));
}

/** How often each term occurs in some texts together. */
export function countTerms(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
