// Where a command is followed: its folder, the programs of the workspace that come before those of the machine, and how to go on.
import type { Recorder } from './recorder.ts';

/** A word of a command; undefined when only running would tell. */
export type Word = string | undefined;

export type FollowStep = {
  recorder: Recorder;
  /** Relative to the workspace, `''` is its root; undefined when only running would tell. */
  cwd: string | undefined;
  /** Folders of the workspace in which programs are looked for first, such as `node_modules/.bin`. */
  bins: readonly string[];
  depth: number;
  /** The words that a script is given, for what it starts by `"$@"`. */
  given?: readonly Word[] | undefined;
  /** What stops the following here is no reason to give up. */
  isQuiet: boolean;
  /** Scripts that were followed already. */
  seen: Set<string>;
  /** Records what a program with its arguments would execute. */
  follow(words: readonly Word[], step: FollowStep): void;
  /** The same for a text that a shell would run; `script` is the file it stands in. */
  followText(text: string, step: FollowStep, script?: string): void;
};

/** What is known of a program, or of a family of programs, beyond where it lies. */
export type Family = (args: readonly Word[], step: FollowStep & { cwd: string }, name: string) => void;

export function deeperStep(step: FollowStep, change: Partial<FollowStep> = {}): FollowStep {
  return { ...step, ...change, depth: step.depth + 1 };
}

/** The folder and those above it, up to the root of the workspace. */
export function foldersUpward(folder: string): string[] {
  const names = folder === '' ? [] : folder.split('/');
  return names.map((_name, at) => names.slice(0, names.length - at).join('/')).concat('');
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function quietStep(step: FollowStep): FollowStep {
  return { ...step, isQuiet: true, recorder: step.recorder.quietly() };
}

/** Whether this is met for the first time, so that what runs itself is followed once. */
export function isNew(step: FollowStep, what: string): boolean {
  const key = `${step.isQuiet} ${step.cwd} ${what}`;
  if (step.seen.has(key)) return false;
  step.seen.add(key);
  return true;
}

// Where a program's own options end. What an option takes that is not known here could be taken for the script, so it ends the search.
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
