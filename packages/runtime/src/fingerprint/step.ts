// The state while a command is followed: its folder, the workspace programs that come before those of the machine, and how to follow
// more.
import type { Recorder } from './recorder.ts';

/** A word of a command; undefined when it is known only at run time. */
export type Word = string | undefined;

export type FollowStep = {
  recorder: Recorder;
  /** Workspace path, `''` for the root; undefined when known only at run time. */
  cwd: string | undefined;
  /** Workspace folders that are searched for programs first, such as `node_modules/.bin`. */
  bins: readonly string[];
  depth: number;
  /** The arguments of a script, for programs it starts with `"$@"`. */
  scriptArgs?: readonly Word[] | undefined;
  /** Words that cannot be followed here are no reason to give up. */
  isQuiet: boolean;
  /** Scripts that were already followed. */
  seen: Set<string>;
  /** Records what a program with its arguments would execute. */
  follow(words: readonly Word[], step: FollowStep): void;
  /** Like `follow`, for a text that a shell would run; `script` is the file with the text. */
  followText(text: string, step: FollowStep, script?: string): void;
};

/** The further executions that a program, or a family of programs, is known for. */
export type Family = (args: readonly Word[], step: FollowStep & { cwd: string }, name: string) => void;

export function deeperStep(step: FollowStep, change: Partial<FollowStep> = {}): FollowStep {
  return { ...step, ...change, depth: step.depth + 1 };
}

/** The folder and all above it, up to the root of the workspace. */
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

/** Whether this is met for the first time, so that a script that runs itself is followed once. */
export function isNew(step: FollowStep, text: string): boolean {
  const key = `${step.isQuiet} ${step.cwd} ${text}`;
  if (step.seen.has(key)) return false;
  step.seen.add(key);
  return true;
}

// Where a program's own options end. The value of an unknown option could be mistaken for the script, so an unknown option ends the
// search.
export type OptionWords = {
  /** Options without a value. */
  alone: RegExp;
  /** Options with a value in the next word. */
  valued?: RegExp;
};

/** The index of the first word that is no option, -1 when there is none; undefined when an unknown option precedes it. */
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
