import { Tokenizer } from '@huggingface/tokenizers';
import { InvalidInputError } from '../../errors/InvalidInputError.js';

/** A text as the model reads it. */
export interface TokenizedText {
  /** Token ids with the model's special tokens; empty when the text has no content. */
  readonly ids: readonly number[];
  readonly truncated: boolean;
}

/** A `tokenizer.json` with the model's limit on length. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;
  /** Special tokens before and after every text, for example [CLS] and [SEP]. */
  readonly #before: readonly number[];
  readonly #after: readonly number[];

  /** @param maxTokens longest input, special tokens included */
  constructor(tokenizerJson: object, tokenizerConfigJson: object, maxTokens: number) {
    try {
      this.#tokenizer = new Tokenizer(tokenizerJson, tokenizerConfigJson);
    } catch (cause) {
      throw new InvalidInputError({
        location: { file: 'tokenizer.json' },
        value: cause instanceof Error ? cause.message : cause,
        expected: 'a tokenizer that @huggingface/tokenizers supports',
        cause,
      });
    }
    this.#maxTokens = maxTokens;
    const bare = this.#tokenizer.encode('', { add_special_tokens: true }).ids;
    const sample = this.#tokenizer.encode('a', { add_special_tokens: true }).ids;
    let before = 0;
    while (before < bare.length && bare[before] === sample[before]) before++;
    this.#before = bare.slice(0, before);
    this.#after = bare.slice(before);
  }

  /** A text that is too long keeps its beginning, between its special tokens. */
  tokenize(text: string): TokenizedText {
    const content = this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
    if (content.includes(undefined as never)) {
      throw new InvalidInputError({
        location: { file: 'tokenizer.json', field: 'unk_token' },
        value: text,
        expected: 'an unknown token, for a text with pieces outside the vocabulary',
      });
    }
    if (content.length === 0) return { ids: [], truncated: false };
    const room = this.#maxTokens - this.#before.length - this.#after.length;
    const truncated = content.length > room;
    return { ids: [...this.#before, ...(truncated ? content.slice(0, room) : content), ...this.#after], truncated };
  }
}
