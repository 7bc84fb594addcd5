import { jsonLines } from '../../testing/temporaryFiles.js';
import type { DatasetFormat, ReadOptions } from '../datasetReader.js';

/** A small data set in one format, and what must be read from it. */
export interface SampleDataset {
  readonly format: DatasetFormat;
  readonly options?: ReadOptions;
  readonly files: Record<string, string>;
  /** `type id: text` of each asset, in corpus order. */
  readonly assets: readonly string[];
  /** `id: text -> gold ids` of each request, in id order; the gold ids too. */
  readonly requests: readonly string[];
  readonly unjudged?: number;
  /** Faults: a file's new content, and the error that names file, line and value. */
  readonly faults: readonly { rule: string; file: string; content: (good: string) => string; message: RegExp }[];
}

const replaced = (from: string, to: string) => (good: string) => {
  if (!good.includes(from)) throw new Error(`the sample has no ${from}`);
  return good.replace(from, to);
};
const added = (more: string) => (good: string) => good + more;

export const sampleDatasets: readonly SampleDataset[] = [
  {
    format: 'asof',
    files: {
      'assets.jsonl': jsonLines(
        { id: 'b', type: 'note', title: 'B', text: 'second', availableAt: '2020-01-01' },
        { id: 'a', text: 'first' },
        { id: 'c', table: { header: ['x', 1], rows: [[true, null]] } },
      ),
      'requests.jsonl': jsonLines({ id: 'q2', text: 'two', gold: ['a'] }, { id: 'q1', text: 'one', gold: ['c', 'b'] }),
    },
    assets: ['text a: first', 'table c: x | 1\ntrue | ', 'note b: B\nsecond'],
    requests: ['q1: one -> b c', 'q2: two -> a'],
    faults: [
      {
        rule: 'a line cut short',
        file: 'assets.jsonl',
        content: added('{"id": "d"'),
        message: /assets\.jsonl:4: got .*a JSON object/,
      },
      {
        rule: 'a date in another format',
        file: 'assets.jsonl',
        content: replaced('2020-01-01', '01/01/2020'),
        message: /assets\.jsonl:1: availableAt: got "01\/01\/2020".*ISO 8601/,
      },
      {
        rule: 'a table without rows',
        file: 'assets.jsonl',
        content: replaced(',"rows":[[true,null]]', ''),
        message: /assets\.jsonl:3: table\.rows: got nothing, expected a list/,
      },
      {
        rule: 'text and table at once',
        file: 'assets.jsonl',
        content: replaced('"id":"c"', '"id":"c","text":""'),
        message: /assets\.jsonl:3: text: got ""/,
      },
      {
        rule: 'gold that is no list',
        file: 'requests.jsonl',
        content: replaced('["a"]', '"a"'),
        message: /requests\.jsonl:1: gold: got "a", expected a list/,
      },
      {
        rule: 'an empty id',
        file: 'requests.jsonl',
        content: replaced('"q1"', '""'),
        message: /requests\.jsonl:2: id: got ""/,
      },
    ],
  },
  {
    format: 'tatqa',
    files: {
      'tatqa_dataset_dev.json': JSON.stringify(
        [
          {
            table: {
              uid: 'T',
              table: [
                ['', '2019'],
                ['Total', '1,496'],
              ],
            },
            paragraphs: [
              { uid: 'P1', order: 1, text: 'one' },
              { uid: 'P2', order: 2, text: 'two' },
            ],
            questions: [
              { uid: 'Q2', question: 'sum?', answer_from: 'table-text', rel_paragraphs: ['2'] },
              { uid: 'Q1', question: 'kind?', answer_from: 'text', rel_paragraphs: ['2', '1'] },
              { uid: 'Q3', question: 'total?', answer_from: 'table', rel_paragraphs: [] },
            ],
          },
          { table: { uid: 'E', table: [] }, paragraphs: [], questions: [] },
        ],
        null,
        1,
      ),
    },
    assets: ['table E: ', 'text P1: one', 'text P2: two', 'table T:  | 2019\nTotal | 1,496'],
    requests: ['Q1: kind? -> P1 P2', 'Q2: sum? -> P2 T', 'Q3: total? -> T'],
    faults: [
      {
        rule: 'a paragraph that is not there',
        file: 'tatqa_dataset_dev.json',
        content: replaced('"2",', '"3",'),
        message: /tatqa_dataset_dev\.json:2: questions\[1\]\.rel_paragraphs\[0\]: got "3".*page T/s,
      },
      {
        rule: 'an unknown source',
        file: 'tatqa_dataset_dev.json',
        content: replaced('"text",', '"image",'),
        message: /questions\[1\]\.answer_from: got "image"/,
      },
      {
        rule: 'a question without text',
        file: 'tatqa_dataset_dev.json',
        content: replaced('"sum?"', '""'),
        message: /text: got "".*request "Q2"/,
      },
    ],
  },
  {
    format: 'tatqa',
    options: { gold: 'page' },
    files: {
      'tatqa_dataset_test_gold.json': JSON.stringify([
        {
          table: { uid: 'T', table: [['h']] },
          paragraphs: [{ uid: 'P', order: 1, text: 'one' }],
          questions: [{ uid: 'Q', question: 'what?', answer_from: 'text', rel_paragraphs: ['1'] }],
        },
      ]),
    },
    assets: ['text P: one', 'table T: h'],
    requests: ['Q: what? -> P T'],
    faults: [],
  },
  {
    format: 'dpdisc',
    files: {
      'Toy_corpus.jsonl': jsonLines(
        {
          table: { uid: 't1', title: 'Rivers', header: ['name'], value: [['Rhine'], ['Elbe']] },
          synth_text: [
            { uid: 's1', title: 'Rhine', text: 'flows' },
            { uid: 's2', title: 'Elbe', text: 'flows too' },
          ],
        },
        {
          table: { uid: 't2', title: '', header: ['km'], value: [] },
          synth_text: [{ uid: 's1', title: 'Rhine', text: 'flows' }],
        },
      ),
      'Toy_train.jsonl': jsonLines({
        dpr_id: 2,
        DPR: 'all rivers',
        ground_truth: { table: ['t1'], synth_text: ['s2', 's1'] },
      }),
      'Toy_dev.jsonl': jsonLines({ dpr_id: 10, DPR: 'lengths', ground_truth: { table: ['t2'], synth_text: [] } }),
    },
    assets: [
      'text s1: Rhine\nflows',
      'text s2: Elbe\nflows too',
      'table t1: Rivers\nname\nRhine\nElbe',
      'table t2: km',
    ],
    requests: ['10: lengths -> t2', '2: all rivers -> s1 s2 t1'],
    faults: [
      {
        rule: 'one id with two contents',
        file: 'Toy_corpus.jsonl',
        content: (good) => good.replace(/flows"}\]}\n$/, 'stands"}]}\n'),
        message: /Toy_corpus\.jsonl:2: id: got "s1".*first at .*Toy_corpus\.jsonl:1/,
      },
      {
        rule: 'a request without truth',
        file: 'Toy_dev.jsonl',
        content: replaced('"ground_truth"', '"truth"'),
        message: /Toy_dev\.jsonl:1: ground_truth: got nothing/,
      },
      {
        rule: 'unknown gold',
        file: 'Toy_dev.jsonl',
        content: replaced('"t2"', '"t9"'),
        message: /Toy_dev\.jsonl:1: gold\[0\]: got "t9"/,
      },
    ],
  },
  {
    format: 'freshstack',
    files: {
      'corpus.jsonl': jsonLines({ _id: 'd1', title: '', text: 'code' }, { _id: 'd2', text: 'more' }),
      'queries.jsonl': jsonLines({
        query_id: 76185522,
        query_title: 'Why?',
        query_text: 'It fails.',
        metadata: { date: '2023-05-05T16:13:07.930' },
        nuggets: [
          { text: 'n1', relevant_corpus_ids: ['d2'], non_relevant_corpus_ids: ['d1'] },
          { text: 'n2', relevant_corpus_ids: ['d1', 'd2'] },
        ],
      }),
    },
    assets: ['text d1: code', 'text d2: more'],
    requests: ['76185522: Why? It fails. @1683303187930 -> d1 d2'],
    faults: [
      {
        rule: 'a document without id',
        file: 'corpus.jsonl',
        content: replaced('"_id":"d2",', ''),
        message: /corpus\.jsonl:2: _id: got nothing/,
      },
      {
        rule: 'a date that is none',
        file: 'queries.jsonl',
        content: replaced('2023-05-05', '2023-02-30'),
        message: /queries\.jsonl:1: metadata\.date: got "2023-02-30/,
      },
      {
        rule: 'no nuggets',
        file: 'queries.jsonl',
        content: (good) => good.replace(/"nuggets":.*/, '"nuggets":[]}'),
        message: /queries\.jsonl:1: gold: got \[\]/,
      },
    ],
  },
  {
    format: 'beir',
    files: {
      'corpus.jsonl': jsonLines(
        { _id: 'd1', title: 'T', text: 'x' },
        { _id: 'd 2', title: '', text: '', metadata: {} },
      ),
      'queries.jsonl': jsonLines(
        { _id: 'q1', text: 'one' },
        { _id: 'q2', text: 'two' },
        { _id: 'train', text: 'three' },
      ),
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t0\nq2\td 2\t2\nq2\td 2\t2\n',
    },
    assets: ['text d 2: ', 'text d1: T\nx'],
    requests: ['q1: one -> d1', 'q2: two -> d 2'],
    unjudged: 1,
    faults: [
      {
        rule: 'a score that is none',
        file: 'qrels/test.tsv',
        content: replaced('d1\t1', 'd1\tyes'),
        message: /test\.tsv:2: got "q1\\td1\\tyes"/,
      },
      {
        rule: 'two scores for one pair',
        file: 'qrels/test.tsv',
        content: added('q2\td 2\t1\n'),
        message: /test\.tsv:6: score: got 1.*before: 2/,
      },
      {
        rule: 'a judged query that is not there',
        file: 'qrels/test.tsv',
        content: added('q9\td1\t1\n'),
        message: /test\.tsv:6: query: got "q9"/,
      },
      {
        rule: 'a query with nothing relevant',
        file: 'qrels/test.tsv',
        content: replaced('q1\td1\t1', 'q1\td1\t0'),
        message: /queries\.jsonl:1: gold: got \[\].*request "q1"/,
      },
      {
        rule: 'a judged document that is not there',
        file: 'qrels/test.tsv',
        content: replaced('d1\t1', 'd7\t1'),
        message: /queries\.jsonl:1: gold\[0\]: got "d7"/,
      },
    ],
  },
  {
    format: 'trec',
    files: {
      'collection.tsv': 'd1\tfirst text\nd2\ttext with\ta tab\n',
      'topics.txt':
        '<top>\n\n<num> Number: 301 \n<title> Organized\n Crime \n\n<desc> Description: \nWhat?\n\n<narr> Narrative:\nAny.\n\n</top>\n\n' +
        '<top>\n<num>302</num>\n<desc>Only this</desc>\n</top>\n<top>\n<num> Number: 303\n<title> Left out\n</top>\n',
      'qrels.txt': '301 0 d1 1\n301 0  d2 -1\n302\t0\td2\t2\n',
    },
    assets: ['text d1: first text', 'text d2: text with\ta tab'],
    requests: ['301: Organized Crime -> d1', '302: Only this -> d2'],
    unjudged: 1,
    faults: [
      {
        rule: 'a line without tab',
        file: 'collection.tsv',
        content: added('d3 text\n'),
        message: /collection\.tsv:3: got "d3 text", expected an id, a tab and a text/,
      },
      {
        rule: 'a row of another width',
        file: 'qrels.txt',
        content: added('301 d1 1\n'),
        message: /qrels\.txt:4: got "301 d1 1"/,
      },
      {
        rule: 'a topic without number',
        file: 'topics.txt',
        content: replaced('<num>302</num>', ''),
        message: /topics\.txt:15: num: got nothing/,
      },
      {
        rule: 'a document that another has',
        file: 'collection.tsv',
        content: added('d1\tagain\n'),
        message: /collection\.tsv:3: id: got "d1"/,
      },
    ],
  },
  {
    format: 'trec',
    files: {
      'corpus.jsonl': jsonLines({ _id: 'd1', text: 'x' }),
      'topics.dev.tsv': '7\tseven\twith tab\n',
      'qrels.dev': '7 0 d1 1',
    },
    assets: ['text d1: x'],
    requests: ['7: seven\twith tab -> d1'],
    faults: [
      {
        rule: 'a topic without id',
        file: 'topics.dev.tsv',
        content: added('\tno id\n'),
        message: /topics\.dev\.tsv:2: got "\\tno id"/,
      },
    ],
  },
];
