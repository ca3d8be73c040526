// The calls that changed files of a workspace, newest first. There may be any number of them: they are read a few at a time, as many
// as somebody wants to see, with turns for other work in between.
import type { Outcome, SessionLog } from '@codelab/protocol';
import { createPauses } from '../platform/steps.ts';

/** A call that changed files, as the log has it; `at` is its position there. */
export type ChangedCall = { session: string; turn: number | undefined; outcome: Outcome; at: number };

const atOnce = 100;

export async function* changedCalls(
  log: SessionLog,
  workspace: string,
): AsyncGenerator<ChangedCall, undefined> {
  const pauses = createPauses();
  for (let before: number | undefined; ; ) {
    const page = await log.changed(workspace, atOnce, before);
    for (const { session, seq, at } of page) {
      const [event] = await log.read(session, { since: seq - 1, limit: 1 });
      if (event?.body.type === 'call.finished')
        yield { session, turn: event.body.turn, outcome: event.body.outcome, at };
      if (pauses.isDue()) await pauses.rest();
    }
    before = page.at(-1)?.at;
    if (before === undefined || page.length < atOnce) return;
  }
}
