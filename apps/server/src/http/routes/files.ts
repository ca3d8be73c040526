// Files of the workspace for a screen: one folder, one text, saving it, and finding by a few letters. Looked at under the rules of the tools;
// saved as a call of a session.
import { type FolderEntry, fileRoutes, type RouteAnswer, type TextFile } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { digest, type Host, readUnrecorded } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { createFileFinder } from '../../agent/file-finder.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { saveFile, stale } from '../files/save-file.ts';
import { route } from '../route.ts';

const maxEntries = 10_000;

export function serveFiles(app: FastifyInstance, gateway: Gateway): void {
  const { host, hasFiles } = gateway;
  // What stands at the place of a workspace then is not what any session works on.
  if (!hasFiles) return;
  const finder = createFileFinder(host);

  route(app, fileRoutes.list, ({ query }) => list(host, query.path));
  route(app, fileRoutes.read, ({ query }) => read(host, query.path));
  route(app, fileRoutes.save, async ({ body, peer }) => {
    const { path, text, fingerprint = null, session_id, line_endings } = body;
    const { id: session, client } = await gateway.session(session_id, peer, { mustExist: true });
    if (client !== undefined) throw elsewhere();
    await checkFingerprint(host, path, fingerprint);
    const by = { who: peer.subject, via: peer.via };
    const isExact = line_endings === 'exact';
    return await saveFile(host, { session, path, text, fingerprint, isExact, by });
  });
  route(app, fileRoutes.find, async ({ query: { query, limit } }) => ({
    files: await finder.find(query, limit),
  }));
}

function elsewhere(): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'The files of this session are with the client that opened it. Save in a session of this gateway’s own.',
  );
}

async function list(host: Host, path: string): Promise<RouteAnswer<typeof fileRoutes.list>> {
  const { data } = await readUnrecorded(host, {
    tool: 'list_files',
    args: { path, include_hidden: true },
    limits: { listEntries: maxEntries },
  });
  const entries = data.entries as FolderEntry[];
  const isFolder = ({ type }: FolderEntry): boolean => type === 'directory';
  return {
    path: String(data.path),
    entries: [...entries.filter(isFolder), ...entries.filter((one) => !isFolder(one))],
    truncated: data.truncated === true,
  };
}

async function read(host: Host, path: string): Promise<TextFile> {
  const { data } = await readUnrecorded(host, { tool: 'read_file', args: { path } });
  const { path: found, content: text, has_bom, size, modified } = data as ReadFile;
  return {
    path: found,
    text,
    size,
    modified,
    fingerprint: printOfText(text, has_bom),
    line_ending: lineEnding(text),
    encoding: has_bom ? 'utf-8-bom' : 'utf-8',
  };
}

type ReadFile = { path: string; content: string; has_bom: boolean; size: number; modified: string };

// Asked before there is a call, so that the usual miss leaves no trace in the log. The call itself looks again.
async function checkFingerprint(host: Host, path: string, fingerprint: string | null): Promise<void> {
  try {
    const { data } = await readUnrecorded(host, { tool: 'read_file', args: { path } });
    const now = printOfText(String(data.content), data.has_bom === true);
    if (fingerprint === null)
      throw new ToolError('ALREADY_EXISTS', `${path} is there already. Open it first.`);
    if (now !== fingerprint) throw stale(path);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // Gone since it was opened; a new file is not there yet. What may not be looked at, the call decides about.
    if (error.code === 'FILE_NOT_FOUND' && fingerprint !== null) throw stale(path);
    if (error.code !== 'FILE_NOT_FOUND' && error.code !== 'PERMISSION_DENIED') throw error;
  }
}

// Of the bytes on the disk: what is read here is UTF-8 without loss.
function printOfText(text: string, hasBom: boolean): string {
  return digest(hasBom ? `\ufeff${text}` : text);
}

function lineEnding(text: string): TextFile['line_ending'] {
  const found = new Set(text.match(/\r\n|\n|\r/g));
  const [first] = found;
  if (first === undefined) return 'none';
  if (found.size > 1) return 'mixed';
  return first === '\n' ? 'lf' : first === '\r\n' ? 'crlf' : 'cr';
}
