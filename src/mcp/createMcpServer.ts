import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AsofError } from '../errors/AsofError.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { type Surface, say } from '../errors/wording.js';
import { commandThere, parameterName } from '../server/words.js';
import { type McpContext, tools } from './tools.js';

/** How an assistant should use the tools. */
const instructions =
  'Every tool answers as of an instant: what could this workspace have returned then? Give asOf (ISO 8601) to ask about ' +
  'the past; without it, it is now. Every answer carries the state that it was computed from: cite it, so that the ' +
  'answer can be made again. Append what you observe with append_event, and check your own answers with audit_answers.';

/** How messages are said to an assistant: options are members of a tool's input. */
const toolWords: Surface = {
  option: (name, value) => (value === undefined ? name : `${name}: ${value === true ? value : JSON.stringify(value)}`),
  argument: parameterName,
  place({ file, line, field }) {
    const place = file === 'stdin' ? 'input' : file;
    return [line === undefined ? place : `${place} item ${line}`, field].filter(Boolean).join(': ');
  },
  command: commandThere,
  again: 'call the tool again',
};

/** The Model Context Protocol server over a workspace, not connected yet. */
export function createMcpServer(context: McpContext, version: string): Server {
  const server = new Server({ name: 'asof', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: tools.map(({ name, title, description, input, isReadOnly }) => ({
      name,
      title,
      description,
      inputSchema: input as unknown as { type: 'object' },
      annotations: { title, readOnlyHint: isReadOnly, openWorldHint: false, idempotentHint: true },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) {
        const expected = `one of ${tools.map(({ name }) => name).join(', ')}`;
        throw new InvalidArgumentError({ argument: 'tool', value: params.name, expected });
      }
      const answer = await tool.call(params.arguments ?? {}, context);
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
    } catch (error) {
      // An error of the caller's is an answer that an assistant can act on; any other is the protocol's to report.
      if (!AsofError.isInstance(error)) throw error;
      const problem = { code: error.code, message: say(error.wording, toolWords) };
      return { content: [{ type: 'text', text: JSON.stringify(problem) }], isError: true };
    }
  });
  return server;
}
