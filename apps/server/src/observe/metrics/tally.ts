// Counts calls, turns and what waits from the log, reading only what came since it was last asked.
import type { Host } from '@codelab/runtime';
import { logPages } from '../../log/log-pages.ts';
import { createFewNames } from './few-names.ts';
import {
  type Counts,
  createCounts,
  type Named,
  newStanding,
  type Standing,
  tallyEvent,
} from './tally-session.ts';

export type Tallied = { counts: Counts; waiting: number; turnsOpen: number; sessions: number };

export type Tally = { read(): Promise<Tallied> };

export function createTally(host: Host): Tally {
  const startedAt = Date.now();
  const counts = createCounts();
  const known = new Map<string, Standing>();
  const tallying = { counts, nameOf: (tool: string) => nameOf(host, tool), modelName: createFewNames() };

  async function readOn(id: string, standing: Standing): Promise<void> {
    for await (const page of logPages(host.log, id, standing.seq))
      for (const event of page) tallyEvent(standing, event, { ...tallying, count: event.time >= startedAt });
  }

  async function read(): Promise<Tallied> {
    const summaries = await host.log.sessions();
    // Nothing waits longer than an approval may, so what rested longer before the start has nothing to say.
    const from = startedAt - host.limits('codelab').approvalMs;
    for (const { id, head, lastAt } of summaries) {
      const standing = known.get(id) ?? newStanding();
      if (head.seq <= standing.seq || lastAt < from) continue;
      known.set(id, standing);
      await readOn(id, standing);
    }
    const there = new Set(summaries.map(({ id }) => id));
    for (const id of known.keys()) if (!there.has(id)) known.delete(id);
    const now = Date.now();
    const standings = [...known.values()];
    const deadlines = standings.flatMap(({ waiting }) =>
      [...waiting.values()].map(({ deadline }) => deadline),
    );
    return {
      counts,
      waiting: deadlines.filter((deadline) => deadline > now).length,
      turnsOpen: standings.reduce((sum, { turns }) => sum + turns.size, 0),
      sessions: summaries.length,
    };
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    // One after the other: two that read at once would count the same entries twice.
    read() {
      const next = turn.then(read);
      turn = next.catch(() => undefined);
      return next;
    },
  };
}

// A model may ask for any name; the tools there are, are few.
function nameOf({ tools, foreign }: Host, name: string): Named {
  const tool = tools.get(name);
  if (tool !== undefined) return { tool: name, kind: tool.kind };
  const isForeign = foreign !== undefined && name.startsWith('mcp:');
  return isForeign ? { tool: 'foreign', kind: foreign.kind } : { tool: 'other', kind: 'none' };
}
