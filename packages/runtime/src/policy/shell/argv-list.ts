// The fixed list for programs started without a shell, with what needs the tables of git. Whether what may run is asked about is for
// policy to say afterwards.
import { checkProgram, englishText, ToolError } from '@codelab/protocol';
import { exactly } from './argument.ts';
import { readingGit, readingPairs } from './git/reading-git.ts';
import { readOptions } from './options.ts';

/** Throws COMMAND_NOT_ALLOWED for what is forbidden, COMMAND_NOT_WHITELISTED for what is not on the list. */
export function checkArgv(program: string, args: readonly string[]): void {
  checkProgram(program, args, (name, given) => {
    const fault = name === 'git' ? whyNotReading(given) : undefined;
    if (fault !== undefined)
      throw new ToolError('COMMAND_NOT_WHITELISTED', `git may only read here: ${fault}.`, { program: name });
  });
}

/** Why this is not one of git's reading commands. */
function whyNotReading(args: readonly string[]): string | undefined {
  const [command = '', second = '', ...rest] = args[0] === '--no-pager' ? args.slice(1) : args;
  if (command === '--version') return undefined;
  const pair = readingPairs.get(`${command} ${second}`);
  const table = pair ?? readingGit.get(command);
  if (table === undefined) return `${JSON.stringify(command)} is not one of its reading commands`;
  const given = pair ? rest : second === '' ? [] : [second, ...rest];
  const { operands, fault } = readOptions(given.map(exactly), table);
  if (fault) return englishText(fault.reason).replace(/\.$/, '');
  const limit = table.operands === 'none' ? 0 : (table.max ?? Infinity);
  return operands.length > limit
    ? `${command} changes something when it is given ${operands[limit]?.text ?? ''}`
    : undefined;
}
