// Something a person did beside the conversation, for its model to read before what is said next: a turn without an answer.
import { type Actor, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { openJournal } from './journal.ts';

/** Nothing is left where nobody has talked yet, or while a turn is open: it would be taken for a part of it. */
export async function leaveNote(
  host: Host,
  session: string,
  { text, by }: { text: string; by: Actor },
): Promise<void> {
  const { journal, events } = await openJournal(host, session);
  const own = events.flatMap(({ body }) =>
    (body.type === 'turn.started' || body.type === 'turn.ended') && body.agent === undefined ? [body] : [],
  );
  const started = own.findLast((body) => body.type === 'turn.started');
  if (started?.type !== 'turn.started' || own.at(-1)?.type !== 'turn.ended') return;
  const { model, profile } = started;
  const turn = started.turn + 1;
  try {
    using _held = await journal.hold();
    await journal.record([
      { type: 'turn.started', turn, text, model, profile, by },
      { type: 'turn.ended', turn, end: 'completed' },
    ]);
  } catch (error) {
    // Somebody has begun to talk meanwhile.
    if (!(error instanceof ToolError && error.code === 'STALE')) throw error;
  }
}
