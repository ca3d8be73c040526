// Applies a unified diff, or the `*** Begin Patch` form that some models write, to the files it names: all of them or none.
import {
  englishText,
  type Phrase,
  type PlanDraft,
  phrase,
  ToolError,
  type Touch,
  visibleLine,
} from '@codelab/protocol';
import * as z from 'zod/mini';
import { narrowPatch } from '../../edit/narrow-patch.ts';
import { type PatchedFile, type PlannedPatch, planPatch } from '../../edit/plan-patch.ts';
import type { FilePatch } from '../../patch/file-patch.ts';
import { formatPatch } from '../../patch/format-patch.ts';
import { isLinkMode } from '../../patch/parse/parse-git-header.ts';
import { countHunkLines } from '../../patch/select-hunks.ts';
import { editRisk } from '../../patch/unified-diff.ts';
import { defineTool, type PlanContext } from '../../tool/define-tool.ts';
import { intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';

const Input = () =>
  z.strictObject({
    diff: z.string(),
    dry_run: z._default(z.boolean(), false),
    /** Refuses a tree with uncommitted changes. */
    strict: z._default(z.boolean(), false),
    /** The counts after `@@` were wrong, and are now those of the lines. */
    recounted: z._default(z.boolean(), false),
  });

const File = () =>
  z.strictObject({
    path: z.string(),
    operation: z.enum(['create', 'update', 'delete', 'rename', 'copy']),
    from: z.optional(z.string()),
    additions: z.int(),
    deletions: z.int(),
    offsets: z.array(z.int()),
    tolerant: z.array(z.string()),
    bytes: z.int(),
  });

const Output = () =>
  z.strictObject({ files: z.array(File()), applied: z.boolean(), recounted: z.optional(z.literal(true)) });

type Input = z.infer<ReturnType<typeof Input>>;
type File = z.infer<ReturnType<typeof File>>;

export const applyPatchTool = defineTool<Input, z.infer<ReturnType<typeof Output>>, PlannedPatch>({
  name: 'apply_patch',
  kind: 'edit',
  summary: 'Apply a unified diff, or the *** Begin Patch form, to the files it names: all of them or none.',
  input: Input,
  output: Output,

  async plan(input, context) {
    if (input.strict) await mustBeClean(context);
    const planned = planPatch(input.diff, context);
    const { patched, diff, changes } = planned;
    const { additions, deletions } = diff;
    const counts = { files: patched.length, additions, deletions };
    const plan: PlanDraft = {
      summary: phrase(input.dry_run ? 'plan.tryPatch' : 'plan.applyPatch', counts),
      ...(input.dry_run
        ? { risk: 'low', riskReason: phrase('risk.onlyReports') }
        : editRisk(diff, patched.length)),
      touches: patched.map((file) => touch(file, input.dry_run)),
      notes: [
        ...(input.recounted ? [recountedNote] : []),
        ...patched.flatMap(notesFor),
        ...planned.files.flatMap(noteOnBytes),
      ],
      diff,
      basis: patched.map(({ path, target }) => ({
        path,
        print: target.state === null ? 'absent' : `${target.state.digest}:${target.state.mode}`,
      })),
    };
    if (input.dry_run) return { plan, kind: 'read', intents: [], prepared: planned };
    return { plan, intents: intentsOf(changes), prepared: planned, ...mustAskAboutLinks(patched) };
  },

  async run({ dry_run, recounted }, planned, context) {
    const hunksOf = Map.groupBy(planned.files, ({ newPath, oldPath }) => newPath ?? oldPath);
    // A renamed file is listed once, at its new path.
    const reportedFiles = planned.patched.filter(
      ({ operation, after }) => operation !== 'rename' || after !== null,
    );
    const files = reportedFiles.map((file) => report(file, hunksOf.get(file.path) ?? []));
    const recountField = recounted ? { recounted } : {};
    if (dry_run) return { data: { files, applied: false, ...recountField }, effects: [] };
    const effects = await commitChanges(planned.changes, context);
    return { data: { files, applied: true, ...recountField }, effects };
  },

  narrow: (input, planned, choice) => ({ ...input, diff: formatPatch(narrowPatch(planned, choice)) }),

  tell: ({ files, applied, recounted }) => {
    const fileList = files.map(({ path, operation }) => `${operation} ${path}`).join(', ');
    return `${applied ? 'Applied' : 'Would apply'}: ${fileList}.${recounted ? ` ${englishText(recountedNote)}` : ''}`;
  },
});

const recountedNote = phrase('note.recounted');

async function mustBeClean({ workspace, signal }: PlanContext): Promise<void> {
  const { isClean } = await import('../../git/read/read-head.ts');
  if (await isClean(workspace, signal)) return;
  throw new ToolError(
    'PATCH_APPLY_FAILED',
    'The working tree has uncommitted changes, but `strict` needs a clean one. Commit or stash them first, or omit `strict`.',
    { reason: 'not_clean' },
  );
}

function touch({ path, before, after }: PatchedFile, isDry: boolean): Touch {
  const access = isDry ? 'read' : after === null ? 'delete' : before === null ? 'create' : 'write';
  return { asked: path, path, access };
}

function notesFor(file: PatchedFile): Phrase[] {
  const { path, offsets, tolerant, from, after } = file;
  const moved = offsets.filter((offset) => offset !== 0);
  const notes: Phrase[] = [];
  if (isLinkMode(after?.mode)) notes.push(phrase('note.patchLink', { path, target: shownTarget(file) }));
  if (from !== undefined) notes.push(phrase('note.patchFrom', { path, from }));
  if (moved.length > 0)
    notes.push(
      phrase('note.patchMoved', {
        path,
        count: moved.length,
        offsets: moved.map((n) => (n > 0 ? `+${n}` : n)).join(', '),
      }),
    );
  if (tolerant.length > 0) notes.push(phrase('note.patchTolerant', { path, what: tolerant.join(', ') }));
  return notes;
}

/** Later writes to a link's name go to its target, so a person approves every new link. */
function mustAskAboutLinks(patched: readonly PatchedFile[]): {
  mustAsk?: { rule: string; reason: Phrase };
} {
  const link = patched.find(({ after }) => isLinkMode(after?.mode));
  if (link === undefined) return {};
  const reason = phrase('call.becomesLink', { path: link.path, target: shownTarget(link) });
  return { mustAsk: { rule: 'new-link', reason } };
}

function shownTarget({ after }: PatchedFile): string {
  return visibleLine(Buffer.from(after?.text ?? '', 'latin1').toString('utf8'));
}

function noteOnBytes({ binary, newPath, operation }: FilePatch): Phrase[] {
  if (!binary || newPath === null) return [];
  return [phrase(operation === 'create' ? 'note.bytesHeld' : 'note.bytesChanged', { path: newPath })];
}

function report(
  { path, operation, from, after, offsets, tolerant }: PatchedFile,
  files: readonly FilePatch[],
): File {
  const { additions, deletions } = countHunkLines(files.flatMap(({ hunks }) => hunks));
  const bytes = after?.text.length ?? 0;
  return {
    path,
    operation,
    ...(from === undefined ? {} : { from }),
    additions,
    deletions,
    offsets,
    tolerant,
    bytes,
  };
}
