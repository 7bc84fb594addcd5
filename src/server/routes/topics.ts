import { Type } from 'typebox';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { sliceRuleKinds } from '../../topics/slices/sliceRule.js';
import { type ServerContext, workspaceOf } from '../context.js';
import {
  anyObject,
  count,
  durationOf,
  exact,
  instantOf,
  instantParameter,
  problemResponses,
} from '../schemas/common.js';
import { memberJson, type TopicAnswer, type TopicQuestion } from '../topics/TopicService.js';
import type { ApiServer } from '../typeProvider.js';
import { pageOf } from './rows.js';

/** How topics are asked for. */
export const topicParameters = {
  asOf: Type.Optional(instantParameter('Topics as they were known then; now by default')),
  slices: Type.Optional(Type.Enum([...sliceRuleKinds], { description: 'How time is cut; iso-week by default' })),
  lateness: Type.Optional(Type.String({ description: 'A slice is published this long after its end, such as 2d' })),
  tracker: Type.Optional(Type.Enum(['carried', 'matched'], { description: 'carried by default' })),
  rule: Type.Optional(
    Type.Enum(['baseline', 'delta'], { description: 'What labels are judged by; baseline by default' }),
  ),
};

interface TopicWords {
  readonly asOf?: string;
  readonly slices?: (typeof sliceRuleKinds)[number];
  readonly lateness?: string;
  readonly tracker?: 'carried' | 'matched';
  readonly rule?: 'baseline' | 'delta';
}

/** The library's question for words. */
export function topicQuestionOf({ asOf, slices, lateness, tracker, rule }: TopicWords, now: number): TopicQuestion {
  return {
    asOf: instantOf('asOf', asOf) ?? now,
    slices: slices === undefined ? undefined : { kind: slices },
    lateness: durationOf('lateness', lateness),
    tracker: tracker === undefined ? undefined : { kind: tracker },
    rule: rule === undefined ? undefined : { kind: rule },
  };
}

/** Topics and trends as they were known at a time. */
export function topicRoutes(app: ApiServer, context: ServerContext): void {
  const ask = (words: TopicWords): Promise<TopicAnswer> => {
    const question = topicQuestionOf(words, context.now());
    const { shared, topics } = workspaceOf(context);
    return topics.track(shared, question);
  };
  // The first question embeds what was never embedded.
  const handlerTimeout = context.limits.ingestTime;

  app.get(
    '/v1/topics',
    {
      handlerTimeout,
      schema: {
        summary: 'Topics by slice, with the trend labels that were known at the time',
        tags: ['topics'],
        querystring: exact(topicParameters),
        response: {
          200: anyObject<TopicAnswer>('Slices, and the state that they were computed from'),
          ...problemResponses,
        },
      },
    },
    async ({ query }) => ask(query),
  );

  app.get(
    '/v1/topics/progress',
    {
      schema: {
        summary: 'How far the answer to a question about topics is, for who waits for it',
        tags: ['topics'],
        querystring: exact(topicParameters),
        response: {
          200: Type.Object({
            state: Type.Enum(['none', 'waiting', 'tracking'], { description: 'none: not asked, or answered' }),
            done: count,
            total: count,
          }),
          ...problemResponses,
        },
      },
    },
    async ({ query }) => {
      const { shared, topics } = workspaceOf(context);
      return topics.progress(shared, topicQuestionOf(query, context.now()));
    },
  );

  app.get(
    '/v1/topics/:topic/documents',
    {
      handlerTimeout,
      schema: {
        summary: 'The documents that the tracker put into a topic in a slice, with what was available then',
        description:
          'Of a published slice, the model of the time is led through it once more and has to come out as published.',
        tags: ['topics'],
        params: Type.Object({ topic: Type.Integer({ minimum: 0 }) }),
        querystring: exact({
          ...topicParameters,
          slice: Type.String({ description: 'Id of the slice, such as 2024-W05' }),
          from: Type.Optional(Type.Integer({ minimum: 0, description: 'First document of the page' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e9 })),
        }),
        response: {
          200: Type.Object({
            topic: count,
            slice: Type.String(),
            total: count,
            documents: Type.Array(anyObject<ReturnType<typeof memberJson>>('A document as it was then')),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ params: { topic }, query: { slice, from = 0, limit, ...words } }) => {
      const { shared, topics } = workspaceOf(context);
      const most = pageOf(limit, context.limits.pageRows);
      const members = await topics.members(shared, topicQuestionOf(words, context.now()), slice);
      const own = members.topics.get(topic) ?? [];
      const documents = own.slice(from, from + most).map(memberJson);
      return { topic, slice, total: own.length, documents };
    },
  );

  app.get(
    '/v1/topics/:topic',
    {
      handlerTimeout,
      schema: {
        summary: 'The timeline of one topic: its slices, labels, terms, and what happened to it',
        tags: ['topics'],
        params: Type.Object({ topic: Type.Integer({ minimum: 0 }) }),
        querystring: exact(topicParameters),
        response: {
          200: anyObject<{ topic: number } & Pick<TopicAnswer, 'asOf' | 'slices' | 'state'>>('The timeline'),
          ...problemResponses,
        },
      },
    },
    async ({ params: { topic }, query }) => {
      const { asOf, slices, state } = await ask(query);
      const own = slices
        .map((slice) => ({
          ...slice,
          points: slice.points.filter((point) => point.topic === topic),
          events: slice.events.filter((event) => event.topic === topic || event.other === topic),
        }))
        .filter(({ points, events }) => points.length > 0 || events.length > 0);
      if (own.length > 0) return { topic, asOf, slices: own, state };
      throw new InvalidArgumentError({ argument: 'topic', value: topic, expected: `a topic known as of ${asOf}` });
    },
  );
}
