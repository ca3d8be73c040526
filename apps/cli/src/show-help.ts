// `codelab --help`, `codelab COMMAND --help` and `codelab --version`.

import { version } from './build-output.ts';
import { notYet, unknownCommand } from './command-line/define-command.ts';
import { helpText } from './command-line/help-text.ts';
import { writeText } from './command-line/process.ts';
import { cliCommands, later } from './commands.ts';
import { type Paint, paintFor } from './output/paint.ts';
import { columns } from './output/text-width.ts';

export async function showHelp(args: readonly string[]): Promise<number> {
  if (args.includes('--version') || args.includes('-v')) {
    writeText(1, `${version()}\n`);
    return 0;
  }
  writeText(1, await text(args, paintFor(1)));
  return 0;
}

async function text(args: readonly string[], paint: Paint): Promise<string> {
  const [first, second = ''] = args.filter((word) => word !== 'help' && !word.startsWith('-'));
  if (first === undefined) return wholeHelp(paint);
  const name = Object.hasOwn(cliCommands, `${first} ${second}`) ? `${first} ${second}` : first;
  const entry = Object.hasOwn(cliCommands, name) ? cliCommands[name] : undefined;
  if (entry !== undefined) return helpText(name, await entry.load(), paint);
  const group = listText((name) => name.startsWith(`${first} `));
  if (group.length > 0)
    return `${paint('bold', 'Usage:')} codelab ${first} COMMAND\n\n${group.join('\n')}\n\n${footer}\n`;
  throw later.includes(first) ? notYet(first) : unknownCommand(Object.keys(cliCommands), first);
}

const footer = 'Run `codelab COMMAND --help` for details.';

function wholeHelp(paint: Paint): string {
  return `${[
    `${paint('bold', 'Usage:')} codelab [COMMAND] [options]`,
    '',
    ...listText(() => true),
    '',
    'Every command takes --workspace DIR (default: current folder) and --help.',
    'State is stored in $CODELAB_HOME. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.',
    footer,
  ].join('\n')}\n`;
}

function listText(isWanted: (name: string) => boolean): string[] {
  const names = Object.entries(cliCommands).filter(([name]) => isWanted(name));
  return columns(names.map(([name, { summary }]) => [`  ${name}`, summary]));
}
