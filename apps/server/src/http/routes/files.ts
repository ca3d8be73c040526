// Files of the workspace for a screen: one folder, one text, saving it, and finding by a few letters. Reading follows the rules of the tools; saving
// is a call of a session.
import { fileRoutes } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { createFileFinder, type FileFinder } from '../../agent/context/file-finder.ts';
import { goneSignal } from '../../edge/gone-signal.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { gitMarks, listFolder, readPicture, searchWorkspaceLines } from '../files/look-at-files.ts';
import { printOnDisk, readFileForPage } from '../files/read-text.ts';
import { saveWorkspaceFile, stale } from '../files/save-file.ts';
import { serveRoute } from '../route.ts';

export function serveFiles(app: FastifyInstance, gateway: Gateway): void {
  const { host, hasFiles } = gateway;
  // A gateway without files has no workspace that a session works on, so these routes are not served.
  if (!hasFiles) return;
  const finderOf = createFinders();
  /** A peer that names a session must have access to it. */
  async function hostOf(id: string | undefined, peer: Peer): Promise<Host> {
    if (id === undefined) return host;
    const session = await gateway.session(id, peer, { mustExist: true });
    if (session.worktree?.missing !== undefined) throw session.worktree.missing;
    return session.client === undefined ? session.host : host;
  }

  serveRoute(app, fileRoutes.list, async ({ query, peer }) =>
    listFolder(await hostOf(query.session_id, peer), query.path),
  );
  serveRoute(app, fileRoutes.read, async ({ query, peer }) =>
    readFileForPage(await hostOf(query.session_id, peer), query.path),
  );
  serveRoute(app, fileRoutes.save, async ({ body, peer }) => {
    const { path, text, fingerprint = null, session_id, line_endings } = body;
    const { id: session, client } = await gateway.session(session_id, peer, { mustExist: true });
    if (client !== undefined) throw filesAtClient();
    const sessionHost = await hostOf(session, peer);
    await checkFingerprint(sessionHost, path, fingerprint);
    const by = { who: peer.subject, via: peer.via };
    const isExact = line_endings === 'exact';
    return await saveWorkspaceFile(sessionHost, { session, path, text, fingerprint, isExact, by });
  });
  serveRoute(app, fileRoutes.find, async ({ query: { query, limit, session_id }, peer }) => ({
    files: await finderOf(await hostOf(session_id, peer)).find(query, limit),
  }));
  serveRoute(app, fileRoutes.marks, async ({ query, peer, reply }) =>
    gitMarks(await hostOf(query.session_id, peer), goneSignal(reply)),
  );
  serveRoute(app, fileRoutes.picture, async ({ query, peer }) =>
    readPicture(await hostOf(query.session_id, peer), query.path),
  );
  serveRoute(app, fileRoutes.search, async ({ query, peer, reply }) =>
    searchWorkspaceLines(await hostOf(query.session_id, peer), query, goneSignal(reply)),
  );
}

/** One finder for each open folder that is searched. */
function createFinders(): (host: Host) => FileFinder {
  const finders = new WeakMap<Host['workspace'], FileFinder>();
  return (host) => {
    const finder = finders.get(host.workspace) ?? createFileFinder(host);
    finders.set(host.workspace, finder);
    return finder;
  };
}

function filesAtClient(): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'The files of this session are on the client that opened it. Save in a session of the gateway itself.',
  );
}

// Checked before there is a call, so that the usual conflict leaves no trace in the log. The call checks again.
async function checkFingerprint(host: Host, path: string, fingerprint: string | null): Promise<void> {
  try {
    const now = await printOnDisk(host, path);
    if (fingerprint === null) throw new ToolError('ALREADY_EXISTS', `${path} already exists. Open it first.`);
    if (now !== fingerprint) throw stale(path);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The file was deleted since it was opened; a new file does not exist yet. The call decides about a file that may not be read.
    if (error.code === 'FILE_NOT_FOUND' && fingerprint !== null) throw stale(path);
    if (error.code !== 'FILE_NOT_FOUND' && error.code !== 'PERMISSION_DENIED') throw error;
  }
}
