// Serves one peer at a socket: runs its commands in order, and sends the session's messages as fast as it reads.
import {
  createSocketEncoder,
  decodeSocketMessage,
  dialectOf,
  encodeNeutralGreeting,
  encodeSocketError,
  findDialect,
  type Json,
  maxMessageBytes,
  parseSocketText,
} from '@codelab/dialects';
import { longestTimerMs, resourceLimit, type SessionMessage, ToolError } from '@codelab/protocol';
import type { RawData } from 'ws';
import { createRateLimit } from '../edge/rate-limit.ts';
import type { Peer } from '../sessions/gateway.ts';
import { recallCall, type SocketConnection, type SocketPeer } from './connection.ts';
import { handleCommand } from './handle-command.ts';
import { createSender, slowReader } from './sender.ts';

/** How many commands may wait before reading from the connection pauses. */
const maxWaiting = { messages: 64, bytes: 16 * 1024 * 1024 };

export function servePeer(served: SocketPeer): void {
  const { socket, session, peer, limits, onFault } = served;
  const gone = new AbortController();
  const sender = createSender(socket, served.stream, limits);
  const root = rootOf(served);
  const encoder = createSocketEncoder(
    findDialect(served.speech === 'neutral' ? 'codelab' : served.speech, { root }),
  );
  const connection: SocketConnection = { ...served, sender, encoder, runningCalls: 0 };
  const expiry = endWithProof(peer, () => sender.cut(1008, 'TOKEN_EXPIRED'));
  const signOut = (): void => sender.cut(1008, 'SIGNED_OUT');
  peer.page?.ended.addEventListener('abort', signOut);
  socket.on('close', () => {
    clearTimeout(expiry);
    peer.page?.ended.removeEventListener('abort', signOut);
    gone.abort();
  });
  // The close code reports a broken frame; without a listener the error would end the process.
  socket.on('error', () => undefined);
  socket.on('message', receiver(connection));
  greet(connection);
  tell(connection, gone.signal)
    .then(() => {
      if (gone.signal.aborted) return;
      if (session.isOpen) sender.cut(slowReader.code, slowReader.reason);
      else if (session.isMoved) sender.cut(1012, 'Another gateway serves the session now; connect again.');
      else sender.cut(1000, 'The session is over.');
    })
    .catch((error: unknown) => {
      onFault(error);
      sender.cut(1011, 'The session can’t be read.');
    });
}

/** The root of paths in messages: the folder that the session works in. */
function rootOf({ gateway, session }: SocketPeer): string {
  return session.worktree?.path ?? gateway.host.workspace.root.real;
}

function greet({ session, role, speech, head: lastSeq, executor, sender, encoder }: SocketConnection): void {
  const { id: sessionId, profile: agentType, status } = session;
  const about = { sessionId, role, agentType, lastSeq, status };
  if (speech === 'neutral') sender.send(encodeNeutralGreeting(about));
  else {
    const named = executor?.isNamed ? { executorId: executor.id } : {};
    for (const message of encoder.greeting({ ...about, dialect: speech, ...named })) sender.send(message);
  }
}

async function tell(connection: SocketConnection, signal: AbortSignal): Promise<void> {
  const { session, since, head, speech, sender, encoder } = connection;
  const from = since ?? (speech === 'neutral' ? head : await session.head());
  if (speech !== 'neutral') await recall(connection);
  using _attached = attach(connection, signal);
  for await (const message of session.listen({ since: from, signal })) {
    if (speech === 'neutral') {
      sender.send(message);
    } else {
      const unknown = endsUnknown(message, connection);
      if (unknown !== undefined) await recallCall(connection, unknown);
      for (const wire of encoder.encode(message)) sender.send(wire);
    }
    const room = sender.room();
    if (room !== undefined) await room;
  }
}

/** The call whose end this is, when the peer has not message of it on this connection. */
function endsUnknown(message: SessionMessage, { encoder }: SocketConnection): string | undefined {
  if (message.type !== 'event' || message.event.body.type !== 'call.finished') return undefined;
  const { callId } = message.event.body;
  return encoder.calls.has(callId) ? undefined : callId;
}

/** Recalls unfinished calls, so that their ends can be reported, and pending approvals. */
async function recall(connection: SocketConnection): Promise<void> {
  const { session, since, executor, sender, encoder } = connection;
  const live = await session.host.session(session.id);
  for (const callId of [...live.openCalls.keys()]) await recallCall(connection, callId);
  if (executor !== undefined)
    encoder.isAsked = ({ callId, id }) => {
      const state = live.openCalls.get(callId);
      return state?.state === 'awaiting_approval' && state.approval.id === id;
    };
  if (since === undefined)
    for (const approval of await session.pending()) sender.send(encoder.calls.question(approval));
}

/** From now on an executor gets jobs, first those it had before. An interrupted turn continues where it can. */
function attach(
  { gateway, session, executor, role, sender, encoder }: SocketConnection,
  signal: AbortSignal,
): Disposable | undefined {
  if (signal.aborted) return undefined;
  if (executor === undefined) {
    if (role === 'approver' && session.client === undefined) session.goOn();
    return undefined;
  }
  const attached = gateway.executors.attach(session.id, executor, (order) =>
    sender.send(encoder.order(order)),
  );
  session.goOn();
  return attached;
}

function receiver(connection: SocketConnection): (data: RawData, isBinary: boolean) => void {
  const { socket, sender, limits, onFault } = connection;
  const rate = createRateLimit({ perSecond: limits.messagesPerSecond, burst: limits.messageBurst });
  let refusals = 0;
  const waiting = { messages: 0, bytes: 0 };
  let turn: Promise<void> = Promise.resolve();
  return (data, isBinary) => {
    if (isBinary) return sender.cut(1003, 'Messages are text, not binary.');
    if (!rate.take('')) {
      if (++refusals > limits.refusals) return sender.cut(1008, 'RATE_LIMITED');
      const slower = new ToolError('RATE_LIMITED', 'Too many messages. Send fewer.', { retry_after: 1 });
      return sender.send(encodeSocketError(slower));
    }
    const bytes = Buffer.isBuffer(data) ? data.length : 0;
    waiting.bytes += bytes;
    if (++waiting.messages > maxWaiting.messages || waiting.bytes > maxWaiting.bytes) socket.pause();
    turn = turn
      .then(() => receive(connection, data))
      .catch(onFault)
      .then(() => {
        waiting.bytes -= bytes;
        if (--waiting.messages === 0 && socket.isPaused) socket.resume();
      });
  };
}

async function receive(connection: SocketConnection, data: RawData): Promise<void> {
  const { sender, encoder, speech } = connection;
  let wire: Json = {};
  try {
    wire = parseSocketText(textOf(data));
    encoder.dialect = dialectOf(wire, encoder.dialect, rootOf(connection));
    await handleCommand(connection, decodeSocketMessage(wire, encoder.dialect));
  } catch (error) {
    const toolError = error instanceof ToolError ? error : resourceLimit(error);
    const refused = toolError ?? new ToolError('INTERNAL', 'That went wrong here.');
    if (refused.code === 'INTERNAL') connection.onFault(error);
    sender.send(speech === 'neutral' ? encodeSocketError(refused) : encoder.refusal(refused, wire));
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

function endWithProof({ until }: Peer, end: () => void): NodeJS.Timeout | undefined {
  if (until === undefined) return undefined;
  return setTimeout(end, Math.min(longestTimerMs, Math.max(0, until - Date.now()))).unref();
}
