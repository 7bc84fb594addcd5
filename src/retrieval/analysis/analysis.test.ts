import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { analyzerNamed, analyzers } from './analyzerNamed.js';
import { english, englishStopWords } from './english.js';
import { plain, tokenizeAscii, tokenizeUnicode } from './plain.js';
import { whitespace } from './whitespace.js';

/** Text that mixes scripts, marks, digits, surrogate pairs, lone surrogates, separators and what NFKC rewrites. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'ﬁ',
        'İ',
        'ß',
        'ẞ',
        '①',
        '½',
        'Å',
        '\u0301',
        '\u0327',
        '\u2028',
        '\ud800',
        '😀',
        'न',
        'ि',
        'Σ',
        '　',
        'ｶﾞ',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe.each(Object.entries(analyzers))('analyzer %s', (_name, analyzer) => {
  it('gives terms that are not empty and hold no white space, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of analyzer.tokenize(text)) expect(term).toMatch(/^\S+$/);
      }),
    );
  });

  it('gives no terms for text without any, and treats texts apart from one another', () => {
    expect(analyzer.tokenize('')).toEqual([]);
    expect(analyzer.tokenize(' \n\t')).toEqual([]);
    expect(analyzer.tokenize('alpha')).toEqual(analyzer.tokenize('alpha'));
  });
});

describe('plain', () => {
  it('has an ASCII path that equals the Unicode path', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(ascii, (text) => {
        expect(tokenizeAscii(text)).toEqual(tokenizeUnicode(text));
      }),
    );
  });

  it('takes the Unicode path for any text beyond ASCII', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(plain.tokenize(text)).toEqual(tokenizeUnicode(text));
      }),
    );
  });

  it.each([
    ["The player's 2.0 release, v1.10-rc_3!", ['the', 'player', 's', '2', '0', 'release', 'v1', '10', 'rc', '3']],
    ['$1,496.5 | 50%', ['1', '496', '5', '50']],
    ['Zürich ÉCOLE Dráma', ['zürich', 'école', 'dráma']],
    ['Zu\u0308rich', ['zürich']],
    ['ﬁne Ａ１ ①② x²', ['fine', 'a1', '12', 'x2']],
    ['İstanbul', ['i\u0307stanbul']],
    ['हिन्दी ไทยนี้', ['हिन्दी', 'ไทยนี้']],
    ['\u0301a \u0301', ['a']],
    ['東京2020', ['東京2020']],
    ['ΟΔΟΣ', ['οδο\u03c2']],
    ['a\u2028b\u2029c\u00a0d', ['a', 'b', 'c', 'd']],
    ['x\ud800y', ['x', 'y']],
  ])('reads %j as %j', (text, terms) => {
    expect(plain.tokenize(text)).toEqual(terms);
  });
});

describe('english', () => {
  // The sample vocabulary printed on Snowball's page for the English stemmer: 40 words from `consign`, 40 from `knack`.
  const sample = `
    consign:consign consigned:consign consigning:consign consignment:consign consist:consist consisted:consist
    consistency:consist consistent:consist consistently:consist consisting:consist consists:consist
    consolation:consol consolations:consol consolatory:consolatori console:consol consoled:consol consoles:consol
    consolidate:consolid consolidated:consolid consolidating:consolid consoling:consol consolingly:consol
    consols:consol consonant:conson consort:consort consorted:consort consorting:consort conspicuous:conspicu
    conspicuously:conspicu conspiracy:conspiraci conspirator:conspir conspirators:conspir conspire:conspir
    conspired:conspir conspiring:conspir constable:constabl constables:constabl constance:constanc
    constancy:constanc constant:constant
    knack:knack knackeries:knackeri knacks:knack knag:knag knave:knave knaves:knave knavish:knavish kneaded:knead
    kneading:knead knee:knee kneel:kneel kneeled:kneel kneeling:kneel kneels:kneel knees:knee knell:knell knelt:knelt
    knew:knew knick:knick knif:knif knife:knife knight:knight knightly:knight knights:knight knit:knit knits:knit
    knitted:knit knitting:knit knives:knive knob:knob knobs:knob knock:knock knocked:knock knocker:knocker
    knockers:knocker knocking:knock knocks:knock knopp:knopp knot:knot knots:knot`;

  // Exceptional forms and worked examples of the algorithm's definition on the same page.
  const definition = `
    skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli
    singly:singl sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes inning:inning
    outing:outing canning:canning herring:herring earring:earring proceed:proceed exceed:exceed succeed:succeed
    ties:tie cries:cri gas:gas gaps:gap kiwis:kiwi luxuriated:luxuri hopping:hop hoping:hope cry:cri say:say`;

  it.each([sample, definition])('stems as Porter2 is published (list %#)', (pairs) => {
    for (const pair of pairs.trim().split(/\s+/)) {
      const [word, stem] = pair.split(':') as [string, string];
      expect(`${word}:${english.tokenize(word).join(' ')}`).toBe(`${word}:${stem}`);
    }
  });

  it('drops stop words before it stems, so that a stem which looks like one stays', () => {
    expect(english.tokenize('The ITS of thees')).toEqual(['it', 'thee']);
    expect(english.tokenize([...englishStopWords].join(' '))).toEqual([]);
  });

  it('leaves numbers and words of other scripts as they are', () => {
    expect(english.tokenize('036 13500 東京 école')).toEqual(['036', '13500', '東京', 'école']);
  });
});

describe('whitespace', () => {
  it('reads back what terms joined by spaces were', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = plain.tokenize(text);
        expect(whitespace.tokenize(terms.join(' '))).toEqual(terms);
      }),
    );
  });
});

describe('analyzerNamed', () => {
  it('finds an analyzer by name and names the choices when there is none', () => {
    expect(analyzerNamed('english')).toBe(english);
    expect(() => analyzerNamed('toString')).toThrow(InvalidArgumentError);
    expect(() => analyzerNamed('german')).toThrow('plain, english, whitespace');
  });
});
