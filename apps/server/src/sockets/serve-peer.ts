// One peer at a socket: what it says is carried out in order, what the session tells is sent as fast as it reads.
import { addressOf, findDialect, refuse } from '@codelab/dialects';
import { resourceLimit, type SessionMessage, ToolError } from '@codelab/protocol';
import type { RawData } from 'ws';
import { createRateLimit } from '../edge/rate-limit.ts';
import type { Peer } from '../sessions/gateway.ts';
import { carryOut } from './carry-out.ts';
import { knowCall } from './know-call.ts';
import type { Line, Served } from './line.ts';
import { maxMessageBytes, parseClientText, readClientMessage, spokenBy } from './read-client-message.ts';
import { createSender, slowReader } from './sender.ts';
import { agentStatus, createScribe } from './write-heard.ts';
import { writeOrder } from './write-order.ts';

/** What waits to be carried out before no more is read from the line. */
const maxWaiting = { messages: 64, bytes: 16 * 1024 * 1024 };

export function servePeer(served: Served): void {
  const { socket, session, peer, limits, onFault } = served;
  const gone = new AbortController();
  const sender = createSender(socket, served.stream, limits);
  const root = served.gateway.host.workspace.root.real;
  const scribe = createScribe(findDialect(served.speech === 'neutral' ? 'codelab' : served.speech, { root }));
  const line: Line = { ...served, sender, scribe, callsUnderWay: 0 };
  const expiry = endWithProof(peer, () => sender.cut(1008, 'TOKEN_EXPIRED'));
  const signOut = (): void => sender.cut(1008, 'SIGNED_OUT');
  peer.page?.ended.addEventListener('abort', signOut);
  socket.on('close', () => {
    clearTimeout(expiry);
    peer.page?.ended.removeEventListener('abort', signOut);
    gone.abort();
  });
  // What a broken frame means is told by the close code; without a listener it would end the process.
  socket.on('error', () => undefined);
  socket.on('message', receiver(line));
  greet(line);
  tell(line, gone.signal)
    .then(() => {
      if (gone.signal.aborted) return;
      if (session.isOpen) sender.cut(slowReader.code, slowReader.reason);
      else sender.cut(1000, 'The session is over.');
    })
    .catch((error: unknown) => {
      onFault(error);
      sender.cut(1011, 'The session can’t be read.');
    });
}

function greet({ session, role, speech, head: last_seq, executor, sender }: Line): void {
  const { id: session_id, profile: agent_type, status } = session;
  const about = { type: 'session_info', session_id, role, agent_type, last_seq };
  const named = executor?.isNamed ? { executor_id: executor.id } : {};
  if (speech === 'neutral') sender.send({ ...about, status });
  else {
    sender.send({ ...about, dialect: speech, ...named });
    sender.send(agentStatus(status));
  }
}

async function tell(line: Line, signal: AbortSignal): Promise<void> {
  const { session, since, head, speech, sender, scribe } = line;
  const from = since ?? (speech === 'neutral' ? head : await session.head());
  if (speech !== 'neutral') await recall(line);
  using _attached = attach(line, signal);
  for await (const heard of session.listen({ since: from, signal })) {
    if (speech === 'neutral') {
      sender.send(heard);
    } else {
      const unknown = endsUnknown(heard, line);
      if (unknown !== undefined) await knowCall(line, unknown);
      for (const message of scribe.write(heard)) sender.send(message);
    }
    const room = sender.room();
    if (room !== undefined) await room;
  }
}

/** The call whose end this is, when the peer has not heard of it on this line. */
function endsUnknown(heard: SessionMessage, { scribe }: Line): string | undefined {
  if (heard.type !== 'event' || heard.event.body.type !== 'call.finished') return undefined;
  const { callId } = heard.event.body;
  return scribe.calls.has(callId) ? undefined : callId;
}

