// Seed 002's list of programs that may be started without a shell, and those that never may, also behind a package manager.
// A client checks a request with it before it asks its user; the runtime checks again before anything starts.

import { ToolError } from '../errors.ts';
import { leavesFolder, namesOf } from '../text/path-text.ts';
import { startedBy } from './package-manager.ts';

export const listedPrograms: readonly string[] = [
  ...['ls', 'find'],
  ...['cat', 'head', 'tail'],
  ...['mkdir', 'touch', 'rm'],
  'git',
  ...['npm', 'yarn', 'pnpm'],
];

const escalating = ['sudo', 'su'];
const networking = ['curl', 'wget'];
const shells = ['bash', 'sh', 'dash', 'zsh'];
// Actions of `find` that do more than search.
const findActions = /^-(exec|execdir|ok|okdir|delete|fls|fprint.*)$/;

/**
 * Throws COMMAND_NOT_ALLOWED for forbidden programs, COMMAND_NOT_WHITELISTED for unlisted ones; also for each program that it would start.
 * `also` gets all of them and may throw as well.
 */
export function checkProgram(
  program: string,
  args: readonly string[],
  also?: (program: string, args: readonly string[]) => void,
): void {
  const forbidden = whyForbidden(program.split('/').at(-1) ?? '', args);
  if (forbidden !== undefined)
    throw new ToolError('COMMAND_NOT_ALLOWED', `${program} may not run: ${forbidden}.`, { program });
  if (!listedPrograms.includes(program)) {
    const list = listedPrograms.join(', ');
    throw new ToolError('COMMAND_NOT_WHITELISTED', `${program} is not on the list. These are: ${list}.`, {
      program,
    });
  }
  also?.(program, args);
  for (const [started, ...rest] of startedBy(program, args)) checkProgram(started, rest, also);
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
  return isRecursive && args.some((arg, i) => !isOption(arg, i) && isRootOrAbove(arg));
}

function isRootOrAbove(place: string): boolean {
  return namesOf(place).length === 0 || leavesFolder(place);
}
