// A session of any length is opened in pages: memory stays bounded, and others are served meanwhile.
import { mkdirSync } from 'node:fs';
import type { EventBody, ReadOptions, SessionLog } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { LiveSession } from '../../packages/runtime/src/core/session/live-session.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const calls = 1500;

function entriesOf(n: number): EventBody[] {
  const call = { id: `c${n}`, session: 's1', tool: 'todoread', args: {}, dialect: 'codelab' as const };
  const outcome = { status: 'completed' as const, callId: call.id, tool: call.tool, data: {}, effects: [] };
  return [
    { type: 'call.received', call },
    { type: 'call.finished', callId: call.id, outcome: { ...outcome, startedAt: 0, durationMs: 0 } },
  ];
}

test('a long session is read page by page, all of it, and other work has its turns in between', async () => {
  using scratch = scratchFolder();
  mkdirSync(scratch.home, { recursive: true });
  const log = openSqliteLog(scratch.home);
  const bodies = Array.from({ length: calls }, (_, n) => entriesOf(n)).flat();
  await log.append('s1', [{ type: 'session.opened', workspace: scratch.root }, ...bodies], { expected: 0 });
  const pages: number[] = [];
  let turns = 0;
  const watched: SessionLog = {
    ...log,
    async read(session, options?: ReadOptions) {
      const events = await log.read(session, options);
      pages.push(events.length);
      setImmediate(() => turns++);
      return events;
    },
  };
  const session = await LiveSession.open(watched, 's1', scratch.root);
  expect(pages).toEqual([1000, 1000, 1000, 1, 0]);
  expect(turns).toBe(3);
  expect(session.openCalls.size).toBe(0);
  expect(session.finished('c0')).toEqual({ seq: 3, received: 2 });
  expect(session.finished(`c${calls - 1}`)).toEqual({ seq: 2 * calls + 1, received: 2 * calls });
  await session.commit(() => entriesOf(calls));
  expect(session.finished(`c${calls}`)).toEqual({ seq: 2 * calls + 3, received: 2 * calls + 2 });
  await log.close();
});
