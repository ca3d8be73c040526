// A running call as events: its approval, the decision, its progress. The generator returns the outcome.
import type { HostEvent } from '@codelab/agent';
import type { Outcome, ToolCall } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';

export async function* followCall(
  host: Host,
  { id, session: name }: Pick<ToolCall, 'id' | 'session'>,
  run: () => Promise<Outcome>,
): AsyncGenerator<HostEvent, Outcome> {
  const queue = createQueue<HostEvent>();
  const session = await host.session(name);
  const stops = [
    host.progress.watch(name, (call, progress) => {
      if (call.id === id) queue.push({ type: 'progress', progress });
    }),
    session.watch(({ body }) => {
      if (!('callId' in body) || body.callId !== id) return;
      if (body.type === 'approval.requested') queue.push({ type: 'approval', approval: body.approval });
      else if (body.type === 'approval.decided' || body.type === 'approval.expired') {
        const decision = body.type === 'approval.decided' ? body.decision.kind : 'expired';
        queue.push({ type: 'decided', approvalId: body.approvalId, decision });
      }
    }),
  ];
  // An approval that was pending before a restart is reported as well.
  const state = session.openCalls.get(id);
  if (state?.state === 'awaiting_approval') queue.push({ type: 'approval', approval: state.approval });
  const ended = run();
  ended.then(
    () => queue.end(),
    (error: unknown) => queue.fail(error),
  );
  try {
    yield* queue;
    return await ended;
  } finally {
    for (const stop of stops) stop();
  }
}

// Turns pushed events into a stream that is pulled.

export type Queue<T> = AsyncIterable<T> & { push(item: T): void; end(): void; fail(error: unknown): void };

export function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  let isEnded = false;
  let failure: { error: unknown } | undefined;
  let wake = (): void => undefined;
  return {
    push(item) {
      items.push(item);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    fail(error) {
      failure = { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        for (let item = items.shift(); item !== undefined; item = items.shift()) yield item;
        if (failure !== undefined) throw failure.error;
        if (isEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
