// Where a program's own options end. What an option takes that is not known here could be taken for the script, so it ends the search.
import type { Word } from './step.ts';

export type OptionWords = {
  /** Options that stand alone. */
  alone: RegExp;
  /** Options with a value in the next word. */
  valued?: RegExp;
};

/** The place of the first word that is no option, -1 when there is none; undefined when that can't be told. */
export function operandAt(args: readonly Word[], { alone, valued }: OptionWords): number | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === '--') return at + 1 < args.length ? at + 1 : -1;
    if (word === undefined || word === '-' || !/^[-+]./.test(word)) return at;
    if (valued?.test(word)) at++;
    else if (!alone.test(word) && !word.includes('=')) return undefined;
  }
  return -1;
}
