// Counts calls and what waits from the log, reading only what came since it was last asked.
import type { SessionEvent } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Sample } from './metric-text.ts';

export type Tally = { read(): Promise<{ calls: Sample[]; waiting: number; sessions: number }> };

// A model may ask for any name; the tools there are, are few.
const otherTool = 'other';

export function createTally(host: Host): Tally {
  const startedAt = Date.now();
  const calls = new Map<string, { tool: string; status: string; value: number }>();
  const known = new Map<string, { seq: number; waiting: Map<string, number> }>();

  function count(event: SessionEvent, waiting: Map<string, number>): void {
    const { body, time } = event;
    if (body.type === 'approval.requested') waiting.set(body.approval.callId, body.approval.deadline);
    if (body.type === 'approval.decided' || body.type === 'approval.expired') waiting.delete(body.callId);
    if (body.type !== 'call.finished') return;
    waiting.delete(body.callId);
    if (time < startedAt) return;
    const tool = host.tools.has(body.outcome.tool) ? body.outcome.tool : otherTool;
    const { status } = body.outcome;
    const key = `${tool} ${status}`;
    calls.set(key, { tool, status, value: (calls.get(key)?.value ?? 0) + 1 });
  }

  return {
    async read() {
      const summaries = await host.log.sessions();
      // Nothing waits longer than an approval may, so what rested longer before the start has nothing to say.
      const from = startedAt - host.limits('codelab').approvalMs;
      for (const { id, head, lastAt } of summaries) {
        const before = known.get(id) ?? { seq: 0, waiting: new Map<string, number>() };
        if (head.seq <= before.seq || lastAt < from) continue;
        for (const event of await host.log.read(id, { since: before.seq })) {
          count(event, before.waiting);
          before.seq = event.seq;
        }
        known.set(id, before);
      }
      const there = new Set(summaries.map(({ id }) => id));
      for (const id of known.keys()) if (!there.has(id)) known.delete(id);
      const now = Date.now();
      const deadlines = [...known.values()].flatMap(({ waiting }) => [...waiting.values()]);
      return {
        calls: [...calls.values()].map(({ tool, status, value }) => ({ labels: { tool, status }, value })),
        waiting: deadlines.filter((deadline) => deadline > now).length,
        sessions: summaries.length,
      };
    },
  };
}
