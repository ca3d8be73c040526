// The fixed list for programs started without a shell: which may run at all, and which never. Whether they are asked about is for
// policy to say afterwards.
import { posix } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { exactly } from './shell/argument.ts';
import { readOptions } from './shell/options.ts';
import { readingGit, readingPairs } from './shell/reading-git.ts';

const allowedPrograms: readonly string[] = [
  ...['ls', 'find'],
  ...['cat', 'head', 'tail'],
  ...['mkdir', 'touch', 'rm'],
  'git',
  ...['npm', 'yarn', 'pnpm'],
];

const escalating = ['sudo', 'su'];
const networking = ['curl', 'wget'];
// What makes `find` do more than find.
const findActions = /^-(exec|execdir|ok|okdir|delete|fls|fprint.*)$/;
const shells = ['bash', 'sh', 'dash', 'zsh'];

/** Throws COMMAND_NOT_ALLOWED for what is forbidden, COMMAND_NOT_WHITELISTED for what is not on the list. */
export function checkArgv(program: string, args: readonly string[]): void {
  const forbidden = whyForbidden(posix.basename(program), args);
  if (forbidden !== undefined)
    throw new ToolError('COMMAND_NOT_ALLOWED', `${program} may not run: ${forbidden}.`, { program });
  if (!allowedPrograms.includes(program)) {
    const list = allowedPrograms.join(', ');
    throw new ToolError('COMMAND_NOT_WHITELISTED', `${program} is not on the list. These are: ${list}.`, {
      program,
    });
  }
  const fault = program === 'git' ? whyNotReading(args) : undefined;
  if (fault !== undefined)
    throw new ToolError('COMMAND_NOT_WHITELISTED', `git may only read here: ${fault}.`, { program });
}

function whyForbidden(name: string, args: readonly string[]): string | undefined {
  if (escalating.includes(name)) return 'it gains more rights';
  if (networking.includes(name)) return 'it reaches the network';
  if (name === 'eval') return 'it runs the text it is given as code';
  if (shells.includes(name) && args.some((arg) => /^-[a-z]*c/i.test(arg)))
    return 'it runs the text it is given as code';
  if (name === 'find' && args.some((arg) => findActions.test(arg)))
    return 'it starts programs, writes files or deletes what it finds';
  return name === 'rm' && deletesRoot(args) ? 'it deletes everything at or above the root' : undefined;
}

function deletesRoot(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const isOption = (arg: string, i: number): boolean => arg.startsWith('-') && (end < 0 || i <= end);
  const isRecursive = args.some((arg, i) => isOption(arg, i) && /^-[a-z]*r|^--r/i.test(arg));
  const places = args.filter((arg, i) => !isOption(arg, i)).map((arg) => posix.normalize(`${arg}/`));
  return isRecursive && places.some((place) => place === '/' || place === './' || place.startsWith('../'));
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
  if (fault) return fault.reason.replace(/\.$/, '');
  const limit = table.operands === 'none' ? 0 : (table.max ?? Infinity);
  return operands.length > limit
    ? `${command} changes something when it is given ${operands[limit]?.text ?? ''}`
    : undefined;
}
