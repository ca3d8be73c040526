// Finds the command that the arguments name, loads only that one and runs it; or reports that there is none.
import { notYet, parseCommandLine, unknownCommand } from './command-line/define-command.ts';
import { type CommandEntry, cliCommands, defaults, later } from './commands.ts';

/** The command that the first words name, not loaded yet. Undefined when help is wanted instead. */
type Found = { name: string; args: string[]; load: CommandEntry['load'] };

/** Returns the exit code. */
export async function runCommand(args: string[]): Promise<number> {
  try {
    if (args[0] === 'completion' && args[1] === 'words')
      return await (await import('./completion/complete.ts')).printCompletions(args.slice(3));
    const found = findCommand(args);
    if (found === undefined) return await (await import('./show-help.ts')).showHelp(args);
    const command = await found.load();
    return await command.run(parseCommandLine(command, found.args));
  } catch (error) {
    return (await import('./report-error.ts')).reportError(error, args, Object.keys(cliCommands));
  }
}

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

export function findCommand(words: readonly string[]): Found | undefined {
  const args = workspaceLast(words);
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
  throw unknownCommand(Object.keys(cliCommands), first, chosen === undefined ? undefined : second);
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
