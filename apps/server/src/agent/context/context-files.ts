// The files of a session's context: which they are, adding and removing them, and their texts for the model.
import type { WorkspaceTexts } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import {
  createRegistry,
  defaultProfile,
  type Host,
  identity,
  inspect,
  maxUnsavedBytes,
  readBoundedText,
  type Workspace,
} from '@codelab/runtime';
import {
  instructionName,
  instructionNotices,
  readInstructions,
  type TouchedFolders,
} from './instructions.ts';

// Workspace files that a model gets without a call; read and checked again only when they have changed. No approval is possible here, so a
// file that may not be read unasked, even through a link, is left out.
type TextOptions = Pick<WorkspaceTexts, 'hasFiles'> & {
  touched: TouchedFolders;
  /** Called once for each problem that keeps instructions from being used. */
  notice?: ((text: string) => void) | undefined;
};

export function workspaceTexts(
  host: Host,
  session: string,
  { hasFiles, touched, notice }: TextOptions,
): WorkspaceTexts {
  const { workspace, home } = host;
  const cache = new Map<string, { version: string; text: string | undefined }>();
  const noticed = new Set<string>();
  const noticeOnce = (text: string): void => {
    if (noticed.has(text)) return;
    noticed.add(text);
    notice?.(text);
  };
  return {
    hasFiles,
    async instructions() {
      if (!hasFiles) return { files: [], untrusted: [] };
      const isForUser = (await host.session(session)).owner === undefined;
      const isFolder = (path: string): boolean => statOf(workspace, path)?.isDirectory() ?? false;
      const places = { home, root: host.settingsRoot, isForUser, read: this.read, isFolder };
      const instructions = await readInstructions(places, touched);
      for (const text of instructionNotices(instructions)) noticeOnce(text);
      return {
        files: instructions.files.map((file) => ({ name: instructionName(file), text: file.text })),
        untrusted: instructions.untrusted,
      };
    },
    async unsaved(path) {
      const text = await unsavedText(host, session, path);
      return text !== undefined && (await isFreeToRead(host, { session }, path)) ? text : undefined;
    },
    async read(path, maxBytes) {
      const version = fileVersion(workspace, path);
      if (version === undefined) return undefined;
      const before = cache.get(path);
      if (before?.version === version) return before.text;
      const isFree = await isFreeToRead(host, { session }, path);
      // The text shown is the text that was judged: a file put in its place meanwhile is judged the next time.
      const text = isFree ? readQuietly(workspace, path, maxBytes) : undefined;
      if (fileVersion(workspace, path) !== version) return undefined;
      cache.set(path, { version, text });
      return text;
    },
  };
}

/** The unsaved text of the file in an editor. */
export async function unsavedText(host: Host, session: string, path: string): Promise<string | undefined> {
  return await inspect(host, { session }, ({ unsaved }) => unsaved(path));
}

/** Undefined when the file is missing or may not be read. */
export function fileVersion(workspace: Workspace, path: string): string | undefined {
  const stat = statOf(workspace, path);
  return stat && identity(stat);
}

function statOf(workspace: Workspace, path: string): ReturnType<Workspace['locate']>['stat'] {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat;
  } catch {
    return undefined;
  }
}

/** Whether the rules let the file be read unasked. */
export async function isFreeToRead(
  host: Host,
  { session, profile = defaultProfile }: { session: string; profile?: string | undefined },
  path: string,
): Promise<boolean> {
  const registry = await createRegistry(host, { session, profile, dialect: 'codelab' });
  try {
    return (await registry.approvalRequest('read_file', { path })).verdict.verdict === 'allow';
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

// A file that is too large, not text or not readable is not shown.
function readQuietly(workspace: Workspace, path: string, maxBytes: number): string | undefined {
  try {
    return readBoundedText(workspace, path, { maxBytes, followLast: true });
  } catch {
    return undefined;
  }
}

// Pins a file to a session, so that the model gets its present text at every turn, or unpins it. The file is checked before the change is
// recorded. With `content`, the model and `read_file` get this unsaved text instead of the file.
export type ContextChange =
  | { op: 'add_file'; path: string; content?: string | undefined }
  | { op: 'remove_file'; path: string }
  | { op: 'clear' };

const maxPinnedBytes = 256 * 1024;
/** The limit for all unsaved texts of a session together, which are held in memory. */
const maxAllUnsavedBytes = 16 * maxUnsavedBytes;

/** Returns the path under which the file is known from now on. */
export async function changeContext(
  host: Host,
  session: string,
  change: ContextChange,
): Promise<string | undefined> {
  const path = change.op === 'clear' ? undefined : await settle(host, session, change);
  const content = change.op === 'add_file' ? change.content : undefined;
  const live = await host.session(session);
  const fields = { ...(path !== undefined && { path }), ...(content !== undefined && { content }) };
  await live.commit(() => {
    if (path !== undefined && content !== undefined) checkRoom(live.unsavedTexts, path, content);
    return [{ type: 'context.changed', op: change.op, ...fields }];
  });
  return path;
}

async function settle(
  host: Host,
  session: string,
  change: Exclude<ContextChange, { op: 'clear' }>,
): Promise<string> {
  if (change.op === 'add_file' && change.content !== undefined)
    return await checkUnsaved(host, session, change.path, change.content);
  try {
    const real = await checkPath(host, session, change.path);
    if (change.op === 'add_file')
      readBoundedText(host.workspace, real, { maxBytes: maxPinnedBytes, followLast: true });
    return real;
  } catch (error) {
    // A file that is gone, or may no longer be shown, can still be unpinned.
    if (change.op === 'remove_file' && error instanceof ToolError) return change.path;
    throw error;
  }
}

async function checkUnsaved(host: Host, session: string, path: string, content: string): Promise<string> {
  const bytes = Buffer.byteLength(content);
  if (bytes > maxUnsavedBytes)
    throw tooLong(`\`content\` has ${bytes} bytes; the limit is ${maxUnsavedBytes}.`);
  using place = host.workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
  return await checkPath(host, session, place.path, new Map([[place.path, content]]));
}

/** A file can be pinned only when it may be read unasked. `unsavedTexts` are those that the session would have. */
async function checkPath(
  host: Host,
  session: string,
  path: string,
  unsavedTexts?: ReadonlyMap<string, string>,
): Promise<string> {
  const registry = await createRegistry(host, { session, profile: defaultProfile, dialect: 'codelab' });
  const { plan, verdict } = await registry.approvalRequest('read_file', { path }, unsavedTexts);
  if (verdict.verdict !== 'allow')
    throw new ToolError('PERMISSION_DENIED', `${path} can’t be pinned: ${verdict.reason}`, {
      rule: verdict.rule,
    });
  return plan.touches[0]?.path ?? path;
}

function checkRoom(texts: ReadonlyMap<string, string>, path: string, content: string): void {
  const others = [...texts].filter(([other]) => other !== path);
  const bytes = others.reduce((sum, [, text]) => sum + Buffer.byteLength(text), Buffer.byteLength(content));
  if (bytes > maxAllUnsavedBytes)
    throw tooLong(
      `The unsaved texts of a session may have ${maxAllUnsavedBytes} bytes in total; with this one they would have ${bytes}. Remove some.`,
    );
}

function tooLong(message: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'content' });
}
