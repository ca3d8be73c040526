// A peer of a gateway as a process, started with its options as JSON: an executor that runs each call once and records in a file what it
// has begun; or a person who approves everything. It can kill itself at any step.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

export type PeerOptions = {
  address: string;
  token: string;
  role: 'executor' | 'approver';
  /** The executor's record of begun calls, and its work: a line for each call. */
  memory?: string;
  work?: string;
  /** `heard`: has the order, not begun. `begun`: recorded, not run. `done`: run, not reported. `told`: reported, without a receipt. */
  diesAt?: 'heard' | 'begun' | 'done' | 'told';
};

type Json = Record<string, unknown>;

const options = JSON.parse(process.argv[2] ?? '{}') as PeerOptions;
const { address, token, role, memory = '', work = '', diesAt } = options;

function mayDie(step: PeerOptions['diesAt']): void {
  if (step === diesAt) process.kill(process.pid, 'SIGKILL');
}

const has = (file: string, id: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').split('\n').includes(id);

/** A begun call without a known end is not run again. */
function carryOut(id: string): Json {
  const isBegun = has(memory, id);
  if (!isBegun) {
    appendFileSync(memory, `${id}\n`);
    mayDie('begun');
    appendFileSync(work, `${id}\n`);
  }
  const resultMessage = { type: 'tool_result', call_id: id };
  if (has(work, id)) return { ...resultMessage, result: { success: true, bytes_written: 1 } };
  return {
    ...resultMessage,
    error: { code: 'OUTCOME_UNKNOWN', message: 'It was begun and nobody knows more.' },
  };
}

const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
const send = (message: Json): void => socket.send(JSON.stringify(message), () => mayDie('told'));
socket.on('message', (data: Buffer) => {
  const message = JSON.parse(data.toString('utf8')) as Json;
  if (message.type !== 'tool_call') return;
  const id = String(message.call_id);
  const isOrder = role === 'executor' && message.state !== undefined;
  if (!isOrder && !(role === 'approver' && message.requires_approval === true)) return;
  mayDie('heard');
  const answer = isOrder ? carryOut(id) : { type: 'hitl_decision', call_id: id, decision: 'approve' };
  mayDie('done');
  send(answer);
});
socket.on('open', () => process.stdout.write('open\n'));
socket.on('close', () => process.exit(0));
socket.on('error', () => process.exit(1));
