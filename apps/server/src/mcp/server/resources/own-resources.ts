// Resources of an MCP client: the pinned files of its session, the session's log, and the whole output of its commands. A file is read by
// a recorded call of `read_file`, so that the same rules and approvals apply and the log has it.
import { visibleLine } from '@codelab/protocol';
import {
  type InputRequiredResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { SharedSession } from '../../../sessions/gateway.ts';
import type { Client, Serving } from '../caller.ts';
import { runClientRead } from '../calls/run-client-call.ts';
import { findOffered, offeredTools } from '../offered-tools.ts';
import { readOutputFile } from './output-files.ts';
import { fileTemplate, readResourceAddress, writeAddress } from './resource-address.ts';
import { sessionLogText } from './session-log-text.ts';
import { surveySession } from './survey-session.ts';

export type ResourceRequest = { uri: string; ctx: ServerContext; client: Client };

const mostListed = 200;

export async function listResources({ wire, caller }: Serving, client: Client): Promise<Resource[]> {
  const session = await caller.findSession(client.name);
  if (session === undefined) return [];
  const { pinned, outputs } = await surveySession(session);
  const mayRead = findOffered(await offeredTools(wire.gateway.host, caller.profile), 'read_file');
  const files = mayRead === undefined ? [] : [...pinned];
  return [
    {
      uri: writeAddress({ kind: 'log', session: session.id }),
      name: 'session log',
      title: 'Session log',
      description: 'The log of this session: calls, decisions and changes, one line of JSON per entry.',
      mimeType: 'application/x-ndjson',
    },
    ...files.map((path) => ({
      uri: writeAddress({ kind: 'file', path }),
      name: visibleLine(path),
      description: 'A file that is pinned to this session.',
      mimeType: 'text/plain',
    })),
    ...[...outputs].toReversed().map(([callId, { time }]) => ({
      uri: writeAddress({ kind: 'output', session: session.id, callId }),
      name: `output of ${callId}`,
      description: `All that the command of ${new Date(time).toISOString()} printed.`,
      mimeType: 'text/plain',
    })),
  ].slice(0, mostListed);
}

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: fileTemplate,
    name: 'file',
    title: 'File of the workspace',
    description: 'A UTF-8 text file, by its path relative to the workspace. The rules of `read_file` hold.',
    mimeType: 'text/plain',
  },
];

export async function readResource(
  serving: Serving,
  { uri, ctx, client }: ResourceRequest,
): Promise<ReadResourceResult | InputRequiredResult> {
  const address = readResourceAddress(uri);
  if (address === undefined) throw new ResourceNotFoundError(uri);
  if (address.kind === 'file') return await readFile(serving, { uri, ctx, client }, address.path);
  const session = await ownSession(serving, client, address.session);
  if (session === undefined) throw new ResourceNotFoundError(uri);
  if (address.kind === 'log') return text(uri, await sessionLogText(session), 'application/x-ndjson');
  const file = (await surveySession(session)).outputs.get(address.callId);
  const output = file && readOutputFile(file.path);
  if (output === undefined) throw new ResourceNotFoundError(uri);
  return text(uri, output);
}

/** The caller's session, if it is the named one: a client may not read the sessions of others. */
async function ownSession(
  { caller }: Serving,
  client: Client,
  id: string,
): Promise<SharedSession | undefined> {
  const session = await caller.findSession(client.name);
  return session?.id === id ? session : undefined;
}

async function readFile(
  serving: Serving,
  { uri, ctx, client }: ResourceRequest,
  path: string,
): Promise<ReadResourceResult | InputRequiredResult> {
  const { wire, caller } = serving;
  const readTool = findOffered(await offeredTools(wire.gateway.host, caller.profile), 'read_file');
  if (readTool === undefined) throw new ResourceNotFoundError(uri);
  const requested = { tool: readTool.row.name, args: { path } };
  const end = await runClientRead({ ...serving, requested, ctx, client });
  return 'question' in end ? end.question : text(uri, String(end.data.content));
}

function text(uri: string, content: string, mimeType = 'text/plain'): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] };
}
