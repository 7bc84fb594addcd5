/**
 * Turns text into the terms that lexical retrieval counts.
 *
 * A tokenizer is a pure function of its text: no locale, no state, no clock. Terms are never empty and never hold white
 * space, so that terms joined by spaces can be written to a file and read back.
 */
export interface Analyzer {
  /** Names the rule and its version; part of every commitment to an index. A rule that changes gets a new id. */
  readonly id: string;
  /** Terms in text order, repeated terms repeated. Text without any term: an empty list. */
  tokenize(text: string): string[];
}
