import { Type } from 'typebox';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { sliceRuleKinds } from '../../topics/slices/sliceRule.js';
import { type ServerContext, workspaceOf } from '../context.js';
import { anyObject, durationOf, exact, instantOf, instantParameter, problemResponses } from '../schemas/common.js';
import type { TopicAnswer, TopicQuestion } from '../topics/TopicService.js';
import type { ApiServer } from '../typeProvider.js';

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
    return shared.use((workspace) => topics.track(workspace, question));
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
