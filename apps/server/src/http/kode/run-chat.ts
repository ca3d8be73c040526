// One request to the Kode service: a turn of a session, streamed; ends when the client disconnects.
import { type KodeRequest, pathOf, pluginRoutes } from '@codelab/api';
import { createKodeEncoder, type Json, type KodeEncoder } from '@codelab/dialects';
import type { AgentSignal, ApprovalRequest } from '@codelab/protocol';
import { expire } from '@codelab/runtime';
import { createQueue, type Queue } from '../../agent/follow-call.ts';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { namedFiles, promptOf, workingDirOf } from './chat-body.ts';

export type KodeChatOptions = {
  gateway: Gateway;
  session: SharedSession;
  peer: Peer;
  asked: KodeRequest;
  signal: AbortSignal;
};

const heartbeatMs = 2000;

/** Throws before the first message when the request cannot be served at all. */
export async function runChat(options: KodeChatOptions): Promise<AsyncIterable<Json>> {
  const { gateway, session, peer, asked, signal } = options;
  const root = gateway.host.workspace.root.real;
  const queue = createQueue<Json>();
  const early: AgentSignal[] = [];
  let tell = (one: AgentSignal): void => void early.push(one);
  const { model, isFirst, ended } = await session.say(promptOf(asked, root), peer, {
    profile: asked.mode === 'ask' ? 'ask' : 'build',
    dialect: 'kode',
    workingDir: workingDirOf(asked, root),
    files: namedFiles(asked, root),
    watch: (one) => tell(one),
    signal,
  });
  const encoder = createKodeEncoder({ model, root });
  queue.push(encoder.start({ id: session.id, isNew: isFirst }));
  tell = (one) => {
    for (const message of encoder.encode(one)) queue.push(message);
    if (one.type === 'approval') ask(options, one.approval, { queue, encoder });
  };
  early.forEach(tell);
  let beats = 0;
  beatUntil(ended, () => queue.push(encoder.heartbeat(++beats)));
  void ended.then((result) => queue.push(encoder.end(result))).finally(() => queue.end());
  return queue;
}

function beatUntil(ended: Promise<unknown>, send: () => void): void {
  const beat = setInterval(send, heartbeatMs);
  void ended.finally(() => clearInterval(beat));
}

function ask(
  { gateway, asked, session }: KodeChatOptions,
  approval: ApprovalRequest,
  { queue, encoder }: { queue: Queue<Json>; encoder: KodeEncoder },
): void {
  if (asked.approvals === 'never') {
    gateway.host
      .session(session.id)
      .then((live) => expire(live, approval))
      .catch((error: unknown) => queue.fail(error));
    return;
  }
  const { id } = approval;
  const places = {
    approve: pathOf(pluginRoutes.approve, { id }),
    reject: pathOf(pluginRoutes.reject, { id }),
  };
  queue.push(encoder.question(approval, places));
}
