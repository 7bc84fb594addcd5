import { describe, expect, it } from 'vitest';
import type { TopicEvent } from '../trackers/TopicTracker.js';
import { noTopic, TopicVocabulary } from './TopicVocabulary.js';

function counts(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const term of text.split(' ')) terms.set(term, (terms.get(term) ?? 0) + 1);
  return terms;
}

function slice(texts: Readonly<Record<number, string>>): Map<number, Map<string, number>> {
  return new Map(Object.entries(texts).map(([topic, text]) => [Number(topic), counts(text)]));
}

function event(kind: TopicEvent['kind'], topic: number, other: number | null): TopicEvent {
  return { kind, topic, other, cosine: null, documents: 1 };
}

const first = TopicVocabulary.empty().after(
  slice({ 1: 'login login user', 2: 'bucket bucket user', [noTopic]: 'x' }),
  [],
);

describe('TopicVocabulary', () => {
  it('tells what sets a topic apart over its slices, of which the later weigh more', () => {
    let vocabulary = first;
    expect(vocabulary.terms(1)).toEqual(
      new Map([
        [noTopic, ['x']],
        [1, ['login']],
        [2, ['bucket']],
      ]),
    );
    // One odd word in one slice does not name the topic; many slices of another word do.
    vocabulary = vocabulary.after(slice({ 1: 'odd' }), []);
    expect(vocabulary.terms(1).get(1)).toEqual(['login']);
    for (let i = 0; i < 20; i++) vocabulary = vocabulary.after(slice({ 1: 'token token' }), []);
    expect(vocabulary.terms(2).get(1)).toEqual(['token', 'login']);
  });

  it('gives the words of a topic that has merged, or was succeeded, to the one that goes on, and forgets one that ended', () => {
    for (const taken of [event('merge', 2, 1), event('succession', 1, 2)]) {
      const terms = first.after(new Map(), [taken]).terms(9);
      expect(terms.get(1)).toEqual(['bucket', 'login', 'user']);
      expect(terms.has(2)).toBe(false);
    }
    expect(
      first
        .after(new Map(), [event('end', 2, null)])
        .terms(9)
        .has(2),
    ).toBe(false);
    expect(
      first
        .after(new Map(), [event('succession', 1, null)])
        .terms(9)
        .has(2),
    ).toBe(true);
  });

  it('comes back from what was saved, to the bit, and is not altered by what follows', () => {
    const saved = first.save();
    const again = TopicVocabulary.restored(saved);
    expect(again.save()).toEqual(saved);
    const next = slice({ 1: 'token', 3: 'new' });
    expect(again.after(next, []).save()).toEqual(first.after(next, []).save());
    expect(first.save()).toEqual(saved);
  });

  it('remembers a bounded number of terms, those that occur most', () => {
    const many = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ');
    const vocabulary = TopicVocabulary.empty().after(slice({ 1: `${many} often often` }), []);
    const terms = vocabulary.terms(1000).get(1)!;
    expect(terms).toHaveLength(100);
    expect(terms[0]).toBe('often');
  });
});
