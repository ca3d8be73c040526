// The answer to a command that there is not, with the one that was probably meant.
import { nearestName } from './command-line/nearest-name.ts';
import { UsageError } from './command-line/usage-error.ts';
import { commands } from './commands.ts';

/** `second` where `first` is a group of commands. */
export function unknownCommand(first: string, second: string | undefined): UsageError {
  if (second === undefined) {
    const names = Object.keys(commands).map((name) => name.split(' ')[0] ?? name);
    return new UsageError(
      `There is no command ${JSON.stringify(first)}.${hint('', nearestName(first, names))} \`codelab --help\` lists what there is.`,
    );
  }
  const names = Object.keys(commands)
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  return new UsageError(
    `There is no \`codelab ${first} ${second}\`.${hint(`${first} `, nearestName(second, names))} There are: ${names.join(', ')}.`,
  );
}

export function notYet(name: string): UsageError {
  return new UsageError(`\`codelab ${name}\` is not available yet. \`codelab --help\` lists what is.`);
}

function hint(before: string, near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean \`codelab ${before}${near}\`?`;
}
