// Computes the discard of one file: either some hunks are reverted, or the whole file is restored at its old place.
import { chosenText, type Effect, type FileState } from '@codelab/protocol';
import { splitAtLineFeeds } from '../patch/unified-diff.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { elsewhere, onlyCopy } from '../undo/only-copy.ts';
import { isSameState } from '../undo/present-state.ts';
import { reverseEffect } from '../undo/reverse-effect.ts';
import { type Change, fileStateAt, newTemp } from '../workspace/commit/change.ts';
import { identity } from '../workspace/directory.ts';
import { fault } from '../workspace/fault.ts';
import type { Located } from '../workspace/locate.ts';
import { missingDirectories } from '../workspace/text-files.ts';
import { type Content, textContent } from './base-content.ts';
import type { FileChoice, Refusal } from './choose-discard.ts';
import type { ReviewedFile } from './review-files.ts';

/** `made` are folders that other files of the set need as well. */
export type DiscardContext = { context: PlanContext; item(): string; createdFolders: Set<string> };
type Fault = Pick<Refusal, 'reason' | 'code'>;
/** `afterwards` are changes that need the others to be made first. */
type DiscardChanges = { changes: Change[]; afterwards?: Change[] };

export function discardFile(choice: FileChoice, making: DiscardContext): DiscardChanges | Fault {
  try {
    return changesFor(choice, making);
  } catch (error) {
    const { message, code } = fault(error, choice.file.path);
    return { reason: message, code };
  }
}

function changesFor(choice: FileChoice, making: DiscardContext): DiscardChanges | Fault {
  const { file, discarded, edits } = choice;
  const { base, now } = file;
  if (file.origin.isOnlyCopy && now !== null && !elsewhere([file], making.context)(file.path))
    return { reason: onlyCopy, code: 'STALE' };
  const isWhole = discarded.size === file.hunks.length && edits.size === 0;
  if (isWhole) return discardWhole(file, making);
  const take = file.hunks.flatMap(({ id }, at) => (discarded.has(id) ? [] : [at + 1]));
  const texts = file.hunks.flatMap(({ id }, at) => {
    const text = edits.get(id);
    return text === undefined ? [] : [{ hunk: at + 1, text }];
  });
  const hunks = file.hunks.flatMap(({ hunk }) => (hunk === undefined ? [] : [hunk]));
  const text = chosenText(base?.lines?.join('') ?? '', hunks, { take, edits: texts });
  const fileContent = [now, base].find((content) => content?.state.type === 'file');
  const mode = fileContent?.state.mode ?? 0o666 & ~process.umask();
  return putFile(file.path, now, textContent(splitAtLineFeeds(text), mode), making);
}

/** The file becomes what it would be without the changes, at the place where it was. */
function discardWhole(file: ReviewedFile, making: DiscardContext): DiscardChanges | Fault {
  const { path, from, base, now, origin } = file;
  if (base === null)
    return now?.state.type === 'directory' ? reverse(file, making) : removeFile(file, making);
  const isMovedOnly = from !== undefined && isSameState(now?.state ?? null, base.state);
  if (isMovedOnly) return isTaken(from, making) ? pathOccupied(from) : reverse(file, making);
  const isRestorable = base.bytes !== undefined || base.link !== undefined;
  if (!isRestorable || isHeld(now?.state)) {
    const isKept = origin.trashId !== undefined && isSameState(base.state, origin.state);
    if (isKept || base.state.type === 'directory') return reverse(file, making);
    return {
      reason: 'its previous content is not available; undo the call that changed it',
      code: 'FILE_NOT_FOUND',
    };
  }
  if (from === undefined) return putFile(path, now, base, making);
  if (isTaken(from, making)) return pathOccupied(from);
  const back = putFile(from, null, base, making);
  const away = removeFile(file, making);
  if ('reason' in back) return back;
  return 'reason' in away ? away : { changes: [...back.changes, ...away.changes] };
}

/** Read-only for us: then the original file itself has to be restored. */
function isHeld(state: FileState | undefined): boolean {
  return state?.type === 'file' && (state.mode & 0o200) === 0 && process.geteuid?.() !== 0;
}

function reverse(
  { path, from, op, base, now, origin }: ReviewedFile,
  making: DiscardContext,
): DiscardChanges | Fault {
  const { context, item } = making;
  const { trashId } = origin;
  const isMove = from !== undefined;
  const effect: Effect = {
    op,
    path,
    ...(isMove && { from }),
    before: isMove ? null : (base?.state ?? null),
    after: now?.state ?? null,
    ...(!isMove && trashId !== undefined && { trashId }),
  };
  const reversal = reverseEffect(effect, context, { home: context.home, isForced: false, item });
  if ('refused' in reversal) return { reason: reversal.refused, code: reversal.code };
  using place = open(from ?? path, context);
  return { ...reversal, changes: [...foldersFor(place, making), ...reversal.changes] };
}

function putFile(
  path: string,
  now: Content | null,
  content: Content,
  making: DiscardContext,
): DiscardChanges | Fault {
  const { context, item } = making;
  using place = open(path, context);
  const state = place.stat === undefined ? null : fileStateAt(place, place.stat);
  if (!isSameState(state, now?.state ?? null)) return now === null ? pathOccupied(path) : changedSince;
  if (state?.type === 'directory' || state?.type === 'other')
    return { reason: 'it is no longer a file; undo the call that did it', code: 'STALE' };
  const { bytes = Buffer.alloc(0), link, state: after } = content;
  const intent: Effect = {
    op: state === null ? 'create' : 'update',
    path: place.path,
    before: state,
    after,
    ...(state !== null && { trashId: item() }),
  };
  const expected = place.stat === undefined ? 'absent' : identity(place.stat);
  const source = link === undefined ? { bytes, mode: after.mode } : { link };
  const putChange: Change = { op: 'put', expected, temp: newTemp(), source, intent };
  const old = link === undefined ? now?.bytes : undefined;
  return { changes: [...foldersFor(place, making), old === undefined ? putChange : { ...putChange, old }] };
}

/** Folders that have to be made for it, each of them once. */
function foldersFor(place: Located, { createdFolders }: DiscardContext): Change[] {
  if (place.stat !== undefined) return [];
  return missingDirectories(place).filter(
    ({ intent: { path } }) => !createdFolders.has(path) && createdFolders.add(path),
  );
}

function removeFile({ path, now }: ReviewedFile, { context, item }: DiscardContext): DiscardChanges | Fault {
  using place = open(path, context);
  if (place.stat === undefined) return { reason: 'it is gone', code: 'STALE' };
  const state = fileStateAt(place, place.stat);
  if (!isSameState(state, now?.state ?? null)) return changedSince;
  const intent: Effect = { op: 'delete', path: place.path, before: state, after: null, trashId: item() };
  return { changes: [{ op: 'remove', expected: identity(place.stat), temp: newTemp(), intent }] };
}

const changedSince: Fault = {
  reason: 'it was changed since the review was shown; reload the review',
  code: 'STALE',
};

function isTaken(path: string, { context }: DiscardContext): boolean {
  using place = open(path, context);
  return place.stat !== undefined;
}

function pathOccupied(path: string): Fault {
  return { reason: `another file is at ${path} now; move it away first`, code: 'STALE' };
}

function open(path: string, { workspace }: PlanContext): Located {
  const options = { followLast: false, access: 'write', pathChars: Number.MAX_SAFE_INTEGER } as const;
  return workspace.locate(path, { ...options, isRecorded: true });
}
