import type { Command } from 'commander';

/** The command line as Markdown, out of the commands themselves; `docs/cli.md` is this. */
export function commandReference(program: Command): string {
  const parts = [
    '# Command line\n\nMade from the code by `npm run build:cli-reference`; a test compares the two.\n',
    'Exit codes: 0 done, 1 a fault of asof, 2 unusable input or arguments, 3 a contract violated, 8 the system refused to read or write;\n`asof verify` adds 4 to 7. Every command has `--help`, which tells more of some.\n',
  ];
  const add = (command: Command, names: readonly string[]) => {
    if (command.commands.length > 0) {
      for (const child of command.commands) add(child, [...names, child.name()]);
      return;
    }
    parts.push(describe(command, names));
  };
  add(program, ['asof']);
  return parts.join('\n');
}

function describe(command: Command, names: readonly string[]): string {
  const help = command.createHelp();
  const rows = [
    ...help
      .visibleArguments(command)
      .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
  ];
  const usage = help.commandUsage(command).replace(/^.*?(?= \[| <|$)/, names.join(' '));
  const table = rows.map(([term, words]) => `| \`${term!.replaceAll('|', '\\|')}\` | ${cell(words!)} |`);
  return [
    `## ${names.join(' ')}\n`,
    `${command.description()}\n`,
    `\`\`\`\n${usage}\n\`\`\`\n`,
    ...(table.length > 0 ? ['| | |', '| --- | --- |', ...table, ''] : []),
  ].join('\n');
}

function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' ');
}
