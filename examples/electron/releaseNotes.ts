import { createRequire } from 'node:module';

/** One bullet of one release's notes. */
export interface ReleaseNote {
  /** `TAG#k`, k counting from 1 within the release. */
  readonly id: string;
  /** What the note says, without links and markup. */
  readonly text: string;
  /** Release line, for example `electron v19.0.9`. */
  readonly release: string;
  /** ISO 8601 publication instant of the release. */
  readonly publishedAt: string;
  /** Pull requests that the note names: its own and its twins' in other release lines. */
  readonly pullRequests: readonly number[];
}

interface Release {
  readonly tag_name: string;
  readonly name: string | null;
  readonly body: string | null;
  readonly published_at: string;
}

/** The notes of every release in the npm package `electron-releases` (MIT), 2013 to 2022, oldest release first. */
export function readReleaseNotes(): ReleaseNote[] {
  const releases = createRequire(import.meta.url)('electron-releases') as Release[];
  return [...releases]
    .sort((a, b) => compare(a.published_at, b.published_at) || compare(a.tag_name, b.tag_name))
    .flatMap((release) =>
      bulletsOf(release.body ?? '').flatMap((bullet, index) => {
        const text = plainText(bullet);
        if (text === '') return [];
        return [
          {
            id: `${release.tag_name}#${index + 1}`,
            text,
            release: `electron ${release.tag_name}`,
            publishedAt: release.published_at,
            pullRequests: pullRequestsOf(bullet),
          },
        ];
      }),
    );
}

/**
 * Groups notes that are about one change: those that name a common pull request, directly or through others. Notes in
 * a group keep their order; groups of one are left out.
 */
export function changeFamilies(notes: readonly ReleaseNote[]): ReleaseNote[][] {
  const parent = notes.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root]!;
    for (let at = index; parent[at] !== root; ) [at, parent[at]] = [parent[at]!, root];
    return root;
  };
  const firstWith = new Map<number, number>();
  for (const [index, note] of notes.entries()) {
    for (const pullRequest of note.pullRequests) {
      const other = firstWith.get(pullRequest);
      if (other === undefined) firstWith.set(pullRequest, index);
      else parent[find(index)] = find(other);
    }
  }
  const families = new Map<number, ReleaseNote[]>();
  for (const [index, note] of notes.entries()) {
    const family = families.get(find(index));
    if (family) family.push(note);
    else families.set(find(index), [note]);
  }
  return [...families.values()].filter((family) => family.length > 1);
}

/** Bullet items with their continuation lines, as one line each. */
function bulletsOf(body: string): string[] {
  const bullets: string[] = [];
  let open = false;
  for (const line of body.split(/\r?\n/)) {
    const start = /^\s*[-*]\s+(.*)$/.exec(line);
    if (start) bullets.push(start[1]!);
    else if (open && /^\s+\S/.test(line)) bullets[bullets.length - 1] += ` ${line.trim()}`;
    open = start !== null || (open && /^\s+\S/.test(line));
  }
  return bullets;
}

function pullRequestsOf(bullet: string): number[] {
  const numbers = [...bullet.matchAll(/\/pull\/(\d+)|(?<![\w/&])#(\d{3,6})\b/g)].map((match) =>
    Number(match[1] ?? match[2]),
  );
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Drops the "Also in" part, links to pull requests, HTML tags and Markdown marks; keeps the words. */
function plainText(bullet: string): string {
  return bullet
    .replace(/<span[^>]*>\s*\(Also in .*?<\/span>/g, '')
    .replace(/<a [^>]*>#\d+<\/a>|\[#\d+\]\([^)]*\)|(?<![\w&])#\d{3,6}\b/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
