// Files as an editor has them: a read returns the unsaved text, and a write edits the text in the editor, so that the editor's own undo
// reverts the change.
import { join } from 'node:path';
import { diffLines, ToolError } from '@codelab/protocol';
import {
  digest,
  type Host,
  hunksFrom,
  identity,
  readBoundedText,
  splitAtLineFeeds,
  type TextChange,
  type Tool,
  type ToolDecorator,
  type Workspace,
} from '@codelab/runtime';
import { PathValidator } from './path-validator.ts';

/** Paths are absolute real paths. */
export type EditorFiles = {
  /** The text that the editor has not saved; undefined when the file on the disk is current. */
  unsaved(file: string): string | undefined;
  /**
   * Edits the file, or creates it where `before` is null, and returns the text it then has. Throws STALE when its text is not `before`.
   * Undefined when the editor cannot hold this text unchanged, for example with mixed line endings: then the file itself is written.
   */
  write(change: {
    callId: string;
    file: string;
    before: string | null;
    after: string;
  }): Promise<string | undefined>;
};

type Prepared = { change: TextChange; file: string; before: string | null; isUnsaved: boolean };

/** `write_file` goes through the editor; every tool sees unsaved texts. */
export function throughEditor(editor: EditorFiles): ToolDecorator {
  /** The text last read or written of a file that has no version on the disk yet. */
  const knownTexts = new Map<string, string>();
  return (tool) => {
    const aware = withUnsaved(tool, editor, knownTexts);
    return tool.name === 'write_file' ? writeThrough(tool, editor, knownTexts) : aware;
  };
}

function withUnsaved(tool: Tool, editor: EditorFiles, knownTexts: Map<string, string>): Tool {
  const inEditor = <C extends { workspace: Workspace }>(context: C) => ({
    ...context,
    unsaved: (path: string) => editor.unsaved(fileOf(context.workspace, path)),
  });
  return {
    ...tool,
    plan: (input, context) => tool.plan(input, inEditor(context)),
    async run(input, prepared, context) {
      const ran = await tool.run(input, prepared, inEditor(context));
      const { path, content, start_line } = ran.data;
      const isWhole = tool.readsUnsaved === true && start_line === undefined;
      if (isWhole && typeof path === 'string' && typeof content === 'string')
        knownTexts.set(fileOf(context.workspace, path), content);
      return ran;
    },
  };
}

function writeThrough(tool: Tool, editor: EditorFiles, knownTexts: Map<string, string>): Tool {
  return {
    ...tool,
    async plan(input, context) {
      // All checks of a write to the disk apply; the unsaved text is compared here.
      const planned = await tool.plan(input, { ...context, unsaved: () => undefined });
      const change = planned.prepared as TextChange;
      const file = fileOf(context.workspace, change.path);
      const unsaved = editor.unsaved(file);
      if (unsaved !== undefined) checkKnown(knownTexts.get(file), unsaved);
      const before = unsaved ?? change.before;
      const prepared: Prepared = { change, file, before, isUnsaved: unsaved !== undefined };
      const basis =
        unsaved === undefined
          ? planned.plan.basis
          : [{ path: change.path, print: `unsaved:${digest(unsaved)}` }];
      return { ...planned, plan: { ...planned.plan, basis }, intents: [], isUnforeseeable: true, prepared };
    },
    async run(input, prepared, context) {
      const { change, file, before, isUnsaved } = prepared as Prepared;
      const { path, after } = change;
      const text = await editor.write({ callId: context.callId, file, before, after });
      if (text === undefined) {
        if (isUnsaved) throw staleText(path);
        return await tool.run(input, change, context);
      }
      knownTexts.set(file, text);
      const { additions, deletions, text: diff } = change.diff;
      const operation = before === null ? 'created' : before === after ? 'unchanged' : 'updated';
      const bytes_written = Buffer.byteLength(text);
      const data = { path, operation, bytes_written, additions, deletions, diff, structured_patch: [] };
      return { data, effects: [], seen: versionsOf(context.workspace, path) };
    },
  };
}

/** The change of a write as its user sees it: compared with the text in the editor. */
export type ProposedChange = {
  /** Path in the workspace, and on this machine. */
  path: string;
  file: string;
  before: string | null;
  after: string;
  hunks: ReturnType<typeof hunksFrom>;
};

/** Throws a ToolError for a path that must not be written, and for a file that is not text. */
export async function proposeChange(
  { host, editor }: { host: Host; editor: EditorFiles },
  { path: requestedPath, content: after }: { path: string; content: string },
): Promise<ProposedChange> {
  const { path, exists } = await new PathValidator(host).requirePath(requestedPath);
  const { workspace } = host;
  const file = fileOf(workspace, path);
  const maxBytes = host.limits('plugin').writeBytes;
  const saved = (): string | null =>
    exists ? (readBoundedText(workspace, path, { maxBytes, followLast: false }) ?? null) : null;
  const before = editor.unsaved(file) ?? saved();
  const [oldLines, newLines] = [splitAtLineFeeds(before ?? ''), splitAtLineFeeds(after)];
  return { path, file, before, after, hunks: hunksFrom(oldLines, newLines, diffLines(oldLines, newLines)) };
}

/** A file that was never read may be written: its user has seen the change. */
function checkKnown(knownText: string | undefined, unsaved: string): void {
  if (knownText === undefined || knownText === unsaved) return;
  throw new ToolError(
    'STALE',
    'The file was changed in the editor since it was read. Read it again before writing to it.',
    { reason: 'changed_since_read' },
  );
}

function staleText(path: string): ToolError {
  return new ToolError(
    'STALE',
    `${path} has unsaved changes with mixed line endings, which an edit would change. Save it in the editor, then try again.`,
    { reason: 'unsaved_changes', path },
  );
}

function versionsOf(workspace: Workspace, path: string): { path: string; print: string }[] {
  using place = workspace.locate(path, { followLast: false, access: 'read', pathChars: 4096 });
  return place.stat === undefined ? [] : [{ path, print: identity(place.stat) }];
}

function fileOf({ root }: Workspace, path: string): string {
  return join(root.real, path);
}
