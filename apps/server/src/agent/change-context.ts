// Pins a file to a session, so that the model sees it as it is at every turn, or lets go of it. Recorded only after a look at the file. With
// `content` it is a text that an editor has not saved: from then on the model and `read_file` are given it in the place of the file.
import { ToolError } from '@codelab/protocol';
import { createRegistry, defaultProfile, type Host, maxUnsavedBytes, readText } from '@codelab/runtime';

export type ContextChange =
  | { op: 'add_file'; path: string; content?: string | undefined }
  | { op: 'remove_file'; path: string }
  | { op: 'clear' };

const maxPinnedBytes = 256 * 1024;
/** Of all unsaved texts of a session together: they are kept in memory. */
const maxAllUnsavedBytes = 16 * maxUnsavedBytes;

/** Returns the path as it is known from now on. */
export async function changeContext(
  host: Host,
  session: string,
  change: ContextChange,
): Promise<string | undefined> {
  const path = change.op === 'clear' ? undefined : await settle(host, session, change);
  const content = change.op === 'add_file' ? change.content : undefined;
  const live = await host.session(session);
  const what = { ...(path !== undefined && { path }), ...(content !== undefined && { content }) };
  await live.commit(() => {
    if (path !== undefined && content !== undefined) checkRoom(live.unsavedTexts, path, content);
    return [{ type: 'context.changed', op: change.op, ...what }];
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
      readText(host.workspace, real, { maxBytes: maxPinnedBytes, followLast: true });
    return real;
  } catch (error) {
    // What is gone, or may be shown no more, can still be let go of.
    if (change.op === 'remove_file' && error instanceof ToolError) return change.path;
    throw error;
  }
}

async function checkUnsaved(host: Host, session: string, path: string, content: string): Promise<string> {
  const bytes = Buffer.byteLength(content);
  if (bytes > maxUnsavedBytes)
    throw tooLong(`\`content\` has ${bytes} bytes; at most ${maxUnsavedBytes} are taken.`);
  using place = host.workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
  return await checkPath(host, session, place.path, new Map([[place.path, content]]));
}

/** Only what may be read unasked is pinned. `unsavedTexts` are those that the session would have. */
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
      `The unsaved texts of a session may have ${maxAllUnsavedBytes} bytes together; with this one they have ${bytes}. Remove some.`,
    );
}

function tooLong(message: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'content' });
}
