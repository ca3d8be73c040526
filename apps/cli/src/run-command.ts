// Finds the command that the arguments name, or reports that there is none.
import { nearestName, UsageError } from './command-line/define-command.ts';
import { type CommandEntry, cliCommands, defaults, later } from './commands.ts';

/** The command that the first words name, not loaded yet. Undefined when help is wanted instead. */
type Found = { name: string; args: string[]; load: CommandEntry['load'] };

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

export function findCommand(given: readonly string[]): Found | undefined {
  const args = workspaceLast(given);
  const [first, second] = args;
  if (first === 'help' || first === '--version' || first === '-v') return undefined;
  const end = args.indexOf('--');
  if ((end < 0 ? args : args.slice(0, end)).some(asksForHelp)) return undefined;
  // Without a command, whatever the options, it is a chat.
  if (first === undefined || first.startsWith('-')) return found('chat', args);
  const named = args.slice(0, 2).join(' ');
  if (Object.hasOwn(cliCommands, named)) return found(named, args.slice(2));
  if (Object.hasOwn(cliCommands, first)) return found(first, args.slice(1));
  if (later.includes(first) || later.includes(named)) throw notYet(later.includes(first) ? first : named);
  const chosen = Object.hasOwn(defaults, first) ? defaults[first] : undefined;
  if (chosen !== undefined && (second === undefined || second.startsWith('-')))
    return found(chosen, args.slice(1));
  throw unknownCommand(first, chosen === undefined ? undefined : second);
}

function found(name: string, args: string[]): Found | undefined {
  const entry = cliCommands[name];
  return entry && { name, args, load: entry.load };
}

// `codelab --workspace DIR tools` means the same as `codelab tools --workspace DIR`.
function workspaceLast(args: readonly string[]): string[] {
  const [first = '', ...rest] = args;
  if (first === '--workspace') return [...rest.slice(1), first, ...rest.slice(0, 1)];
  if (first.startsWith('--workspace=') || first === '--json') return [...rest, first];
  return [...args];
}

/** The error for an unknown command, with the most similar name; `second` where `first` is a group of commands. */
export function unknownCommand(first: string, second: string | undefined): UsageError {
  if (second === undefined) {
    const names = Object.keys(cliCommands).map((name) => name.split(' ')[0] ?? name);
    return new UsageError(
      `There is no command ${JSON.stringify(first)}.${hint('', nearestName(first, names))} Run \`codelab --help\` for a list.`,
    );
  }
  const names = Object.keys(cliCommands)
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  return new UsageError(
    `There is no \`codelab ${first} ${second}\`.${hint(`${first} `, nearestName(second, names))} There are: ${names.join(', ')}.`,
  );
}

export function notYet(name: string): UsageError {
  return new UsageError(`\`codelab ${name}\` is not available yet. Run \`codelab --help\` for a list.`);
}

function hint(before: string, near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean \`codelab ${before}${near}\`?`;
}
