// One request to the Kode service: a turn in a session of its own, told as it goes; ends when the client is gone.

import { runTurn, type TurnResult } from '@codelab/agent';
import type { KodeRequest } from '@codelab/api';
import { findDialect, type Json } from '@codelab/dialects';
import { type Actor, type AgentSignal, type ApprovalRequest, ToolError } from '@codelab/protocol';
import { expire } from '@codelab/runtime';
import { agentProfile } from '../../agent/agent-profile.ts';
import { kodeVoice } from '../../agent/kode-voice.ts';
import { readMentions } from '../../agent/mentions.ts';
import { openAgent } from '../../agent/open-agent.ts';
import { createQueue, type Queue } from '../../agent/queue.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { namedFiles, promptOf } from './chat-body.ts';

export type ChatOptions = {
  gateway: Gateway;
  session: string;
  by: Actor;
  asked: KodeRequest;
  signal: AbortSignal;
};

const heartbeatMs = 2000;

/** Throws before its first message when the request cannot be served at all. */
export async function runChat(options: ChatOptions): Promise<AsyncIterable<Json>> {
  const { gateway, session, asked, by } = options;
  const root = gateway.host.workspace.root.real;
  const text = promptOf(asked, root);
  const profile = await agentProfile(gateway.host, session, asked.mode === 'ask' ? 'ask' : 'build');
  const named = namedFiles(asked, root).map((path) => `@"${path}"`);
  const { files, problems } = await readMentions(gateway.host, named.join(' '), {
    session,
    profile: profile.name,
    by,
  });
  const model = await gateway.openModel(profile.model);
  const voice = kodeVoice({ model: model.name, root });
  const queue = createQueue<Json>();
  const emit = (signal: AgentSignal): void => {
    for (const message of voice.hear(signal)) queue.push(message);
    if (signal.type === 'approval') ask(options, signal.approval, queue);
  };
  const { openModel } = gateway;
  const opened = { host: gateway.host, session, model, profile, emit, openModel, dialect: 'kode' as const };
  const { agent, talk, leave } = await openAgent(opened);
  const isNewSession = talk.turn === 0;
  queue.push({ ...voice.start(), agentId: session, isNewSession });
  const input = { text: [text, ...problems].join('\n'), ...(files && { files }), by };
  const turn = runTurn(agent, talk, input, options.signal).finally(leave);
  gateway.host.later(turn.then(() => undefined));
  finish(turn, queue, (result) => voice.end(result));
  return queue;
}

function finish(turn: Promise<TurnResult>, queue: Queue<Json>, end: (result: TurnResult) => Json): void {
  let count = 0;
  const beat = setInterval(
    () => queue.push({ type: 'heartbeat', message: 'processing', count: ++count }),
    heartbeatMs,
  );
  turn
    .then(
      (result) => queue.push(end(result)),
      (error: unknown) => {
        const message = error instanceof ToolError ? error.message : 'Something went wrong in the gateway.';
        queue.push({ type: 'error', error: 'INTERNAL_ERROR', message });
      },
    )
    .finally(() => {
      clearInterval(beat);
      queue.end();
    });
}

// Decided over any wire; the message says how. A client that does not know it goes on waiting, as for anything slow.
function ask({ gateway, asked, session }: ChatOptions, approval: ApprovalRequest, queue: Queue<Json>): void {
  if (asked.approvals === 'never') {
    gateway.host
      .session(session)
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
    session_id: session,
    risk_level: approval.verdict.risk,
    timeout_seconds: Math.round((approval.deadline - approval.requestedAt) / 1000),
    approve: `/tools/${approval.id}/approve`,
    reject: `/tools/${approval.id}/reject`,
  });
}
