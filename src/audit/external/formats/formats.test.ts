import { describe, expect, it } from 'vitest';
import { jsonLines as lines } from '../../../corpus/testing/temporaryFiles.js';
import { InvalidArgumentError } from '../../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../../errors/InvalidInputError.js';
import type { LocatedAnswer, LocatedEvent, LogFormatName, LogOptions } from './logFormat.js';
import { logFormatNamed, logFormatOfFile, logFormats } from './logFormats.js';

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 50) yield bytes.subarray(at, at + 50);
}

async function eventsOf(name: LogFormatName, text: string, options: LogOptions = {}): Promise<LocatedEvent[]> {
  const events: LocatedEvent[] = [];
  for await (const batch of logFormatNamed(name).readEvents(bytesOf(text), 'events', options)) events.push(...batch);
  return events;
}

async function answersOf(name: LogFormatName, text: string, options: LogOptions = {}): Promise<LocatedAnswer[]> {
  const answers: LocatedAnswer[] = [];
  for await (const batch of logFormatNamed(name).readAnswers(bytesOf(text), 'answers', options)) answers.push(...batch);
  return answers;
}

describe('the format json', () => {
  it('reads events and answers from lines and from an array, with the line of each', async () => {
    const events = [
      { id: 'a', observedAt: '1970-01-01T00:00:01Z', dependsOn: ['b', 3] },
      { id: 7, observedAt: null },
    ];
    const expected = [
      { id: 'a', observedAt: 1000, dependsOn: ['b', '3'] },
      { id: '7', observedAt: undefined, dependsOn: [] },
    ];
    const inLines = expected.map((event, index) => ({ ...event, line: index + 1 }));
    expect(await eventsOf('json', lines(...events))).toEqual(inLines);
    expect(await eventsOf('json', JSON.stringify(events, null, 1))).toMatchObject(expected);
    const answers = lines({ id: 'q', askedAt: '1970-01-01', used: ['a', null], ranking: [1] }, { id: 'r', used: [] });
    expect(await answersOf('json', answers)).toEqual([
      { id: 'q', askedAt: 0, used: ['a', undefined], line: 1 },
      { id: 'r', askedAt: undefined, used: [], line: 2 },
    ]);
  });

  it('reads other field names and times by paths, through lists', async () => {
    const fields = { answerId: 'meta.trace', askedAt: 'ts', used: 'memory.hits.id' };
    const record = { meta: { trace: 't' }, ts: 1700000000, memory: { hits: [{ id: 'a' }, { id: 'b' }, {}] } };
    expect(await answersOf('json', lines(record), { fields, instants: { epoch: 's' } })).toEqual([
      { id: 't', askedAt: 1_700_000_000_000, used: ['a', 'b', undefined], line: 1 },
    ]);
    const eventFields = { eventId: 'key', observedAt: 'at', dependsOn: 'from' };
    expect(
      await eventsOf('json', lines({ key: 'e', at: '2024-03-10T02:30', from: 'd' }), {
        fields: eventFields,
        instants: { zone: 'UTC' },
      }),
    ).toEqual([{ id: 'e', observedAt: Date.parse('2024-03-10T02:30Z'), dependsOn: ['d'], line: 1 }]);
  });

  it.each([
    ['no id', { observedAt: '2024-01-01' }, 'events:2: id: got nothing'],
    ['an empty id', { id: '', observedAt: '2024-01-01' }, 'events:2: id: got ""'],
    ['an id that is no text', { id: { a: 1 } }, 'events:2: id: got {"a":1}'],
    ['an id of no whole number', { id: 1.5 }, 'events:2: id: got 1.5'],
    ['an id beyond all measure', { id: 'x'.repeat(70_000) }, 'events:2: id: got "xxx'],
    ['a time that is none', { id: 'a', observedAt: 'NaN' }, 'events:2: observedAt: got "NaN"'],
    ['a time of the wrong type', { id: 'a', observedAt: {} }, 'events:2: observedAt: got {}'],
    ['a number without unit', { id: 'a', observedAt: 1700000000 }, 'expected an epoch unit for the number 1700000000'],
    ['a time without offset', { id: 'a', observedAt: '2024-03-01T10:00' }, 'expected an offset'],
    ['dependencies that are no list', { id: 'a', dependsOn: { b: 1 } }, 'events:2: dependsOn: got {"b":1}'],
    ['a dependency without id', { id: 'a', dependsOn: ['b', null] }, 'events:2: dependsOn: got nothing'],
    ['a dependency that is no id', { id: 'a', dependsOn: [['b']] }, 'events:2: dependsOn: got ["b"]'],
  ])('refuses an event with %s, and names file, line, field and value', async (_, event, message) => {
    const read = eventsOf('json', lines({ id: 'fine' }, event));
    await expect(read).rejects.toThrow(InvalidInputError);
    await expect(read).rejects.toThrow(message);
  });

  it.each([
    ['no list of used events', { id: 'q' }, 'answers:1: used: got nothing'],
    ['null in its place', { id: 'q', used: null }, 'answers:1: used: got nothing'],
    ['an object in its place', { id: 'q', used: { a: 1 } }, 'answers:1: used: got {"a":1}'],
    ['objects in it', { id: 'q', used: [{ id: 'a' }] }, 'answers:1: used: got {"id":"a"}'],
  ])('refuses an answer with %s, which would pass for one that used nothing', async (_, answer, message) => {
    await expect(answersOf('json', lines(answer))).rejects.toThrow(message);
  });

  it('refuses what is no object, and survives lists nested without end', async () => {
    await expect(eventsOf('json', '{"id": "a"}\n[1]\n')).rejects.toThrow('events:2: ');
    await expect(eventsOf('json', '{"id": "a"\n')).rejects.toThrow('events:1: ');
    const deep = `{"id": "a", "dependsOn": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    await expect(eventsOf('json', deep)).rejects.toThrow(InvalidInputError);
    const paths = { fields: { dependsOn: 'dependsOn.id' } };
    await expect(eventsOf('json', deep, paths)).rejects.toThrow(InvalidInputError);
  });
});

describe('the formats csv and tsv', () => {
  it('read lists in cells, by separator and as JSON, and quoted line ends (case 16)', async () => {
    const text = 'id,observedAt,dependsOn\r\n"a\r\nb",1970-01-01,\r\nc,,"x; y;"\r\nd,1970-01-02,"[""p;q"", 4]"\r\n';
    expect(await eventsOf('csv', text)).toEqual([
      { id: 'a\r\nb', observedAt: 0, dependsOn: [], line: 2 },
      { id: 'c', observedAt: undefined, dependsOn: ['x', 'y'], line: 4 },
      { id: 'd', observedAt: 86_400_000, dependsOn: ['p;q', '4'], line: 5 },
    ]);
    const answers = 'q\tts\tids\nq1\t5\ta b\nq2\t6\t\n';
    const fields = { answerId: 'q', askedAt: 'ts', used: 'ids' };
    expect(await answersOf('tsv', answers, { fields, instants: { epoch: 'ms' }, listSeparator: ' ' })).toEqual([
      { id: 'q1', askedAt: 5, used: ['a', 'b'], line: 2 },
      { id: 'q2', askedAt: 6, used: [], line: 3 },
    ]);
  });

  it('refuse a file without the column of used events', async () => {
    await expect(answersOf('csv', 'id,askedAt\nq,2024-01-01\n')).rejects.toThrow('answers:2: used: got nothing');
    await expect(answersOf('csv', 'id,used\nq,[1\n')).rejects.toThrow('a JSON array of event ids');
  });
});

describe('the format otel-genai', () => {
  const attribute = (key: string, value: object) => ({ key, value });
  const text = (value: string) => ({ stringValue: value });
  const span = (operation: string, ...attributes: object[]) => ({
    traceId: 't1',
    spanId: `s-${operation}`,
    name: operation,
    startTimeUnixNano: '1700000000000999999',
    endTimeUnixNano: '1700000001000000000',
    attributes: [attribute('gen_ai.operation.name', text(operation)), ...attributes],
  });
  const traces = (...spans: object[]) => ({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans }] }] });
  const records = attribute('gen_ai.memory.records', text('[{"id":"m1","content":"x"},{"content":"y"},{"id":"m2"}]'));

  it('takes memory writes as events, by the record id and by the records, when the span ended', async () => {
    const create = span('create_memory', attribute('gen_ai.memory.record.id', text('m0')));
    const upsert = span('upsert_memory', records);
    const failed = { ...span('update_memory', attribute('gen_ai.memory.record.id', text('m9'))), status: { code: 2 } };
    const search = span('search_memory', records);
    const log = lines(traces(create, upsert), traces(failed, search, span('chat')), { resourceSpans: [] });
    const event = { observedAt: 1_700_000_001_000, dependsOn: [], line: 1 };
    expect(await eventsOf('otel-genai', log)).toEqual(['m0', 'm1', 'm2'].map((id) => ({ id, ...event })));
  });

  it('takes searches and retrievals as answers, asked when the span started, cut towards the past', async () => {
    const structured = attribute('gen_ai.retrieval.documents', {
      arrayValue: {
        values: [
          { kvlistValue: { values: [attribute('id', text('d1')), attribute('score', { doubleValue: 0.5 })] } },
          { kvlistValue: { values: [attribute('score', { doubleValue: 0.4 })] } },
        ],
      },
    });
    const log = lines(traces(span('search_memory', records), span('retrieval', structured), span('chat')));
    expect(await answersOf('otel-genai', log)).toEqual([
      { id: 't1/s-search_memory', askedAt: 1_700_000_000_000, used: ['m1', undefined, 'm2'], line: 1 },
      { id: 't1/s-retrieval', askedAt: 1_700_000_000_000, used: ['d1', undefined], line: 1 },
    ]);
  });

  it('tells an answer that found nothing from one whose results were not captured', async () => {
    const none = span('search_memory', attribute('gen_ai.memory.record.count', { intValue: '0' }));
    const hidden = span('search_memory', attribute('gen_ai.memory.record.count', { intValue: '2' }));
    const broken = span('retrieval', attribute('gen_ai.retrieval.documents', text('[{"id":"d1"')));
    const answers = await answersOf('otel-genai', lines(traces(none, hidden, broken, span('retrieval'))));
    expect(answers.map(({ used }) => used)).toEqual([[], undefined, undefined, undefined]);
  });

  it('takes times written as numbers, and 0 as no time', async () => {
    const odd = { ...span('search_memory'), startTimeUnixNano: 1_700_000_000_000_000_000 };
    const untimed = { ...span('search_memory'), startTimeUnixNano: '0' };
    const answers = await answersOf('otel-genai', lines(traces(odd, untimed)));
    expect(answers.map(({ askedAt }) => askedAt)).toEqual([1_700_000_000_000, undefined]);
  });

  it('refuses what is no OTLP, and spans without ids or with broken times', async () => {
    await expect(eventsOf('otel-genai', lines({ id: 'a' }))).rejects.toThrow('events:1: resourceSpans: got nothing');
    const nameless = { ...span('search_memory'), traceId: undefined };
    await expect(answersOf('otel-genai', lines(traces(nameless)))).rejects.toThrow('answers:1: traceId: got nothing');
    const broken = { ...span('search_memory'), startTimeUnixNano: '12 o clock' };
    await expect(answersOf('otel-genai', lines(traces(broken)))).rejects.toThrow('startTimeUnixNano: got "12 o clock"');
  });

  it('survives values nested without end', async () => {
    const deep = `{"arrayValue":{"values":[`.repeat(20_000) + ']}}'.repeat(20_000);
    const spanText = JSON.stringify(
      traces(span('search_memory', attribute('gen_ai.memory.records', { placeholder: 1 }))),
    );
    const answers = await answersOf('otel-genai', spanText.replace('{"placeholder":1}', deep));
    expect(answers).toHaveLength(1);
  });
});

describe('the format langsmith', () => {
  const run = (id: string, more: object) => ({
    id,
    run_type: 'retriever',
    start_time: '2024-03-01T10:00:00.123456',
    end_time: '2024-03-01T10:00:01+00:00',
    ...more,
  });

  it('takes every run as an event when it ended, and retriever runs as answers when they started, UTC unless said', async () => {
    const plain = run('r1', { outputs: { documents: [{ id: 'd1' }, { metadata: { id: 2 } }, { page_content: 'x' }] } });
    const serialised = {
      lc: 1,
      id: ['langchain', 'schema', 'document', 'Document'],
      kwargs: { page_content: 'x', metadata: { id: 'd3' } },
    };
    const log = lines(
      plain,
      run('r2', { run_type: 'RETRIEVER', outputs: { output: [serialised] } }),
      run('r3', { run_type: 'llm', end_time: null, outputs: { documents: [{ id: 'no' }] } }),
      run('r4', { outputs: null }),
    );
    const askedAt = Date.parse('2024-03-01T10:00:00.123Z');
    expect(await answersOf('langsmith', log)).toEqual([
      { id: 'r1', askedAt, used: ['d1', '2', undefined], line: 1 },
      { id: 'r2', askedAt, used: ['d3'], line: 2 },
      { id: 'r4', askedAt, used: undefined, line: 4 },
    ]);
    const events = await eventsOf('langsmith', log);
    expect(events.map(({ id, observedAt }) => [id, observedAt])).toEqual([
      ['r1', Date.parse('2024-03-01T10:00:01Z')],
      ['r2', Date.parse('2024-03-01T10:00:01Z')],
      ['r3', undefined],
      ['r4', Date.parse('2024-03-01T10:00:01Z')],
    ]);
  });

  it('takes other ids of the documents, and dependencies, where a map names them', async () => {
    const log = lines(run('r1', { child_run_ids: ['r2'], outputs: { documents: [{ metadata: { source: 's1' } }] } }));
    const fields = { used: 'outputs.documents.metadata.source', dependsOn: 'child_run_ids' };
    expect((await answersOf('langsmith', log, { fields }))[0]?.used).toEqual(['s1']);
    expect((await eventsOf('langsmith', log, { fields }))[0]?.dependsOn).toEqual(['r2']);
  });
});

describe('the format longeval', () => {
  it('takes documents when they were created, and the lists of a TREC run at the instant of the snapshot', async () => {
    const documents = lines({ id: 12, createdDate: '2024-11-05T13:00:00', title: 'x' }, { id: 13, createdDate: null });
    expect(await eventsOf('longeval', documents)).toEqual([
      { id: '12', observedAt: Date.parse('2024-11-05T13:00:00Z'), dependsOn: [], line: 1 },
      { id: '13', observedAt: undefined, dependsOn: [], line: 2 },
    ]);
    const run = 'q1 Q0 12 1 9.5 mine\nq1 Q0 13 2 9.1 mine\n\nq2\tQ0\t12\t1\t3\tmine\n';
    expect(await answersOf('longeval', run, { askedAt: 5 })).toEqual([
      { id: 'q1', askedAt: 5, used: ['12', '13'], line: 1 },
      { id: 'q2', askedAt: 5, used: ['12'], line: 4 },
    ]);
    expect(await answersOf('longeval', '', { askedAt: 5 })).toEqual([]);
  });

  it('refuses a run without an instant, with other columns, or with a topic in two places', async () => {
    await expect(answersOf('longeval', 'q1 Q0 12 1 9.5 mine\n')).rejects.toThrow(InvalidArgumentError);
    await expect(answersOf('longeval', 'q1 12 1\n', { askedAt: 5 })).rejects.toThrow('answers:1: got "q1 12 1"');
    const scattered = 'q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n';
    await expect(answersOf('longeval', scattered, { askedAt: 5 })).rejects.toThrow('answers:3: topic: got "q1"');
  });
});

describe('the choice of a format', () => {
  it('goes by name, or by the ending of the file', () => {
    for (const format of logFormats) expect(logFormatNamed(format.name)).toBe(format);
    expect(() => logFormatNamed('xml')).toThrow('one of json, csv, tsv, otel-genai, langsmith, longeval');
    const names = ['a.csv', 'a.CSV.gz', 'a.tsv', 'a.jsonl.gz', 'a.json', '-', 'csv'].map(
      (path) => logFormatOfFile(path).name,
    );
    expect(names).toEqual(['csv', 'csv', 'tsv', 'json', 'json', 'json', 'json']);
  });
});
