// Plans text edits of one file, with the checks of the Kode wire in its order, and collects what the results need.
import {
  chosenText,
  type Diff,
  type HunkChoice,
  type Phrase,
  type PlanDraft,
  phrase,
  ToolError,
} from '@codelab/protocol';
import { editRisk, type Hunk } from '../patch/unified-diff.ts';
import type { PlanContext, Planned, RunContext, ToolRunResult } from '../tool/define-tool.ts';
import { type Change, intentsOf } from '../workspace/commit/change.ts';
import { commitChanges } from '../workspace/commit/commit-changes.ts';
import { checkRead, refuseUnsaved, seeAgain } from '../workspace/file-checks.ts';
import type { Located } from '../workspace/locate.ts';
import {
  type OldText,
  planTextChange,
  putBytes,
  readOldText,
  type TextChange,
} from '../workspace/text-files.ts';
import { type AppliedEdits, applyEdits } from './apply-edits.ts';
import { findPiece, withLinesBefore, withPiece } from './edit-piece.ts';
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
  path: string;
  operation: TextChange['operation'];
  changes: Change[];
  diff: Diff;
  hunks: Hunk[];
  counts: Pick<AppliedEdits, 'replacements' | 'occurrences' | 'tolerant'>;
  before: () => string;
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
  const isNewFile = old.state === null;
  const edited = editText(old, request);
  const { applied, hunks } = edited;
  const diff = unifiedFromHunks({ path: place.path, hunks, wasThere: !isNewFile, maxBytes: diffBytes });
  const { operation, changes } =
    edited.bytes === undefined
      ? planTextChange(place, old, applied.text, context, diff)
      : { operation: 'updated' as const, changes: putBytes(place, old, edited.bytes, context.limits) };
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
  const { replacements, occurrences, tolerant } = applied;
  const { path } = place;
  return {
    plan,
    intents: intentsOf(changes),
    prepared: {
      ...{ path, operation, changes, diff, hunks, counts: { replacements, occurrences, tolerant } },
      before: () => old.text,
      includeOriginal: request.includeOriginal,
    },
  };
}

type EditedText = { applied: AppliedEdits; hunks: Hunk[]; bytes?: Buffer };

/** The hunks are computed from the edit, so their cost follows the edit and not the file. */
function editText(old: OldText, { edits, tolerant, eatNewline }: EditRequest): EditedText {
  const options = { tolerant, eatNewline, isNewFile: old.state === null };
  const piece = findPiece(old, edits);
  const text = piece?.text ?? old.text;
  const applied = applyEdits(text, edits, options);
  const hunks = hunksFromSpans(text, applied.spans);
  if (piece === undefined) return { applied, hunks };
  return { applied, hunks: withLinesBefore(hunks, piece), bytes: withPiece(old, piece, applied.text) };
}

export async function runEdit(
  { path, operation, changes, diff, counts, hunks, before, includeOriginal }: PlannedEdit,
  context: RunContext,
): Promise<ToolRunResult<EditData>> {
  const effects = await commitChanges(changes, context);
  const { additions, deletions, text } = diff;
  const original = includeOriginal ? { original: before() } : {};
  const data = { path, operation, ...counts, additions, deletions, diff: text, structured_patch: hunks };
  return { data: { ...data, ...original }, effects, seen: seeAgain(context.workspace, path) };
}

/** The edit that applies only some of the hunks: it replaces the whole text. */
export function narrowEdit({ before, hunks }: PlannedEdit, choice: HunkChoice): StringEdit {
  const text = before();
  return { old_string: text, new_string: chosenText(text, hunks, choice) };
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
