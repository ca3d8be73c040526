// Finds the sessions a command is about: the named one, by its id or a prefix, or those of this workspace, newest first.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  type ApprovalRequest,
  type CallState,
  type EventBody,
  nextCallState,
  type SessionEvent,
  type SessionLog,
  type SessionSummary,
  type SessionWorktree,
  ToolError,
  visibleLine,
} from '@codelab/protocol';
import { dayTime } from '../output/units.ts';

type Wanted = { id?: string | undefined; root?: string | undefined };

/** A shorter prefix is more likely to be a typing error. */
const shortest = 4;
const shownId = 8;
const shownCandidates = 10;

export async function findSessions(log: SessionLog, { id, root }: Wanted): Promise<SessionSummary[]> {
  const sessions = await log.sessions();
  if (id === undefined) return sessions.filter(({ workspace }) => root === undefined || workspace === root);
  const session = sessionById(id, sessions);
  if (session === undefined)
    throw new ToolError(
      'SESSION_NOT_FOUND',
      `There is no session ${JSON.stringify(id)}. \`codelab sessions list --all\` lists them.`,
    );
  return [session];
}

/** Undefined when there is none; an ambiguous prefix is refused with the matching ids. */
export function sessionById(
  typedId: string,
  sessions: readonly SessionSummary[],
): SessionSummary | undefined {
  const exact = sessions.find(({ id }) => id === typedId);
  if (exact !== undefined || typedId.length < shortest) return exact;
  const [only, ...others] = sessions.filter(({ id }) => id.startsWith(typedId));
  if (only === undefined || others.length === 0) return only;
  const candidates = [only, ...others].slice(0, shownCandidates).map(candidateText);
  const rest = others.length + 1 - candidates.length;
  throw new ToolError(
    'SESSION_NOT_FOUND',
    `Several sessions start with ${JSON.stringify(typedId)}: ${candidates.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. Type more of the id.`,
  );
}

function candidateText({ id, lastAt, workspace }: SessionSummary): string {
  return `${id} (${dayTime(lastAt)}, ${visibleLine(workspace)})`;
}

/**
 * The full id, for options that may also name a new session: only a word that looks like the short form of a generated id is looked up, and
 * a session of exactly that name comes first.
 */
export async function expandSessionId(log: SessionLog, typedId: string): Promise<string> {
  if (!/^[0-9a-f]{8,31}$/.test(typedId) || (await log.read(typedId, { limit: 1 })).length > 0) return typedId;
  const generated = (await log.sessions()).filter(({ id }) => /^[0-9a-f]{32}$/.test(id));
  return sessionById(typedId, generated)?.id ?? typedId;
}

/** The id as lists show it: of a generated id, the shortest prefix that is unique. */
export function shortId(id: string, sessions: readonly { id: string }[]): string {
  if (!/^[0-9a-f]{32}$/.test(id)) return id;
  for (let length = shownId; length < id.length; length += 2) {
    const start = id.slice(0, length);
    if (!sessions.some((other) => other.id !== id && other.id.startsWith(start))) return start;
  }
  return id;
}

/** Refuses a session whose files are elsewhere, on a client or in another folder: a call here would change other files than its record says. */
export async function checkWorkspace(log: SessionLog, session: string, root: string): Promise<void> {
  const [first] = await log.read(session, { limit: 1 });
  if (first?.body.type !== 'session.opened') return;
  if (first.body.executor === 'client')
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The files of ${session} are on the client that runs its calls. Continue there, through the gateway.`,
    );
  const { workspace } = first.body;
  if (workspace !== root)
    throw inOtherWorkspace(
      { id: session, workspace },
      'Continue there, or omit --session to start a new session here.',
    );
}

/** Refuses a session that works in another folder, such as a worktree: here its changes would seem to be missing. */
export function checkFolder({ id, workspace }: SessionSummary, root: string, command: string): void {
  if (workspace === root) return;
  const commandLine = `${command} --session ${visibleLine(id)}`;
  const step = `Run \`${commandLine}\` there, or add \`--workspace ${visibleLine(workspace)}\`.`;
  throw inOtherWorkspace({ id, workspace }, step);
}

function inOtherWorkspace(
  { id, workspace }: Pick<SessionSummary, 'id' | 'workspace'>,
  step: string,
): ToolError {
  const folder = visibleLine(workspace);
  const text = existsSync(workspace)
    ? `Session ${visibleLine(id)} works in ${folder}. ${step}`
    : `Session ${visibleLine(id)} works in ${folder}, which no longer exists. If you moved the folder, move it back to continue the session or to undo its changes, or start a new session here.`;
  return new ToolError('INVALID_ARGUMENTS', text);
}

/** Folders of sessions that are gone, and may be this one under its old name or in its old place; the latest first. */
export async function formerFolders(log: SessionLog, root: string): Promise<string[]> {
  const sessions = (await log.sessions()).toSorted((a, b) => b.lastAt - a.lastAt);
  const isRelated = (folder: string): boolean =>
    basename(folder) === basename(root) || dirname(folder) === dirname(root);
  const folders = new Set(sessions.map(({ workspace }) => workspace));
  return [...folders].filter((folder) => folder !== root && isRelated(folder) && !existsSync(folder));
}

/** The first entry of a fork, which goes on in the worktree of the session that it comes from. */
export async function forkEntry(
  log: SessionLog,
  workspace: string,
  forkedFrom: { session: string; seq: number },
): Promise<EventBody> {
  const [first] = await log.read(forkedFrom.session, { limit: 1 });
  const worktree = worktreeIn(first);
  return { type: 'session.opened', workspace, forkedFrom, ...(worktree && { worktree }) };
}

/** The worktree in the first entry of a session. */
export function worktreeIn(first: SessionEvent | undefined): SessionWorktree | undefined {
  return first?.body.type === 'session.opened' ? first.body.worktree : undefined;
}

/** The pending approvals of a session. */
export function countPendingApprovals(events: readonly SessionEvent[]): ApprovalRequest[] {
  const states = new Map<string, CallState | undefined>();
  for (const event of events) {
    const { body } = event;
    const callId = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
    if (callId !== undefined) states.set(callId, nextCallState(states.get(callId), event));
  }
  return [...states.values()].flatMap((state) =>
    state?.state === 'awaiting_approval' ? [state.approval] : [],
  );
}
