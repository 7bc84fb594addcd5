import { describe, expect, it } from 'vitest';
import { namesOf } from './names.js';
import { plain } from './plain.js';

const analyzer = namesOf(plain);
const terms = (text: string) => analyzer.tokenize(text).sort();

describe('a capital letter that may only begin a sentence', () => {
  it.each([
    'Chrome fails',
    '  Chrome fails',
    '          Chrome fails',
    'it fails. Chrome is old',
    'it fails.             Chrome is old',
    'it fails\nChrome is old',
    'it fails\r\n\r\n            Chrome is old',
    '"Chrome fails"',
    '(“Chrome fails”)',
    'it said: "Chrome fails"',
    'it said. (Chrome fails)',
    '"it fails." Chrome is old',
    '(it fails.) Chrome is old',
    'it fails\n- Chrome is old',
    '• Chrome is old',
    '## Chrome fails',
  ])('is undecided in %j', (text) => {
    expect(terms(text)).toEqual(['^chrome']);
  });

  it.each([
    'it fails in          Chrome',
    'it fails in\t\t\t\t\t\t\t\t\tChrome',
    'it fails in "Chrome"',
    'it fails (Chrome)',
    'it fails - Chrome too',
    'it fails in.Chrome',
    'it fails, Chrome too',
  ])('is a name in %j', (text) => {
    expect(terms(text)).toEqual(['chrome']);
  });

  it('is told apart in a time that grows with the text', () => {
    const began = process.cpuUsage();
    expect(terms(`it fails in${' '.repeat(200_000)}Chrome`)).toEqual(['chrome']);
    expect(terms(`${'\n('.repeat(200_000)}|${'. "'.repeat(200_000)}Chrome`)).toEqual(['^chrome']);
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  });
});
