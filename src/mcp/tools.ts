import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { answerJson } from '../search/answerJson.js';
import { answersSchema, auditAnswers } from '../server/auditAnswers.js';
import { searchOptionsOf, searchParameters } from '../server/routes/search.js';
import { topicParameters, topicQuestionOf } from '../server/routes/topics.js';
import type { SharedWorkspace } from '../server/SharedWorkspace.js';
import { exact, instantOf, instantParameter } from '../server/schemas/common.js';
import type { TopicService } from '../server/topics/TopicService.js';
import { versionJson } from '../store/workspace/versionJson.js';
import { formatInstant } from '../time/formatInstant.js';
import type { Instant } from '../time/instant.js';

/** What tools work with. */
export interface McpContext {
  readonly shared: SharedWorkspace;
  readonly topics: TopicService;
  readonly now: () => Instant;
}

/** A tool of the server; every answer has a member `state`. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TSchema;
  readonly isReadOnly: boolean;
  /** @throws InvalidArgumentError when the input is not as its schema says */
  call(input: unknown, context: McpContext): Promise<Record<string, unknown>>;
}

/** Hits and slices that fit a conversation. */
const mostHits = 100;
const mostSlices = 60;

const { q: _q, ...searchChoices } = searchParameters;

export const tools: readonly McpTool[] = [
  tool({
    name: 'search_as_of',
    title: 'Search as of a time',
    description:
      'Search the collection as it was at an instant, with the statistics of that instant. Each hit has its clocks, age ' +
      'and the parts of its score.',
    properties: { query: Type.String({ minLength: 1, description: 'What to look for' }), ...searchChoices },
    isReadOnly: true,
    async call({ query, ...choices }, { shared, now }) {
      const options = searchOptionsOf({ q: query, ...choices }, mostHits);
      const asOf = instantOf('asOf', choices.asOf) ?? now();
      return shared.use(async (workspace) => answerJson(await workspace.search(query, { ...options, asOf })));
    },
  }),
  tool({
    name: 'get_document_as_of',
    title: 'Read a document as of a time',
    description: 'What a document said at an instant; version is null when it was not there then.',
    properties: {
      id: Type.String({ minLength: 1 }),
      asOf: Type.Optional(instantParameter('As of this time; now by default')),
    },
    isReadOnly: true,
    async call({ id, asOf: text }, { shared, now }) {
      const asOf = instantOf('asOf', text) ?? now();
      return shared.use(async (workspace) => {
        const { version, state } = await workspace.show(id, asOf);
        return {
          id,
          asOf: formatInstant(asOf),
          version: version === undefined ? null : versionJson(version),
          state: { corpus: { ...state, asOf: formatInstant(state.asOf) } },
        };
      });
    },
  }),
  tool({
    name: 'topics_as_of',
    title: 'Topics and trends as of a time',
    description:
      'Topics of the collection by time slice, with volumes, terms and trend labels (emergence, growth, decay, drift, ' +
      'stable) as they were known at an instant. The latest slices only.',
    properties: {
      ...topicParameters,
      last: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostSlices, description: 'How many slices, the latest; 8 by default' }),
      ),
    },
    isReadOnly: true,
    async call({ last = 8, ...words }, { shared, topics, now }) {
      const question = topicQuestionOf(words, now());
      const { slices, state, ...answer } = await topics.track(shared, question);
      const { parameters: _parameters, ...model } = state.model;
      const shown = slices.slice(-last).map(({ points, ...slice }) => ({
        ...slice,
        points: points.map(({ past: _past, ...point }) => point),
      }));
      return { ...answer, allSlices: slices.length, slices: shown, state: { ...state, model } };
    },
  }),
  tool({
    name: 'append_event',
    title: 'Append an event to memory',
    description:
      'Append what was observed (a request, a note, a summary) to the append-only log of events. dependsOn names the ' +
      'earlier events that it was made from. The very same event again is no change.',
    properties: {
      id: Type.String({ minLength: 1, maxLength: 512 }),
      observedAt: Type.Optional(instantParameter('When it was observed; now by default')),
      kind: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      dependsOn: Type.Optional(Type.Array(Type.String())),
      data: Type.Optional(Type.Unknown({ description: 'Any JSON value' })),
    },
    isReadOnly: false,
    async call({ id, observedAt: text, kind = 'event', dependsOn = [], data = null }, { shared: { events }, now }) {
      const observedAt = instantOf('observedAt', text) ?? now();
      const [appended] = await events.append([{ id, observedAt, kind, dependsOn, data }]);
      return { ...appended, observedAt: formatInstant(observedAt), state: { events: events.log } };
    },
  }),
  tool({
    name: 'audit_answers',
    title: 'Audit answers against memory',
    description:
      'Whether answers used only events that the log held strictly before they were asked for, ancestors included. ' +
      'Gives the temporal violation rate and the first offence of each answer.',
    properties: answersSchema.properties,
    isReadOnly: true,
    call: (input, { shared }) => auditAnswers(shared.events, input),
  }),
];

interface ToolParts<P extends TProperties> extends Pick<McpTool, 'name' | 'title' | 'description' | 'isReadOnly'> {
  readonly properties: P;
  call(input: Static<ReturnType<typeof exact<P>>>, context: McpContext): Promise<object>;
}

function tool<P extends TProperties>({ properties, call, ...rest }: ToolParts<P>): McpTool {
  const input = exact(properties);
  return {
    ...rest,
    input,
    async call(value, context) {
      if (!Value.Check(input, value)) {
        const [first] = Value.Errors(input, value);
        const argument = first?.instancePath.replace(/^\//, '').replaceAll('/', '.') || rest.name;
        throw new InvalidArgumentError({ argument, value, expected: first?.message ?? 'what the schema says' });
      }
      return (await call(value as Static<ReturnType<typeof exact<P>>>, context)) as Record<string, unknown>;
    },
  };
}
