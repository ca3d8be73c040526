// `ps`: behind a dash `e` stands for all processes, without one for their environments, which hold keys. Letters that make no sense
// behind a dash, as in `ps -auxe`, are read as if there were none.
import type { Argument } from './argument.ts';
import { asks, type Finding, insists } from './finding.ts';

const unix = /^-[AaedfFlHjTyLw]*(?:[opCt].*)?$/;
const takesNext = /^-[AaedfFlHjTyLw]*[opCt]$/;

/** What speaks against it. */
export function judgePs(args: readonly Argument[]): Finding | undefined {
  const words = args.map(({ value }) => value);
  const options = words.filter((_, i) => i === 0 || !takesNext.test(words[i - 1] ?? ''));
  if (words.some((word) => /env/i.test(word)) || options.some(mayShowEnvironment))
    return insists('It may show the environment of other processes, which holds keys.');
  const isOdd = options.some((word) => /^[a-zA-Z]/.test(word) && !/^[auxfwlj]+$/.test(word));
  return isOdd ? asks('ps may show what other programs were told.') : undefined;
}

function mayShowEnvironment(word: string): boolean {
  if (word.startsWith('--')) return false;
  if (!word.startsWith('-')) return /e/i.test(word);
  return /e/i.test(word) && !unix.test(word);
}
