// Changed and deleted files of the workspace, undoing changes, and restoring deleted files.
import { changeRoutes, type TrashEntry, type UndoResult } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { type Deletion, diffEffects, hasItem } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { isInProject } from '../../config/config-files.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { createChangeView } from '../changes/change-view.ts';
import type { WorkspaceChanges } from '../changes/open-changes.ts';
import { type ChangeSelection, planUndoInSession, undoInSession } from '../changes/undo-in-session.ts';
import { serveRoute } from '../route.ts';

// The changes of a session's calls: the list by turn, diffs, undo and redo.
const maxDiff = 2 * 1024 * 1024;

export function serveChanges(app: FastifyInstance, gateway: Gateway, changes: WorkspaceChanges): void {
  const view = createChangeView();

  serveRoute(app, changeRoutes.list, async ({ peer, params }) => {
    const { id, host, worktree } = await gateway.session(params.id, peer, { mustExist: true });
    return { turns: view({ id, host }, await changes.of(id), await changes.index(worktree?.path)) };
  });

  serveRoute(app, changeRoutes.diff, async ({ peer, params }) => {
    const { id, host, worktree } = await gateway.session(params.id, peer, { mustExist: true });
    const found = (await changes.of(id)).findLast(({ outcome }) => outcome.callId === params.call);
    if (found === undefined) throw unknown(params.call);
    const { outcome, summary } = found;
    const places = { ...host, versions: (await changes.index(worktree?.path)).versions };
    const files = diffEffects(outcome.effects, places, { maxChars: maxDiff });
    return { call_id: outcome.callId, tool: outcome.tool, summary, files };
  });

  serveRoute(app, changeRoutes.undo, async ({ peer, params, body: { dry_run, force, ...selection } }) => {
    if (
      [selection.turn, selection.from_turn, selection.call_id].filter((field) => field !== undefined).length >
      1
    )
      throw new ToolError('INVALID_ARGUMENTS', 'Give only one of `turn`, `from_turn` and `call_id`.', {
        field: 'turn',
      });
    return await run(gateway, params.id, peer, { verb: 'undo', selection, isForced: force, isDry: dry_run });
  });

  serveRoute(app, changeRoutes.redo, async ({ peer, params, body: { dry_run, force } }) =>
    run(gateway, params.id, peer, { verb: 'redo', selection: {}, isForced: force, isDry: dry_run }),
  );
}

type UndoRequest = { verb: 'undo' | 'redo'; selection: ChangeSelection; isForced: boolean; isDry: boolean };

async function run(
  gateway: Gateway,
  id: string,
  by: Peer,
  { isDry, ...request }: UndoRequest,
): Promise<UndoResult> {
  const session = await gateway.session(id, by, { mustExist: true });
  return isDry ? await planUndoInSession(session, request) : await undoInSession(session, { ...request, by });
}

function unknown(call: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `No call ${JSON.stringify(call.slice(0, 200))} of this session has changed files. GET …/changes lists them.`,
  );
}

// Deleted files of this workspace that are still stored, and restoring them. Nothing is overwritten.
const mostShown = 500;

export function serveTrash(app: FastifyInstance, gateway: Gateway, changes: WorkspaceChanges): void {
  const { host } = gateway;

  async function keptDeletions(by: Peer): Promise<Deletion[]> {
    const sessions = await gateway.sessions(by);
    const ownIds = new Set(sessions.map(({ id }) => id));
    const main = host.workspace.root.real;
    const folders = sessions.map(({ workspace }) => workspace);
    const projectFolders = folders.filter((folder) => isInProject(host.home, main, folder));
    const roots = new Set([main, ...projectFolders]);
    const found = await Promise.all([...roots].map((root) => changes.index(root)));
    const deletions = found.flatMap((index) => index.deletions).toSorted((a, b) => b.at - a.at);
    return deletions.filter(({ session }) => ownIds.has(session));
  }

  serveRoute(app, changeRoutes.trash, async ({ peer }) => {
    const entries: TrashEntry[] = [];
    for (const deletion of await keptDeletions(peer)) {
      if (entries.length === mostShown) break;
      if (hasItem(host.home, deletion.trashId)) entries.push(view(deletion));
    }
    return { entries };
  });

  serveRoute(app, changeRoutes.restore, async ({ peer, params }) => {
    const found = (await keptDeletions(peer)).find(({ trashId }) => trashId === params.trash);
    if (found === undefined) throw notInTrash(params.trash);
    const session = await gateway.session(found.session, peer, { mustExist: true });
    const selection = { call_id: found.callId, paths: [found.path] };
    const { files, done } = await undoInSession(session, {
      verb: 'undo',
      selection,
      isForced: false,
      by: peer,
    });
    const refused = files.find(({ state }) => state === 'refused');
    if (!done || refused !== undefined) throw inTheWay(found.path, refused?.why);
    return { ...view(found), restored: true as const };
  });
}

function view({ trashId, path, files, bytes, at, session, callId }: Deletion): TrashEntry {
  const deleted = new Date(at).toISOString();
  return { trash_id: trashId, path, files, bytes, deleted_at: deleted, session, call_id: callId };
}

function notInTrash(id: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `${JSON.stringify(id.slice(0, 200))} is not in the trash. GET ${changeRoutes.trash.path} lists what is.`,
  );
}

function inTheWay(path: string, reason = 'it could not be restored'): ToolError {
  const text = `${path} was not restored: ${reason}. Move the existing file away, then restore it again.`;
  return new ToolError('STALE', text, { path });
}
