import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readJsonLines } from '../support/readJsonLines.js';

/**
 * Turns archives of Stack Exchange sites into dated collections for the natural-order study: every answer is an asset (its
 * own text only: the question's title would give it away), available from its creation on; every question is a request at the instant it was asked.
 *
 *     npx tsx examples/stackexchange/buildDataset.ts ../shared/data/stackexchange <out>
 *
 * Two products for each question: `requests.jsonl` holds its own answers, all written after it was asked, so they are in
 * the corpus under the frozen reading only; `requests.links.jsonl` adds the answers of the questions it links to, some of
 * which were there in time.
 */

interface Post {
  readonly id: number;
  readonly type: 'question' | 'answer';
  readonly parent: number | null;
  readonly created: string;
  readonly title: string | null;
  readonly text: string;
}

interface Question {
  readonly site: string;
  readonly qid: number;
  readonly asked: string;
  readonly title: string;
  readonly answers: readonly { readonly id: number }[];
  readonly related: readonly { readonly post: number }[];
}

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) throw new Error('usage: buildDataset.ts <folder of posts> <out>');

const questions = await readJsonLines<Question>(path.join(source, 'replay.jsonl.gz'));
for (const site of [...new Set(questions.map((question) => question.site))].sort()) {
  const posts = await readJsonLines<Post>(path.join(source, `${site}.posts.jsonl.gz`));
  const byId = new Map(posts.map((post) => [post.id, post]));
  const answersTo = new Map<number, Post[]>();
  for (const post of posts) {
    if (post.type !== 'answer' || post.parent === null) continue;
    const siblings = answersTo.get(post.parent);
    if (siblings) siblings.push(post);
    else answersTo.set(post.parent, [post]);
  }
  const answers = posts.filter((post) => post.type === 'answer' && post.text.trim() !== '');
  const known = new Set(answers.map((answer) => answer.id));
  const assets = answers.map((answer) => ({
    id: `a${answer.id}`,
    type: 'text',
    text: answer.text,
    eventAt: utc(answer.created),
    availableAt: utc(answer.created),
  }));
  const requests = (withLinks: boolean) =>
    questions
      .filter((question) => question.site === site)
      .flatMap((question) => {
        const own = question.answers.map(({ id }) => id);
        const linked = question.related.flatMap(({ post }) => [
          post,
          ...(answersTo.get(post) ?? []).map(({ id }) => id),
        ]);
        const gold = [...new Set(withLinks ? [...own, ...linked] : own)].filter((id) => known.has(id));
        if (gold.length === 0) return [];
        const text = [question.title, byId.get(question.qid)?.text ?? ''].join('\n').trim();
        return [{ id: `q${question.qid}`, text, gold: gold.map((id) => `a${id}`), observedAt: utc(question.asked) }];
      });
  const folder = path.join(target, site);
  await mkdir(folder, { recursive: true });
  await writeLines(path.join(folder, 'assets.jsonl'), assets);
  await writeLines(path.join(folder, 'requests.jsonl'), requests(false));
  await writeLines(path.join(folder, 'requests.links.jsonl'), requests(true));
  console.log(`${site}: ${assets.length} answers, ${requests(false).length} questions`);
}

/** The archives' times have no zone; they are UTC. */
function utc(time: string): string {
  return `${time}Z`;
}

async function writeLines(file: string, records: readonly object[]): Promise<void> {
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
