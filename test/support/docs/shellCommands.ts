/** A call of asof as a snippet writes it. */
export interface AsofCommand {
  readonly words: readonly string[];
  /** File that standard output goes to. */
  readonly outputFile?: string;
}

/**
 * The calls of asof that a shell snippet consists of, one after the other; undefined where it holds anything else, which
 * a shell has to run.
 */
export function asofCommands(snippet: string): AsofCommand[] | undefined {
  const commands: AsofCommand[] = [];
  for (const line of logicalLines(snippet)) {
    const words = wordsOf(line);
    if (words === undefined) return undefined;
    for (const command of splitAt(words, '&&')) {
      if (command.length === 0) continue;
      const start = command[0] === 'npx' ? 1 : 0;
      if (command[start] !== 'asof') return undefined;
      const redirect = command.indexOf('>');
      if (redirect === -1) commands.push({ words: command.slice(start + 1) });
      else commands.push({ words: command.slice(start + 1, redirect), outputFile: command[redirect + 1]! });
    }
  }
  return commands;
}

/** Every call of asof that a shell snippet holds among others, for looking at. */
export function callsOfAsof(snippet: string): string[][] {
  return logicalLines(snippet).flatMap((line) => {
    const match = /(?:^|&&|;|\bdo)\s*(?:npx )?asof (.*)$/.exec(line);
    return match === null ? [] : [wordsOf(match[1]!, true)!];
  });
}

/** Lines, those that end in a backslash joined with the next. */
function logicalLines(snippet: string): string[] {
  return snippet.replace(/\\\n/g, ' ').split('\n');
}

/** Words of a line, without a comment; undefined where the line asks the shell for more than words, && and >. */
function wordsOf(line: string, lenient = false): string[] | undefined {
  const words: string[] = [];
  const pattern = /\s+|#.*$|"([^"$`\\]*)"|'([^']*)'|(&&|>)|([^\s"'|;&<>$`*?()#][^\s"'|;&<>$`*?()]*)/gy;
  let isJoined = false;
  while (pattern.lastIndex < line.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(line);
    if (match === null) {
      if (!lenient) return undefined;
      pattern.lastIndex = at + 1;
      continue;
    }
    const word = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (word === undefined) {
      isJoined = false;
      continue;
    }
    if (isJoined && match[3] === undefined) words.push(words.pop()! + word);
    else words.push(word);
    isJoined = match[3] === undefined;
  }
  return words;
}

function splitAt(words: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === separator) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  return parts;
}
