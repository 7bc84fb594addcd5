import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '../src/mcp/createMcpServer.js';
import { openWorkspace } from '../src/search/SearchableWorkspace.js';
import { WordEmbedder } from '../src/search/testing/WordEmbedder.js';
import { SharedWorkspace } from '../src/server/SharedWorkspace.js';
import { TopicService } from '../src/server/topics/TopicService.js';
import { initWorkspace } from '../src/store/workspace/initWorkspace.js';

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}T00:00:00Z`;
const now = Date.parse(day(31));

describe('the MCP server, by the client of the SDK', () => {
  let folder: string;
  let workspace: string;
  let shared: SharedWorkspace;
  const client = new Client({ name: 'test', version: '0' });
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'asof-mcp-'));
    workspace = path.join(folder, 'workspace');
    await initWorkspace(workspace);
    const records = Array.from({ length: 28 }, (_, i) => ({
      id: `d${i + 1}`,
      text: i % 2 === 0 ? `outage of login number ${i}` : `report on storage number ${i}`,
      eventAt: day(i + 1),
      availableAt: day(i + 1),
    }));
    const file = path.join(folder, 'records.jsonl');
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const writer = await openWorkspace(workspace);
    await writer.ingest([file], { now });
    await writer.close();
    shared = await SharedWorkspace.open(workspace);
    const topics = new TopicService(new WordEmbedder());
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await createMcpServer({ shared, topics, now: () => now }, '0.0.0-test').connect(ours);
    await client.connect(theirs);
  });
  afterAll(async () => {
    await client.close();
    await shared.close();
    await rm(folder, { recursive: true, force: true });
  });
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
    const text = (content as { text: string }[])[0]!.text;
    return { answer: (structuredContent ?? JSON.parse(text)) as Record<string, unknown>, isError: isError === true };
  };

  it('lists its tools with schemas and hints', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_as_of',
      'get_document_as_of',
      'topics_as_of',
      'append_event',
      'audit_answers',
    ]);
    expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name)).toEqual([
      'append_event',
    ]);
  });

  it('searches as of a time; the answer carries its state and knows nothing later', async () => {
    const { answer } = await call('search_as_of', { query: 'outage login', asOf: '2024-01-10', limit: 50 });
    expect(answer).toMatchObject({ asOf: day(10), documents: 10, state: { corpus: { size: 10 }, model: {} } });
    const ids = (answer.hits as { id: string; availableAt: string }[]).map(({ id }) => id);
    expect(ids).toContain('d9');
    expect(ids).not.toContain('d11');
  });

  it('reads a document as of a time', async () => {
    const known = await call('get_document_as_of', { id: 'd3', asOf: '2024-01-03' });
    expect(known.answer).toMatchObject({ version: { availableAt: day(3) }, state: { corpus: { size: 3 } } });
    const early = await call('get_document_as_of', { id: 'd3', asOf: '2024-01-02' });
    expect(early.answer).toMatchObject({ version: null, state: { corpus: { size: 2 } } });
  });

  it('tells topics as they were known', async () => {
    const { answer } = await call('topics_as_of', { asOf: '2024-01-22', last: 2 });
    expect(answer).toMatchObject({ asOf: day(22), state: { corpus: { size: 22 }, model: {} } });
    expect(answer.slices).toHaveLength(2);
    expect((answer.slices as { knownAt: string }[])[0]!.knownAt <= day(22)).toBe(true);
  });

  it('appends events and audits answers against them', async () => {
    expect((await call('append_event', { id: 'm1', observedAt: day(1) })).answer).toMatchObject({
      position: 0,
      appended: true,
      state: { events: { size: 1 } },
    });
    await call('append_event', { id: 'm2', observedAt: day(5), dependsOn: ['m1'], data: { note: 'seen' } });
    const answers = [
      { id: 'a1', askedAt: day(5), used: ['m1'] },
      { id: 'a2', askedAt: day(5), used: ['m2'] },
    ];
    const { answer } = await call('audit_answers', { answers });
    expect(answer).toMatchObject({ status: 'violation', findings: [{ id: 'a2' }], state: { events: { size: 2 } } });
  });

  it('answers a wrong question with the library’s code', async () => {
    for (const [name, input] of [
      ['search_as_of', { query: 'x', asOf: 'yesterday' }],
      ['search_as_of', { query: 'x', as_of: '2024-01-01' }],
      ['append_event', { id: 'm0', observedAt: day(1), dependsOn: ['none'] }],
      ['no_such_tool', {}],
    ] as const) {
      const { answer, isError } = await call(name, input);
      expect([name, isError, answer.code]).toEqual([name, true, 'ASOF_INVALID_ARGUMENT']);
    }
  });

  it('serves over standard input and output as asof mcp, and ends with its client', async () => {
    const built = path.resolve('dist/cli/mcp.js');
    const program = existsSync(built)
      ? [path.resolve('dist/cli/main.js')]
      : ['--import', 'tsx', path.resolve('src/cli/main.ts')];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...program, 'mcp', '--workspace', workspace],
      stderr: 'inherit',
    });
    const over = new Client({ name: 'test', version: '0' });
    await over.connect(transport);
    const { structuredContent } = await over.callTool({
      name: 'get_document_as_of',
      arguments: { id: 'd1', asOf: '2024-01-02' },
    });
    expect(structuredContent).toMatchObject({ id: 'd1', state: { corpus: { size: 2 } } });
    await over.close();
  });
});
