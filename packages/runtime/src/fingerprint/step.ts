// Where a command is followed: its folder, the programs of the workspace that come before those of the machine, and how to go on.
import type { Recorder } from './recorder.ts';

/** A word of a command; undefined when only running would tell. */
export type Word = string | undefined;

export type Step = {
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
  follow(words: readonly Word[], step: Step): void;
  /** The same for a text that a shell would run; `script` is the file it stands in. */
  followText(text: string, step: Step, script?: string): void;
};

/** What is known of a program, or of a family of programs, beyond where it lies. */
export type Family = (args: readonly Word[], step: Step & { cwd: string }, name: string) => void;

export function deeper(step: Step, change: Partial<Step> = {}): Step {
  return { ...step, ...change, depth: step.depth + 1 };
}

/** The folder and those above it, up to the root of the workspace. */
export function upward(folder: string): string[] {
  const names = folder === '' ? [] : folder.split('/');
  return names.map((_name, at) => names.slice(0, names.length - at).join('/')).concat('');
}

export function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function quiet(step: Step): Step {
  return { ...step, isQuiet: true, recorder: step.recorder.quietly() };
}

/** Whether this is met for the first time, so that what runs itself is followed once. */
export function isNew(step: Step, what: string): boolean {
  const key = `${step.isQuiet} ${step.cwd} ${what}`;
  if (step.seen.has(key)) return false;
  step.seen.add(key);
  return true;
}
