// Determines before a command runs what it will execute: programs, scripts, manifests and settings with the print of their content. The
// result is shown in the approval, compared right before the call runs, and kept in remembered rules.
import {
  type CommandPart,
  type Execution,
  type Phrase,
  type Plan,
  phrase,
  ToolError,
  visibleLine,
} from '@codelab/protocol';
import { digestJson, distinct } from '../platform/digest.ts';
import type { OwnTmp } from '../workspace/own-tmp.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { printCodeFiles } from './code-files.ts';
import { followProgram } from './follow-program.ts';
import { followText } from './follow-text.ts';
import { createRecorder, newSharedReads, pathsIn, readOnce, type SharedReads } from './recorder.ts';
import type { FollowStep } from './step.ts';
import { filesInTmp } from './tmp-files.ts';

export type Fingerprint = { parts: CommandPart[]; notes: Phrase[]; basis: Plan['basis'] };

type Grammar = Parameters<typeof followText>[0];

const maxNotes = 40;

/** Parts that are proven to change nothing are not followed. */
export async function fingerprint(
  parts: readonly CommandPart[],
  workspace: Workspace,
  tmp?: OwnTmp,
): Promise<Fingerprint> {
  if (!parts.some(isPrinted)) return { parts: [...parts], notes: [], basis: [] };
  const grammar: Grammar = await import('unbash');
  const shared = newSharedReads(workspace, tmp);
  const printed = workspace.together(() => parts.map((part) => printPart(part, grammar, shared)));
  const inTmp = filesInTmp(printed, tmp);
  const programs = [...shared.programs].map(([name, print]) => ({ path: `program:${name}`, print }));
  return {
    parts: printed,
    notes: [...notesOn(printed), ...inTmp.notes],
    basis: [
      ...folders(printed, workspace),
      ...programs,
      ...bodies(printed),
      ...rest(printed, shared),
      ...inTmp.basis,
    ],
  };
}

// A redirection or a variable starts nothing.
function isPrinted({ verdict, words: [first = ''] }: CommandPart): boolean {
  return verdict !== 'allow' && first !== '' && !/^[<>&]|^\w+=/.test(first);
}

function printPart(part: CommandPart, grammar: Grammar, shared: SharedReads): CommandPart {
  if (!isPrinted(part)) return part;
  const { recorder, result } = createRecorder(shared);
  const step: FollowStep = {
    recorder,
    cwd: part.cwd === '.' ? '' : part.cwd,
    bins: [],
    depth: 0,
    isQuiet: false,
    seen: new Set(),
    follow: followProgram,
    followText: (text, at, script) => followText(grammar, text, at, script),
  };
  followProgram(part.words, step);
  return { ...part, execution: result() };
}

/** Notes for the approval, one line each. */
function notesOn(parts: readonly CommandPart[]): Phrase[] {
  const executions = parts.flatMap(({ execution }) => execution ?? []);
  const runs = executions.flatMap((execution) =>
    execution.runs.map(({ label, text }) =>
      phrase('note.runs', { label: visibleLine(label), text: visibleLine(text) }),
    ),
  );
  // A part that is asked about each time needs no note why it cannot be remembered.
  const unknown = parts
    .filter(({ mustAsk, isDynamic }) => !mustAsk && !isDynamic)
    .flatMap(({ execution }) => execution?.unknown ?? [])
    .map((why) => phrase('note.runsUnknown', { why: visibleLine(why) }));
  const notes = distinct([...runs, ...unknown]);
  const unlisted = notes.length - maxNotes;
  return unlisted > 0 ? [...notes.slice(0, maxNotes), phrase('note.runsMore', { count: unlisted })] : notes;
}

/** The identity of the folders a command would run in: the same name may lead to another folder later. */
function folders(parts: readonly CommandPart[], workspace: Workspace): Plan['basis'] {
  const names = new Set(parts.flatMap(({ cwd }) => cwd ?? []));
  return [...names].map((path) => ({ path: `folder:${path}`, print: folderPrint(path, workspace) }));
}

function folderPrint(path: string, workspace: Workspace): string {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat === undefined ? 'none' : `${place.stat.dev}:${place.stat.ino}`;
  } catch (error) {
    if (error instanceof ToolError && !isStateFolderError(error)) return error.code;
    throw error;
  }
}

/**
 * For commands whose executed files are not all known: the files that the words of any part name, and all files that may be code. Parts
 * that only read are included, because another part may run their output.
 */
function rest(parts: readonly CommandPart[], shared: SharedReads): Plan['basis'] {
  if (!parts.some(({ execution }) => execution?.unknown !== undefined)) return [];
  const namedPaths = new Set(
    parts.flatMap(({ words, cwd }) => words.flatMap((word) => pathsIn(word, cwd === '.' ? '' : (cwd ?? '')))),
  );
  const files = shared.workspace.together(() =>
    [...namedPaths].flatMap((path) => {
      const print = readOnce(shared, path)?.print;
      return print === undefined ? [] : [{ path: `named:${path}`, print }];
    }),
  );
  return [...files, { path: 'files that may be run', print: printCodeFiles(shared.workspace) }];
}

function bodies(parts: readonly CommandPart[]): Plan['basis'] {
  return parts.flatMap(({ words, execution }) =>
    execution === undefined ? [] : [{ path: `runs:${words.join(' ')}`, print: bodyPrint(execution) }],
  );
}

function bodyPrint({ files, runs, unknown }: Execution): string {
  return digestJson([files, runs, unknown ?? null]);
}
