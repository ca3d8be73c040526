// Files of the workspace for a screen: one folder, one text, saving it, and finding by a few letters. Looked at under the rules of the tools;
// saved as a call of a session.
import { ToolError } from '@codelab/protocol';
import { digest, type Host, readUnrecorded } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { createFileFinder } from '../files/file-finder.ts';
import { saveFile, stale } from '../files/save-file.ts';

const path = () => z.string().check(z.minLength(1), z.maxLength(4096));
const Folder = () => z.object({ path: z._default(path(), '.') });
const One = () => z.object({ path: path() });
const Save = () =>
  z.strictObject({
    path: path(),
    text: z.string(),
    /** As GET told it; null or left out: there is no such file yet. */
    fingerprint: z.nullish(z.string().check(z.maxLength(200))),
    session_id: z.string().check(z.minLength(1), z.maxLength(200)),
    /** `exact`: the text knows how each of its lines ends; otherwise the file does. */
    line_endings: z._default(z.enum(['keep', 'exact']), 'keep'),
  });
const Find = () =>
  z.object({
    query: z._default(z.string().check(z.maxLength(200)), ''),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 20),
  });

const maxEntries = 10_000;

export function fileRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { host, hasFiles } = gateway;
  // What stands at the place of a workspace then is not what any session works on.
  if (!hasFiles) return;
  const finder = createFileFinder(host);

  const listing = { summary: 'One folder, folders first', query: Folder };
  app.get('/api/v1/files', { config: { about: listing } }, async ({ query }) =>
    list(host, readInput(Folder(), query).path),
  );

  const reading = { summary: 'A text file, with the fingerprint that saving it needs', query: One };
  app.get('/api/v1/files/content', { config: { about: reading } }, async ({ query }) =>
    read(host, readInput(One(), query).path),
  );

  const saving = { summary: 'Saves a text file as a call of the session, which can be undone', body: Save };
  app.put('/api/v1/files/content', { config: { about: saving } }, async ({ body, peer }) => {
    const { path, text, fingerprint = null, session_id, line_endings } = readInput(Save(), body);
    const { id: session, client } = await gateway.session(session_id, peer, { mustExist: true });
    if (client !== undefined) throw elsewhere();
    await checkFingerprint(host, path, fingerprint);
    const by = { who: peer.subject, via: peer.via };
    const isExact = line_endings === 'exact';
    return await saveFile(host, { session, path, text, fingerprint, isExact, by });
  });

  const finding = { summary: 'Files whose paths fit a few letters, the best first', query: Find };
  app.get('/api/v1/files/find', { config: { about: finding } }, async ({ query }) => {
    const { query: wanted, limit } = readInput(Find(), query);
    return { files: await finder.find(wanted, limit) };
  });
}

function elsewhere(): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'The files of this session are with the client that opened it. Save in a session of this gateway’s own.',
  );
}

type Entry = { name: string; path: string; type: string; size?: number; modified?: string };

async function list(host: Host, path: string): Promise<object> {
  const { data } = await readUnrecorded(host, {
    tool: 'list_files',
    args: { path, include_hidden: true },
    limits: { listEntries: maxEntries },
  });
  const entries = data.entries as Entry[];
  const isFolder = ({ type }: Entry): boolean => type === 'directory';
  return {
    path: data.path,
    entries: [...entries.filter(isFolder), ...entries.filter((one) => !isFolder(one))],
    truncated: data.truncated,
  };
}

async function read(host: Host, path: string): Promise<object> {
  const { data } = await readUnrecorded(host, { tool: 'read_file', args: { path } });
  const { content: text, has_bom, size, modified } = data as { content: string; has_bom: boolean } & Entry;
  return {
    path: data.path,
    text,
    size,
    modified,
    fingerprint: printOfText(text, has_bom),
    line_ending: lineEnding(text),
    encoding: has_bom ? 'utf-8-bom' : 'utf-8',
  };
}

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

function lineEnding(text: string): 'lf' | 'crlf' | 'cr' | 'mixed' | 'none' {
  const found = new Set(text.match(/\r\n|\n|\r/g));
  const [first] = found;
  if (first === undefined) return 'none';
  if (found.size > 1) return 'mixed';
  return first === '\n' ? 'lf' : first === '\r\n' ? 'crlf' : 'cr';
}
