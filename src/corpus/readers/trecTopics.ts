import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import { isBlank, readLines } from './lines.js';
import type { RecordSink } from './recordSink.js';
import { sniff } from './sniff.js';
import { splitIdAndText } from './tabbedLine.js';

/**
 * Reads TREC topics and hands on the id and text of each, where it starts. Two forms, told apart by the first character:
 * lines of id, tab, text; or the classic markup, in which a topic stands between `<top>` and `</top>` with fields
 * `<num> Number: 301`, `<title>`, `<desc> Description:`, `<narr> Narrative:`, closing tags optional. The text of such a
 * topic is its title, or its description where it has none.
 */
export async function readTopics(
  chunks: AsyncGenerator<Buffer>,
  file: string,
  sink: RecordSink,
  use: (id: string, text: string, location: InputLocation) => void,
): Promise<void> {
  const { first, all } = await sniff(chunks);
  if (first !== '<') {
    await sink.takeLines(readLines(all, file), file, (line, location) => {
      const { id, text } = splitIdAndText(line, location);
      use(id, text, location);
    });
    return;
  }
  let topic: { location: InputLocation; lines: string[] } | undefined;
  for await (const { firstLine, lines } of readLines(all, file)) {
    for (const [index, line] of lines.entries()) {
      const location = { file, line: firstLine + index };
      if (topic === undefined) {
        if (/^\s*<top>/i.test(line)) topic = { location, lines: [] };
        else if (!isBlank(line) && !/^\s*(?:<!--.*-->|<\?.*\?>|<\/?(?:topics|xml)[^>]*>)\s*$/i.test(line)) {
          throw new InvalidInputError({ location, value: line, expected: '<top>, the start of a topic' });
        }
      }
      topic?.lines.push(line);
      if (topic !== undefined && /<\/top>\s*$/i.test(line)) {
        const { location: start, lines: body } = topic;
        sink.attempt(() => {
          const { id, text } = readTopic(body.join('\n'), start);
          use(id, text, start);
        });
        topic = undefined;
      }
    }
  }
  if (topic !== undefined) {
    throw new InvalidInputError({ location: topic.location, value: 'a topic without end', expected: '</top>' });
  }
}

const labels: Record<string, RegExp> = {
  num: /^\s*Number:/i,
  title: /^\s*Topic:/i,
  desc: /^\s*Description:/i,
};

function readTopic(markup: string, location: InputLocation): { id: string; text: string } {
  const field = (name: string): string => {
    const content = new RegExp(`<${name}>([\\s\\S]*?)(?=</?[a-z]+>)`, 'i').exec(markup)?.[1] ?? '';
    return content.replace(labels[name]!, '').replace(/\s+/g, ' ').trim();
  };
  const id = field('num');
  if (id === '') {
    throw new InvalidInputError({ location: { ...location, field: 'num' }, expected: 'the number of the topic' });
  }
  return { id, text: field('title') || field('desc') };
}
