import { Command } from 'commander';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { formatInstant } from '../../time/formatInstant.js';
import { topicsJson } from '../../topics/topicRows.js';
import type { CliContext } from '../context.js';
import { addTopicOptions, type TopicOptionValues } from '../options/topicOptions.js';
import { writeJson } from '../output/json.js';
import { stylerFor } from '../output/style.js';
import { slicesText, topicCourse } from '../output/topicText.js';
import { withTopics } from './withTopics.js';

/** `asof topics show`: the course of one topic. */
export function showTopicCommand(context: CliContext): Command {
  return addTopicOptions(new Command('show').argument('<topic>', 'number of a topic'))
    .description('show one topic slice by slice, and what happened to it')
    .action(async (number: string, files: string[], values: TopicOptionValues) => {
      const topic = Number(number);
      await withTopics(files, values, context, async ({ progress, track }) => {
        const { slices, asOf, coveredUntil, sliceRule } = await track();
        progress.stop();
        checkTopic(number, topic, new Set(slices.flatMap(({ points }) => points.map((point) => point.topic))));
        if (values.json) {
          const own = slices.map((slice) => ({
            ...slice,
            points: slice.points.filter((point) => point.topic === topic),
            events: slice.events.filter((event) => event.topic === topic || event.other === topic),
          }));
          const shown = own.filter(({ points, events }) => points.length > 0 || events.length > 0);
          writeJson(context.stdout, { topic, asOf: formatInstant(asOf), slices: topicsJson(shown) });
          return;
        }
        const style = stylerFor(context.stdout, context);
        const [line] = slicesText(slices, asOf, coveredUntil, sliceRule.kind);
        context.stdout.write(`topic ${topic} ${line}\n\n`);
        context.stdout.write(topicCourse(slices, topic, (text) => style('bold', text)));
      });
    });
}

function checkTopic(text: string, topic: number, known: ReadonlySet<number>): void {
  if (known.has(topic)) return;
  const largest = Math.max(0, ...known);
  const expected =
    largest === 0 ? 'a topic; there are none as of then' : `a topic as of then: a number up to ${largest}`;
  throw new InvalidArgumentError({ argument: 'topic', value: text, expected });
}
