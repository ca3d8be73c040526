// Instructions for agents: the user's own file, and every AGENTS.md and CLAUDE.md of the workspace from its root down to the files that were
// touched, each with the files it imports. Files of a workspace that the user has not trusted are named, but their text is left out.
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import type { SessionEvent } from '@codelab/protocol';
import { readBoundedText, Workspace } from '@codelab/runtime';
import { type InstructionTrust, instructionTrust } from '../../config/trust.ts';

const names = ['AGENTS.md', 'CLAUDE.md'];
const limits = { bytes: 256 * 1024, files: 32, depth: 5, folders: 2000 };

export type InstructionFile = {
  from: 'user' | 'workspace';
  /** Relative to the workspace, or to the state folder. */
  path: string;
  text: string;
  importedBy?: string;
};

export type Instructions = {
  files: readonly InstructionFile[];
  /** Files of a workspace that is not trusted, whose text is left out. */
  untrusted: readonly string[];
  trust: InstructionTrust;
  /** Imports that were not followed, and why. */
  problems: readonly string[];
};

type Found = { files: InstructionFile[]; untrusted: string[]; problems: string[] };
type Read = (path: string) => Promise<string | undefined>;

export type InstructionPlaces = {
  home: string;
  root: string;
  /** Whether the user's own file is included; other people of this gateway do not get it. */
  isForUser: boolean;
  /** A text of the workspace that may be read unasked. */
  read(path: string, maxBytes: number): Promise<string | undefined>;
  /** Most paths that calls touch are files, which need no lookup. */
  isFolder?(path: string): boolean;
};

/** `touched`: the folders below the root that calls have touched. */
export async function readInstructions(
  { home, root, isForUser, read, isFolder = () => true }: InstructionPlaces,
  touched: Pick<TouchedFolders, 'folders' | 'leave'> = { folders: [], leave: () => undefined },
): Promise<Instructions> {
  const instructions: Found = { files: [], untrusted: [], problems: [] };
  const trust = instructionTrust(home, root);
  const readOwn: Read = async (path) => (path.endsWith('.md') ? ownText(home, path) : undefined);
  const readHere: Read = (path) => read(path, limits.bytes);
  const ownFile = isForUser ? await readOwn(names[0] ?? '') : undefined;
  if (ownFile !== undefined)
    await add(instructions, { from: 'user', path: names[0] ?? '', text: ownFile }, readOwn);
  for (const folder of ['.', ...touched.folders]) {
    let hasSome = false;
    for (const name of folder === '.' || isFolder(folder) ? names : []) {
      const path = posix.join(folder, name);
      const text = await readHere(path);
      if (text === undefined) continue;
      hasSome = true;
      if (trust === 'trusted') await add(instructions, { from: 'workspace', path, text }, readHere);
      else instructions.untrusted.push(path);
    }
    if (!hasSome) touched.leave(folder);
  }
  return { ...instructions, trust };
}

/** The instructions at the start of every session of the workspace, for people to look at: no rule is consulted. */
export async function rootInstructions(home: string, root: string): Promise<Instructions> {
  using workspace = Workspace.open(root);
  const read = async (path: string, maxBytes: number): Promise<string | undefined> => {
    try {
      return readBoundedText(workspace, path, { maxBytes, followLast: true });
    } catch {
      return undefined;
    }
  };
  return await readInstructions({ home, root, isForUser: true, read });
}

/** The name of the file as the model and people read it. */
export function instructionName({ from, path, importedBy }: InstructionFile): string {
  const name = from === 'user' ? `${path} of the user` : path;
  return importedBy === undefined ? name : `${name}, imported by ${importedBy}`;
}

/** Notices about instructions that are not used; a person who declined them gets none. */
export function instructionNotices({ untrusted: paths, trust, problems }: Instructions): string[] {
  if (paths.length === 0 || trust === 'declined') return [...problems];
  const untrusted = `Instructions for agents in this workspace are not used, because you have not trusted them: ${paths.join(', ')}. Read them, then run \`codelab policy trust\`.`;
  return [untrusted, ...problems];
}

