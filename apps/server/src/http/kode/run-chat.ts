// One request to the Kode service: a turn of a session, told as it goes; ends when the client is gone.
import type { KodeRequest } from '@codelab/api';
import { findDialect, type Json } from '@codelab/dialects';
import type { AgentSignal, ApprovalRequest } from '@codelab/protocol';
import { expire } from '@codelab/runtime';
import { kodeVoice } from '../../agent/kode-voice.ts';
import { createQueue, type Queue } from '../../agent/queue.ts';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { namedFiles, promptOf } from './chat-body.ts';

export type ChatOptions = {
  gateway: Gateway;
  session: SharedSession;
  peer: Peer;
  asked: KodeRequest;
  signal: AbortSignal;
};

const heartbeatMs = 2000;

/** Throws before its first message when the request cannot be served at all. */
export async function runChat(options: ChatOptions): Promise<AsyncIterable<Json>> {
  const { gateway, session, peer, asked, signal } = options;
  const root = gateway.host.workspace.root.real;
  const queue = createQueue<Json>();
  const early: AgentSignal[] = [];
  let tell = (one: AgentSignal): void => void early.push(one);
  const { model, isFirst, ended } = await session.say(promptOf(asked, root), peer, {
    profile: asked.mode === 'ask' ? 'ask' : 'build',
    dialect: 'kode',
    files: namedFiles(asked, root),
    watch: (one) => tell(one),
    signal,
  });
  const voice = kodeVoice({ model, root });
  queue.push({ ...voice.start(), agentId: session.id, isNewSession: isFirst });
  tell = (one) => {
    for (const message of voice.hear(one)) queue.push(message);
    if (one.type === 'approval') ask(options, one.approval, queue);
  };
  early.forEach(tell);
  beatUntil(ended, queue);
  void ended.then((result) => queue.push(voice.end(result))).finally(() => queue.end());
  return queue;
}

function beatUntil(ended: Promise<unknown>, queue: Queue<Json>): void {
  let count = 0;
  const beat = setInterval(
    () => queue.push({ type: 'heartbeat', message: 'processing', count: ++count }),
    heartbeatMs,
  );
  void ended.finally(() => clearInterval(beat));
}

// Decided over any wire; the message says how. A client that does not know it goes on waiting, as for anything slow.
function ask({ gateway, asked, session }: ChatOptions, approval: ApprovalRequest, queue: Queue<Json>): void {
  if (asked.approvals === 'never') {
    gateway.host
      .session(session.id)
      .then((live) => expire(live, approval))
      .catch((error: unknown) => queue.fail(error));
    return;
  }
  const kode = findDialect('kode', { root: gateway.host.workspace.root.real });
  const { callId: id, tool, args } = approval;
  const message = kode.encode({ type: 'approval', asked: kode.spell({ id, tool, args }), approval });
  queue.push({
    ...message,
    approval_id: approval.id,
    session_id: session.id,
    risk_level: approval.verdict.risk,
    timeout_seconds: Math.round((approval.deadline - approval.requestedAt) / 1000),
    approve: `/tools/${approval.id}/approve`,
    reject: `/tools/${approval.id}/reject`,
  });
}
