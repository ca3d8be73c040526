// The least that a program needs to ask a language server: one process, one message at a time, nothing checked or recorded.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clientCapabilities } from '../../packages/runtime/src/lsp/server/live-server.ts';
import type { Scratch } from '../scratch.ts';

export type BareClient = {
  open(path: string, languageId: string, text: string): Promise<void>;
  /** The server's raw answer. */
  hover(path: string, line: number, character: number): Promise<unknown>;
  end(): Promise<void>;
};

/** The server's cache goes into the folder: a server that finds the cache of another one answers sooner. */
export function bareClient(
  [program, ...args]: [string, ...string[]],
  { root, folder }: Pick<Scratch, 'root' | 'folder'>,
): BareClient {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
  // In a separate process group, since some servers are started by a program that only waits for them.
  const child = spawn(program, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const pendingRequests = new Map<number, (result: unknown) => void>();
  let ids = 0;
  listen(child, ({ id, method, params, result }) => {
    if (method === undefined) pendingRequests.get(Number(id))?.(result);
    // Requests of the server are answered with one null for each item.
    else if (id !== undefined) send({ id, result: (params?.items ?? []).map(() => null) });
  });
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = (method: string, params: object): Promise<unknown> => {
    const id = ++ids;
    send({ id, method, params });
    return new Promise((resolve) => pendingRequests.set(id, resolve));
  };
  return {
    async open(path, languageId, text) {
      const rootUri = pathToFileURL(root).href;
      const capabilities = clientCapabilities();
      await request('initialize', { processId: null, rootUri, capabilities });
      send({ method: 'initialized', params: {} });
      const textDocument = { uri: pathToFileURL(path).href, languageId, version: 1, text };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
    },
    async hover(path, line, character) {
      const uri = pathToFileURL(path).href;
      return await request('textDocument/hover', { textDocument: { uri }, position: { line, character } });
    },
    async end() {
      if (child.pid === undefined) return;
      const ended = once(child, 'close');
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}

type Heard = { id?: unknown; method?: string; params?: { items?: unknown[] }; result?: unknown };

function listen({ stdout }: ChildProcess, hear: (message: Heard) => void): void {
  let rest = Buffer.alloc(0);
  stdout?.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: *(\d+)/i.exec(rest.toString('latin1', 0, Math.max(0, end)))?.[1],
      );
      if (end === -1 || rest.length < end + 4 + length) return;
      hear(JSON.parse(rest.toString('utf8', end + 4, end + 4 + length)) as Heard);
      rest = rest.subarray(end + 4 + length);
    }
  });
}

/** The same server for CodeLab, in the configuration of a state folder. */
export function configureServer(home: string, language: string, [command, ...args]: readonly string[]): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const config = { lsp: { servers: { [language]: { command, args } }, answer_timeout_seconds: 60 } };
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
}
