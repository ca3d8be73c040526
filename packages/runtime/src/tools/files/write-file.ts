// Writes a whole text file, creating it and its folders when needed. An old file keeps its mode and BOM,
// and on request its line endings.
import { chosenText, diffLines, type Phrase, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { detectLineEndings, keepLineEndings } from '../../patch/lines.ts';
import { editRisk, type Hunk, hunksFrom, splitAtLineFeeds } from '../../patch/unified-diff.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { checkRead, checkSeen, refuseUnsaved, seeAgain } from '../../workspace/file-checks.ts';
import type { Located } from '../../workspace/locate.ts';
import { type OldText, planTextChange, readOldText, type TextChange } from '../../workspace/text-files.ts';
import { HunkSchema } from '../edits/edit-output.ts';

const Input = () =>
  z.strictObject({
    path: z.string(),
    content: z.string(),
    /** Creates missing folders, and the file itself when it is missing. */
    create_parents: z._default(z.boolean(), true),
    create: z._default(z.boolean(), true),
    /** Text with plain line feeds gets the line endings of the old file; otherwise the content is written unchanged. */
    keep_line_endings: z.optional(z.boolean()),
    must_have_read: z._default(z.boolean(), false),
    /** Refuse when the session has read another version. A person who saves what they see has no such version. */
    check_seen: z._default(z.boolean(), true),
  });

const Output = () =>
  z.strictObject({
    path: z.string(),
    operation: z.enum(['created', 'updated', 'unchanged']),
    bytes_written: z.int(),
    additions: z.int(),
    deletions: z.int(),
    diff: z.string(),
    structured_patch: z.array(HunkSchema()),
  });

type Input = z.infer<ReturnType<typeof Input>>;

export const writeFileTool = defineTool<Input, z.infer<ReturnType<typeof Output>>, TextChange>({
  name: 'write_file',
  kind: 'edit',
  summary: 'Write a whole UTF-8 text file; creates it and its folders when needed.',
  input: Input,
  output: Output,

  async plan(input, context) {
    using place = context.workspace.locate(input.path, {
      followLast: true,
      access: 'write',
      pathChars: context.limits.pathChars,
    });
    refuseUnsaved(place.path, context);
    checkTarget(input, place);
    if (input.must_have_read) checkRead(place, context);
    else if (input.check_seen) checkSeen(place, context);
    const old = await readOldText(place, context);
    const after = input.keep_line_endings ? keepLineEndings(old.text, input.content) : input.content;
    const change = planTextChange(place, old, after, context);
    const { diff, operation } = change;
    const { additions, deletions } = diff;
    const plan = {
      summary: phrase(summaryKeys[operation], { path: place.path, additions, deletions }),
      ...editRisk(diff),
      touches: [
        {
          asked: input.path,
          path: place.path,
          access: old.state === null ? ('create' as const) : ('write' as const),
        },
      ],
      notes: notesFor(input, place, old, after),
      diff,
      basis: [
        { path: place.path, print: old.state === null ? 'absent' : `${old.state.digest}:${old.state.mode}` },
      ],
    };
    return { plan, intents: intentsOf(change.changes), prepared: change };
  },

  async run(_input, change, context) {
    const effects = await commitChanges(change.changes, context);
    const { additions, deletions, text: diff } = change.diff;
    const { path, operation, before: original, bytes: bytes_written } = change;
    const structured_patch = original === null ? [] : structuredPatch(original, change.after);
    const counts = { bytes_written, additions, deletions };
    const data = { path, operation, ...counts, diff, structured_patch };
    return { data, effects, seen: seeAgain(context.workspace, path) };
  },

  narrow(input, { before, after }, choice) {
    const old = before ?? '';
    return {
      ...input,
      content: chosenText(old, structuredPatch(old, after), choice),
      keep_line_endings: false,
    };
  },

  // Some clients that carry out a call do not count its lines.
  tell: ({ path, operation, additions, deletions }) =>
    `${path} ${operation}${additions + deletions === 0 ? '' : ` (+${additions} −${deletions} lines)`}.`,
});

const summaryKeys = { created: 'plan.create', updated: 'plan.change', unchanged: 'plan.leave' } as const;

function structuredPatch(before: string, after: string): Hunk[] {
  const oldLines = splitAtLineFeeds(before);
  const newLines = splitAtLineFeeds(after);
  return hunksFrom(oldLines, newLines, diffLines(oldLines, newLines));
}

function checkTarget(input: Input, place: Located): void {
  const { stat, missing } = place;
  if (stat !== undefined && !stat.isFile()) {
    throw new ToolError(
      'NOT_REGULAR_FILE',
      `${input.path} ${stat.isDirectory() ? 'is a directory' : 'is not a regular file'}.`,
    );
  }
  if (input.path.endsWith('/'))
    throw new ToolError('INVALID_PATH', `${input.path} names a directory; give the name of a file.`);
  if (input.content.includes('\0'))
    throw new ToolError('ENCODING_ERROR', 'The content holds a NUL character, which no text file has.');
  if (stat === undefined && !input.create)
    throw new ToolError('FILE_NOT_FOUND', `File not found: ${input.path}`);
  if (missing.length > 0 && !input.create_parents) {
    throw new ToolError(
      'PARENT_NOT_FOUND',
      `The directory for ${input.path} does not exist. Create it first.`,
    );
  }
}

function notesFor(input: Input, place: Located, old: OldText, after: string): Phrase[] {
  const notes = place.links.map((link) => phrase('note.linkWritten', { link, path: place.path }));
  if (after !== input.content) notes.push(phrase('note.keepsLineEndings'));
  const from = old.text === '' ? undefined : detectLineEndings(old.text);
  const to = from && detectLineEndings(after);
  if (from !== undefined && to !== undefined && from !== to)
    notes.push(phrase('note.changesLineEndings', { from, to }));
  if (old.hasBom) notes.push(phrase('note.keepsByteOrderMark'));
  if ((place.stat?.nlink ?? 1n) > 1n)
    notes.push(phrase('note.hardLinks', { count: Number(place.stat?.nlink) }));
  return notes;
}
