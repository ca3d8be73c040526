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
  request: KodeRequest;
  signal: AbortSignal;
};

const heartbeatMs = 2000;

/** Throws before the first message when the request cannot be served at all. */
export async function runChat(options: KodeChatOptions): Promise<AsyncIterable<Json>> {
  const { gateway, session, peer, request, signal } = options;
  const root = gateway.host.workspace.root.real;
  const queue = createQueue<Json>();
  const early: AgentSignal[] = [];
  let handle = (agentSignal: AgentSignal): void => void early.push(agentSignal);
  const { model, isFirst, ended } = await session.say(promptOf(request, root), peer, {
    profile: request.mode === 'ask' ? 'ask' : 'build',
    dialect: 'kode',
    workingDir: workingDirOf(request, root),
    files: namedFiles(request, root),
    watch: (agentSignal) => handle(agentSignal),
    signal,
  });
  const encoder = createKodeEncoder({ model, root });
  queue.push(encoder.start({ id: session.id, isNew: isFirst }));
  handle = (agentSignal) => {
    for (const message of encoder.encode(agentSignal)) queue.push(message);
    if (agentSignal.type === 'approval') putQuestion(options, agentSignal.approval, { queue, encoder });
  };
  early.forEach(handle);
  let beats = 0;
  beatUntil(ended, () => queue.push(encoder.heartbeat(++beats)));
  void ended.then((result) => queue.push(encoder.end(result))).finally(() => queue.end());
  return queue;
}

function beatUntil(ended: Promise<unknown>, send: () => void): void {
  const beat = setInterval(send, heartbeatMs);
  void ended.finally(() => clearInterval(beat));
}

function putQuestion(
  { gateway, request, session }: KodeChatOptions,
  approval: ApprovalRequest,
  { queue, encoder }: { queue: Queue<Json>; encoder: KodeEncoder },
): void {
  if (request.approvals === 'never') {
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
