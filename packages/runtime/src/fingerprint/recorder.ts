// Collects what one part of a command would execute: prints of files, notes for the approval, and why something could not be determined.
import { posix } from 'node:path';
import type { Execution, Print } from '@codelab/protocol';
import { shorten } from '../process/capture-output.ts';
import type { OwnTmp } from '../workspace/own-tmp.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type FilePrint,
  type FolderNames,
  type FoundProgram,
  findBelow,
  readFilePrint,
  readFolderNames,
  resolveWord,
  unreadPrint,
} from './disk.ts';

// More than any project's own scripts need; a command that executes more files cannot be remembered.
const maxFiles = 150;
const maxBytes = 4 * 1024 * 1024;
const maxPrograms = 1000;
const maxRuns = 30;

export type Recorder = {
  workspace: Workspace;
  /** The file a word names, as a workspace path. A path outside the workspace gives undefined and a reason to give up. */
  resolve(cwd: string, word: string): string | undefined;
  /** Prints a file; false when it does not exist. */
  file(path: string): boolean;
  /** Prints a file and returns its text; undefined when it does not exist. An unreadable file also gives a reason to give up. */
  text(path: string): string | undefined;
  /** The text of a file that is printed in another way, or only shown; undefined when it cannot be read. */
  peek(path: string): string | undefined;
  /** The names in a folder; empty when it does not exist. */
  names(folder: string): ReadonlySet<string>;
  /** Files of a name below a folder; too many folders give a reason to give up. */
  find(folder: string, name: RegExp, passesBy?: (folder: string) => boolean): string[];
  print(path: string, print: string): void;
  /** Records which program of the machine a name stands for. */
  program(name: string, found: FoundProgram | undefined): void;
  run(label: string, text: string): void;
  giveUp(reason: string): void;
  /** Like `giveUp`, for something that would run and cannot be determined: a reason also while `quietly` is in effect. */
  unsure(reason: string): void;
  /** Words that may name files: those that do are printed when not everything that runs is known. */
  mention(cwd: string, words: readonly (string | undefined)[]): void;
  /** Whether one more program may be followed. */
  mayFollow(): boolean;
  /** For texts that are followed as far as their words are plain, such as recipe lines: only the limits are a reason to give up. */
  quietly(): Recorder;
};

/** The files read for all parts of one command, so that each file is read once, and the remaining limits. */
export type SharedReads = {
  workspace: Workspace;
  /** The /tmp that the command would see. */
  tmp: OwnTmp | undefined;
  found: Map<string, FilePrint | undefined>;
  listed: Map<string, FolderNames>;
  /** The programs of the machine, each with its version. */
  programs: Map<string, string>;
  bytesLeft: number;
  programsLeft: number;
};

export function newSharedReads(workspace: Workspace, tmp?: OwnTmp): SharedReads {
  const caches = { found: new Map(), listed: new Map(), programs: new Map() };
  return { workspace, tmp, ...caches, bytesLeft: maxBytes, programsLeft: maxPrograms };
}

type CollectedPrints = {
  prints: Map<string, string>;
  runs: Execution['runs'];
  unknown: string | undefined;
  mentioned: Set<string>;
};

export function createRecorder(shared: SharedReads): { recorder: Recorder; result(): Execution } {
  const collected: CollectedPrints = {
    prints: new Map(),
    runs: [],
    unknown: undefined,
    mentioned: new Set(),
  };
  const giveUp = (reason: string): void => {
    collected.unknown ??= reason;
  };
  const recorder = recorderOf(shared, collected, { giveUp, stop: giveUp });
  return {
    recorder,
    result() {
      const { runs, unknown, prints, mentioned } = collected;
      // Any mentioned file may be what runs, so the approval is bound to all of them.
      if (unknown !== undefined) for (const path of mentioned) recorder.file(path);
      const files: Print[] = [...prints].map(([path, value]) => ({ path, print: value }));
      files.sort((a, b) => (a.path < b.path ? -1 : 1));
      return { runs, files, ...(unknown !== undefined && { unknown }) };
    },
  };
}

type Tell = (reason: string) => void;

/** `stop` is called when a limit is reached, also where nothing else is a reason to give up. */
function recorderOf(
  shared: SharedReads,
  collected: CollectedPrints,
  { giveUp, stop }: { giveUp: Tell; stop: Tell },
): Recorder {
  const { workspace } = shared;
  const { prints, mentioned } = collected;
  const print = (path: string, value: string): void => {
    if (prints.size >= maxFiles && !prints.has(path)) stop(`It runs more than ${maxFiles} files.`);
    else prints.set(path, value);
  };
  const file = (path: string): boolean => {
    const file = readOnce(shared, path);
    if (file?.print.startsWith(unreadPrint)) giveUp(`${path} can't be read, or leads out of the workspace.`);
    if (file !== undefined) print(path, file.print);
    return file !== undefined;
  };
  const peek = (path: string): string | undefined => readOnce(shared, path)?.bytes?.toString('utf8');
  return {
    workspace,
    print,
    giveUp,
    unsure: stop,
    file,
    peek,
    text(path) {
      const text = file(path) ? peek(path) : undefined;
      if (text === undefined && prints.has(path)) giveUp(`${path} is too large to be read.`);
      return text;
    },
    program(name, found) {
      print(`program ${name}`, found?.real ?? 'none');
      shared.programs.set(name, found === undefined ? 'none' : `${found.real} ${found.version}`);
    },
    names(folder) {
      const { names, fault } = listNames(shared, folder);
      if (fault !== undefined) giveUp(fault);
      return names;
    },
    find: (folder, name, passesBy) => findBelow(workspace, folder, { name, passesBy }, giveUp),
    resolve: (cwd, word) => resolveWord(shared, cwd, word, { giveUp, print }),
    run: (label, text) => noteRun(collected.runs, { label, text: shorten(text) }, stop),
    mention(cwd, words) {
      for (const path of words.flatMap((word) => pathsIn(word, cwd))) mentioned.add(path);
    },
    mayFollow() {
      if (--shared.programsLeft >= 0) return true;
      stop(`It starts more than ${maxPrograms} programs.`);
      return false;
    },
    quietly: () => recorderOf(shared, collected, { giveUp: () => undefined, stop }),
  };
}

function noteRun(runs: Execution['runs'], run: Execution['runs'][number], stop: Tell): void {
  if (runs.some(({ label, text }) => label === run.label && text === run.text)) return;
  if (runs.length >= maxRuns) stop('It runs more texts than can be shown.');
  else runs.push(run);
}

export function readOnce(shared: SharedReads, path: string): FilePrint | undefined {
  if (!shared.found.has(path)) shared.found.set(path, readFilePrint(shared, path));
  return shared.found.get(path);
}

function listNames({ workspace, listed }: SharedReads, folder: string): FolderNames {
  const names = listed.get(folder) ?? readFolderNames(workspace, folder);
  listed.set(folder, names);
  return names;
}

/** `--opt=a/b` may name a file by its value, and `sh x.sh` in one word by one of its words. */
export function pathsIn(word: string | undefined, cwd: string): string[] {
  return (word ?? '')
    .split(/[\s=@]+/, 20)
    .filter((path) => /^[^-/]/.test(path) && !path.split('/').includes('..'))
    .map((path) => posix.join(cwd, path));
}