/** Adds the file and its imports. Each file counts once, so a cycle ends, and a copy or a link under another name adds nothing. */
async function add(instructions: Found, file: InstructionFile, read: Read, depth = 0): Promise<void> {
  const { files, problems } = instructions;
  const { from, path, text } = file;
  if (files.some((file) => (file.from === from && file.path === path) || file.text === text)) return;
  if (files.length >= limits.files) {
    problems.push(`${path} is left out: at most ${limits.files} instruction files are read.`);
    return;
  }
  files.push(file);
  for (const importPath of importsIn(text)) {
    const at = posix.join(posix.dirname(path), importPath);
    const looksMeant = /\.\w{1,8}$/.test(importPath);
    const isOutside = /^[~/\\]/.test(importPath) || at.startsWith('../');
    const isTooDeep = depth + 1 > limits.depth;
    const inner = isOutside || isTooDeep ? undefined : await read(at);
    if (inner !== undefined)
      await add(instructions, { from, path: at, text: inner, importedBy: path }, read, depth + 1);
    else if (looksMeant) problems.push(`${path} imports @${importPath}, ${whyNot(isOutside, isTooDeep)}.`);
  }
}

function whyNot(isOutside: boolean, isTooDeep: boolean): string {
  if (isOutside) return 'which is outside of the workspace';
  return isTooDeep
    ? `which is more than ${limits.depth} imports deep`
    : 'which does not exist or may not be read';
}

/** Paths after an `@` at the beginning of a word, outside of code. */
function importsIn(text: string): string[] {
  const imports = [...proseOf(text).matchAll(/(?<=^|[\s(])@([^\s`"'<>()[\]{}|*?]{1,500})/gm)];
  const paths = imports.map(([, path = '']) => path.replace(/[.,;:!]+$/, ''));
  return [...new Set(paths)].filter((path) => path !== '');
}

/** The text without fenced blocks and inline code. */
function proseOf(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined && mark === '') return line.replace(/`[^`]*`/g, ' ');
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    return '';
  });
  return lines.join('\n');
}

/** A file of the user's own, below the state folder. A link out of that folder is refused, because tools may write where it leads. */
function ownText(home: string, path: string): string | undefined {
  const file = join(home, path);
  // Looked for before each request, and most users have none: an error would cost more than all the rest.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    const real = realpathSync(file);
    const stat = lstatSync(real);
    const isInside = real.startsWith(`${realpathSync(home)}${sep}`);
    const user = process.geteuid?.();
    const isOurs = user === undefined || stat.uid === user || stat.uid === 0;
    if (!isInside || !isOurs || !stat.isFile() || stat.size > limits.bytes) return undefined;
    return readFileSync(real, 'utf8');
  } catch {
    return undefined;
  }
}

/** The folders below the root that calls of a session have touched, so that their instructions are read from then on. */
export type TouchedFolders = {
  /** The outer ones first. */
  readonly folders: Iterable<string>;
  note(event: SessionEvent): void;
  /** Notes that a folder has no instructions: it is read again only when a call touches an instruction file there. */
  leave(folder: string): void;
};

export function createTouchedFolders(): TouchedFolders {
  const folders = new Set<string>();
  const without = new Set<string>();
  return {
    get folders() {
      return [...folders].toSorted((a, b) => a.split('/').length - b.split('/').length);
    },
    note({ body }) {
      for (const path of touchedIn(body)) {
        if (names.includes(posix.basename(path))) without.delete(posix.dirname(path));
        for (const folder of foldersOf(path))
          if (!without.has(folder) && folders.size < limits.folders) folders.add(folder);
      }
    },
    leave(folder) {
      folders.delete(folder);
      without.add(folder);
    },
  };
}

function touchedIn(body: SessionEvent['body']): string[] {
  if (body.type === 'call.planned') return body.plan.touches.map(({ path }) => path);
  return body.type === 'call.finished' ? body.outcome.effects.map(({ path }) => path) : [];
}

// The path itself may be a folder.
function foldersOf(path: string): string[] {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return steps.includes('..') ? [] : steps.map((_, i) => steps.slice(0, i + 1).join('/'));
}

// The request that `codelab init` and `/init` send: look at the project and write an AGENTS.md for later agents.

export const initPrompt = `Write or improve AGENTS.md at the root of this workspace: the file that coding agents are told at the start of every session here.

1. Look first: README, manifests and lock files, build, test and lint configuration, CI workflows, the layout of the source, and instruction files that are already there (AGENTS.md, CLAUDE.md, .cursorrules, .github/copilot-instructions.md). Read; run nothing that changes files.
2. Then write AGENTS.md with only what an agent needs and could not guess:
   - the commands to install, build, test (also one single test), lint and format, exactly as they are typed here;
   - how the code is laid out and which parts depend on which, in a few lines;
   - conventions that differ from the usual, with the file that shows each;
   - what must not be done: generated files, secrets, slow or dangerous commands.
3. State facts you have seen in files, not advice that holds everywhere. Leave out what you could not find. At most 80 lines. Keep what people wrote in an existing AGENTS.md, unless it is wrong.
4. End by saying in two or three sentences what you wrote and what you were not sure of.`;
