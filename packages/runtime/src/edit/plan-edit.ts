// Plans text edits of one file, with the checks of the Kode wire in its order, and collects what the results need.
import {
  chosenText,
  type HunkChoice,
  type Phrase,
  type PlanDraft,
  phrase,
  ToolError,
} from '@codelab/protocol';
import { editRisk, type Hunk } from '../patch/unified-diff.ts';
import type { PlanContext, Planned, RunContext, ToolRunResult } from '../tool/define-tool.ts';
import { intentsOf } from '../workspace/commit/change.ts';
import { commitChanges } from '../workspace/commit/commit-changes.ts';
import type { Located } from '../workspace/locate.ts';
import { checkRead, seeAgain } from '../workspace/seen-files.ts';
import { planTextChange, readOldText, refuseUnsaved, type TextChange } from '../workspace/text-files.ts';
import { type AppliedEdits, applyEdits } from './apply-edits.ts';
import { hunksFromSpans, unifiedFromHunks } from './hunks-from-spans.ts';
import type { StringEdit } from './tolerant-match.ts';

export type EditRequest = {
  path: string;
  edits: readonly StringEdit[];
  tolerant: boolean;
  create: boolean;
  eatNewline: boolean;
  mustHaveRead: boolean;
  /** The result also includes the old text, which adds a whole file to the record. */
  includeOriginal: boolean;
};

export type PlannedEdit = {
  change: TextChange;
  applied: AppliedEdits;
  hunks: Hunk[];
  includeOriginal: boolean;
};

export type EditData = {
  path: string;
  operation: TextChange['operation'];
  replacements: number;
  occurrences: number[];
  tolerant: string[];
  additions: number;
  deletions: number;
  diff: string;
  structured_patch: Hunk[];
  original?: string | undefined;
};

export async function planEdit(request: EditRequest, context: PlanContext): Promise<Planned<PlannedEdit>> {
  const { pathChars, diffBytes } = context.limits;
  using place = context.workspace.locate(request.path, { followLast: true, access: 'write', pathChars });
  refuseUnsaved(place.path, context);
  checkTarget(request, place);
  if (request.mustHaveRead) checkRead(place, context);
  const old = await readOldText(place, context);
  const { tolerant, eatNewline } = request;
  const isNewFile = old.state === null;
  const applied = applyEdits(old.text, request.edits, { tolerant, eatNewline, isNewFile });
  // The hunks are computed from the edit, so their cost follows the edit and not the file.
  const hunks = hunksFromSpans(old.text, applied.spans);
  const diff = unifiedFromHunks({ path: place.path, hunks, wasThere: !isNewFile, maxBytes: diffBytes });
  const change = planTextChange(place, old, applied.text, context, diff);
  const plan: PlanDraft = {
    summary: phrase(isNewFile ? 'plan.create' : 'plan.edit', {
      path: place.path,
      additions: diff.additions,
      deletions: diff.deletions,
    }),
    ...editRisk(diff),
    touches: [{ asked: request.path, path: place.path, access: isNewFile ? 'create' : 'write' }],
    notes: notesFor(place, applied),
    diff,
    basis: [
      { path: place.path, print: old.state === null ? 'absent' : `${old.state.digest}:${old.state.mode}` },
    ],
  };
  return {
    plan,
    intents: intentsOf(change.changes),
    prepared: { change, applied, hunks, includeOriginal: request.includeOriginal },
  };
}

export async function runEdit(
  { change, applied, hunks, includeOriginal }: PlannedEdit,
  context: RunContext,
): Promise<ToolRunResult<EditData>> {
  const effects = await commitChanges(change.changes, context);
  const { additions, deletions, text: diff } = change.diff;
  const { replacements, occurrences, tolerant } = applied;
  const { path, operation } = change;
  const original = includeOriginal ? { original: change.before ?? '' } : {};
  const counts = { replacements, occurrences, tolerant, additions, deletions };
  const data = { path, operation, ...counts, diff, structured_patch: hunks, ...original };
  return { data, effects, seen: seeAgain(context.workspace, path) };
}

/** The edit that applies only some of the hunks: it replaces the whole text. */
export function narrowEdit({ change, hunks }: PlannedEdit, choice: HunkChoice): StringEdit {
  const before = change.before ?? '';
  return { old_string: before, new_string: chosenText(before, hunks, choice) };
}

function checkTarget({ path, edits, create }: EditRequest, { stat }: Located): void {
  if (stat === undefined) {
    if (create && edits[0]?.old_string === '') return;
    throw new ToolError('FILE_NOT_FOUND', 'File does not exist.', { path });
  }
  if (!stat.isFile()) throw new ToolError('NOT_REGULAR_FILE', `${path} is not a regular file.`);
  if (path.toLowerCase().endsWith('.ipynb')) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'File is a Jupyter Notebook. Edit its cells with notebook_edit (NotebookEditCell).',
      { reason: 'notebook' },
    );
  }
}

function notesFor({ links, path, stat }: Located, { tolerant }: AppliedEdits): Phrase[] {
  const notes = links.map((link) => phrase('note.linkWritten', { link, path }));
  if (tolerant.length > 0) notes.push(phrase('note.tolerant', { what: tolerant.join(', ') }));
  if ((stat?.nlink ?? 1n) > 1n) notes.push(phrase('note.hardLinks', { count: Number(stat?.nlink) }));
  return notes;
}
