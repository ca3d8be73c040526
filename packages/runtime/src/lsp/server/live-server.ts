// One running language server: initialized, with its capabilities, open files and diagnostics.
import type { ClientCapabilities, InitializeParams } from 'vscode-languageserver-protocol';
import type { ChildProgram } from '../../process/programs.ts';
import { type Capabilities, readServerAnswer } from '../answers.ts';
import { type PositionEncoding, positionEncodings } from '../places.ts';
import { type ConnectionOrder, openServerConnection, type ServerConnection } from './connection.ts';
import { Diagnostics } from './diagnostics.ts';
import { createDocuments, type Documents } from './documents.ts';
import type { FoundServer } from './find-server.ts';
import { askTsserver, canAskTsserver } from './tsserver-diagnostics.ts';

export type LiveServer = {
  found: FoundServer;
  pid: number;
  encoding: PositionEncoding;
  capabilities: Capabilities;
  documents: Documents;
  diagnostics: Diagnostics;
  connection: ServerConnection;
  request: ServerConnection['request'];
  /** Shuts the server down, and ends the program with all its descendants. */
  stop(): Promise<void>;
};

export type ServerOrder = Pick<ConnectionOrder, 'start' | 'onEnded'> & {
  found: FoundServer;
  root: string;
  rootUri: string;
  /** How long the server may take to answer `initialize`. */
  startMs: number;
  /** The position encodings offered to the server. */
  encodings?: readonly PositionEncoding[];
};

const leaveMs = 300;

export async function startServer(order: ServerOrder, signal: AbortSignal): Promise<LiveServer> {
  const { found, root } = order;
  const diagnostics = new Diagnostics();
  const opened = await openServerConnection({
    start: order.start,
    onEnded: order.onEnded,
    settings: found.program.settings ?? {},
    onNotification: (method, params) => diagnostics.onNotification(method, params),
    onRegistered(methods) {
      if (methods.includes('textDocument/diagnostic')) diagnostics.usePull();
    },
  });
  const { connection, program } = opened;
  diagnostics.attach(connection);
  try {
    const capabilities = await greet(connection, order, signal);
    if (capabilities.diagnosticProvider) diagnostics.usePull();
    else if (canAskTsserver(capabilities)) diagnostics.usePull(askTsserver);
    return {
      found,
      pid: program.pid,
      encoding: positionEncodings.find((encoding) => encoding === capabilities.positionEncoding) ?? 'utf-16',
      capabilities,
      documents: createDocuments(connection, root, () => diagnostics.published),
      diagnostics,
      connection,
      request: connection.request,
      stop: () => leave(connection, program),
    };
  } catch (error) {
    connection.fail(error instanceof Error ? error.message : String(error));
    await program.end();
    throw error;
  }
}

async function greet(
  connection: ServerConnection,
  { found, rootUri, startMs, encodings = positionEncodings }: ServerOrder,
  signal: AbortSignal,
): Promise<Capabilities> {
  const { initializationOptions, settings } = found.program;
  const params: InitializeParams = {
    // The sandbox has no process of our pid, so the server would take its client for dead.
    processId: null,
    clientInfo: { name: 'codelab' },
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    ...(initializationOptions !== undefined && { initializationOptions }),
    capabilities: clientCapabilities(encodings),
  };
  const answer = await connection.request('initialize', params, { signal, mostMs: startMs });
  const { capabilities } = readServerAnswer('initialized', answer);
  connection.notify('initialized', {});
  if (settings !== undefined) connection.notify('workspace/didChangeConfiguration', { settings });
  return capabilities;
}

/** The client capabilities. The type is inferred: the published library has no dependency for types alone. */
export function clientCapabilities(encodings: readonly PositionEncoding[] = positionEncodings) {
  return {
    general: { positionEncodings: [...encodings] },
    workspace: {
      configuration: true,
      workspaceFolders: true,
      didChangeConfiguration: { dynamicRegistration: true },
      didChangeWatchedFiles: { dynamicRegistration: true },
      workspaceEdit: { documentChanges: true },
      symbol: {},
    },
    textDocument: {
      publishDiagnostics: { versionSupport: true },
      diagnostic: { dynamicRegistration: true },
      hover: { contentFormat: ['markdown', 'plaintext'] },
      definition: {},
      references: {},
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      rename: {},
    },
    window: { workDoneProgress: true },
  } satisfies ClientCapabilities;
}

async function leave(connection: ServerConnection, program: ChildProgram): Promise<void> {
  if (connection.ended === undefined) {
    const signal = AbortSignal.timeout(leaveMs);
    await connection.request('shutdown', undefined, { signal, mostMs: leaveMs }).catch(() => undefined);
    connection.notify('exit', undefined);
    connection.fail('It was stopped.');
  }
  await program.end();
}