/** The calls that have not ended, so that their ends can be told, and what waits for a decision. */
async function recall(line: Line): Promise<void> {
  const { session, since, executor, sender, scribe } = line;
  const live = await session.host.session(session.id);
  for (const callId of [...live.openCalls.keys()]) await knowCall(line, callId);
  if (executor !== undefined)
    scribe.isAsked = ({ callId, id }) => {
      const state = live.openCalls.get(callId);
      return state?.state === 'awaiting_approval' && state.approval.id === id;
    };
  if (since === undefined)
    for (const approval of await session.pending()) sender.send(scribe.calls.question(approval));
}

/** From now on an executor is given what is to be done, first what it was given before. A turn that was cut off goes on where it can. */
function attach(
  { gateway, session, executor, role, sender, scribe }: Line,
  signal: AbortSignal,
): Disposable | undefined {
  if (signal.aborted) return undefined;
  if (executor === undefined) {
    if (role === 'approver' && session.client === undefined) session.goOn();
    return undefined;
  }
  const attached = gateway.executors.attach(session.id, executor, (order) =>
    sender.send(writeOrder(order, scribe.dialect)),
  );
  session.goOn();
  return attached;
}

function receiver(line: Line): (data: RawData, isBinary: boolean) => void {
  const { socket, sender, limits, onFault } = line;
  const rate = createRateLimit({ perSecond: limits.messagesPerSecond, burst: limits.messageBurst });
  let refusals = 0;
  const waiting = { messages: 0, bytes: 0 };
  let turn: Promise<void> = Promise.resolve();
  return (data, isBinary) => {
    if (isBinary) return sender.cut(1003, 'Messages are text, not binary.');
    if (!rate.take('')) {
      if (++refusals > limits.refusals) return sender.cut(1008, 'RATE_LIMITED');
      const slower = new ToolError('RATE_LIMITED', 'Too many messages. Send fewer.', { retry_after: 1 });
      return sender.send(errorMessage(slower));
    }
    const bytes = Buffer.isBuffer(data) ? data.length : 0;
    waiting.bytes += bytes;
    if (++waiting.messages > maxWaiting.messages || waiting.bytes > maxWaiting.bytes) socket.pause();
    turn = turn
      .then(() => receive(line, data))
      .catch(onFault)
      .then(() => {
        waiting.bytes -= bytes;
        if (--waiting.messages === 0 && socket.isPaused) socket.resume();
      });
  };
}

async function receive(line: Line, data: RawData): Promise<void> {
  const { sender, scribe } = line;
  let wire: Record<string, unknown> = {};
  try {
    wire = parseClientText(textOf(data));
    scribe.dialect = spokenBy(wire, scribe.dialect, line.gateway.host.workspace.root.real);
    await carryOut(line, readClientMessage(wire, scribe.dialect));
  } catch (error) {
    const known = error instanceof ToolError ? error : resourceLimit(error);
    const said = known ?? new ToolError('INTERNAL', 'That went wrong here.');
    if (said.code === 'INTERNAL') line.onFault(error);
    const asked = addressOf(wire);
    // A call gets its answer in the form of one, so that whoever waits for it learns of it.
    const isCall = wire.type === 'tool_call' && asked.id !== '' && line.speech !== 'neutral';
    if (isCall) sender.send(scribe.dialect.encode(refuse(asked, said)));
    else sender.send(errorMessage(said, asked.id));
  }
}

function textOf(data: RawData): string {
  if (!Buffer.isBuffer(data)) throw new ToolError('INVALID_FORMAT', 'Messages are whole texts.');
  if (data.length > maxMessageBytes)
    throw new ToolError('FILE_TOO_LARGE', `A message has at most ${maxMessageBytes} bytes.`, {
      file_size: data.length,
      max_size: maxMessageBytes,
    });
  return data.toString('utf8');
}

function errorMessage({ code, message, details }: ToolError, callId = ''): object {
  return {
    type: 'error',
    error_code: code,
    code,
    message,
    content: message,
    ...(callId !== '' && { call_id: callId }),
    ...(details && { details }),
  };
}

const longestTimer = 2 ** 31 - 1;

function endWithProof({ until }: Peer, end: () => void): NodeJS.Timeout | undefined {
  if (until === undefined) return undefined;
  return setTimeout(end, Math.min(longestTimer, Math.max(0, until - Date.now()))).unref();
}
