// The least gateway, in a process of its own: a `ws` server that reads a call, carries it out with bare file calls, keeps the record that
// ours keeps of such a call, and answers. The entries of one turn of the event loop share a transaction, as ours do. No session is told of
// another's calls, nothing is checked. Arguments: workspace, state folder, and a file with the entries of each tool.
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import { openRecord } from '../agent/floor-record.mjs';

type Call = { tool_name: string; call_id: string; args: { path?: string; content?: string } };

const [root = '', folder = '', file = ''] = process.argv.slice(2);
const entriesOf: Record<string, readonly EventBody[]> = JSON.parse(readFileSync(file, 'utf8'));
const record = openRecord(join(folder, 'record.db'));
let waiting: { socket: WebSocket; answer: string; entries: readonly object[] }[] = [];

function answerAll(): void {
  const group = waiting;
  waiting = [];
  record.append(group.flatMap(({ entries }) => entries));
  for (const { socket, answer } of group) socket.send(answer);
}

function take(socket: WebSocket, { tool_name, call_id, args }: Call): void {
  const entries = (entriesOf[tool_name] ?? []).map((body) => ({ ...body, callId: call_id }));
  const started = entries.findIndex(({ type }) => type === 'call.started') + 1;
  if (started > 0) record.append(entries.splice(0, started), { isSynced: true });
  const result = carryOut(tool_name, args);
  const answer = JSON.stringify({ type: 'tool_result', tool_name, call_id, result });
  if (waiting.push({ socket, answer, entries }) === 1) setImmediate(answerAll);
}

function carryOut(tool: string, { path = '', content = '' }: Call['args']): unknown {
  const at = join(root, path);
  switch (tool) {
    case 'read_file':
      return { path, content: readFileSync(at, 'utf8'), size: lstatSync(at).size };
    case 'list_files':
      return { path, entries: readdirSync(at).map((name) => listed(at, name)) };
    case 'write_file':
      write(at, content);
      return { path, bytes_written: content.length };
    default:
      return { items: [] };
  }
}

function listed(folder: string, name: string): object {
  const { size, mtime } = lstatSync(join(folder, name));
  return { name, size, modified: mtime.toISOString() };
}

function write(at: string, content: string): void {
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(`${at}.tmp`, content, { flush: true });
  renameSync(`${at}.tmp`, at);
  const parent = openSync(dirname(at), 'r');
  fsyncSync(parent);
  closeSync(parent);
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => {
  socket.send('{"type":"hello"}');
  socket.on('message', (data: Buffer) => take(socket, JSON.parse(data.toString('utf8'))));
});
server.on('listening', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.on('message', () => process.send?.(process.memoryUsage().rss));
process.once('disconnect', () => process.exit());
