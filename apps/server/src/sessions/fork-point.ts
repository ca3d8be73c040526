// Where a session can branch off: at the end of a turn, since what a model asked for must have its answer before anything else is said.
import { type SessionEvent, ToolError } from '@codelab/protocol';

/** The last entry that the fork begins with; `seq` is any entry of the turn that shall be the last. */
export function forkPoint(events: readonly SessionEvent[], seq?: number): number {
  const last = events.at(-1)?.seq ?? 0;
  if (seq !== undefined && (seq < 1 || seq > last))
    throw new ToolError('INVALID_ARGUMENTS', `\`seq\` must be an entry of this session: 1 to ${last}.`, {
      field: 'seq',
    });
  const until = seq ?? last;
  const around = events.findLast((event) => event.seq <= until && isBorder(event));
  if (around?.body.type !== 'turn.started') return until;
  const end = events.find((event) => event.seq > until && isBorder(event));
  if (end?.body.type === 'turn.ended') return end.seq;
  throw new ToolError('STALE', 'This turn is not finished yet. Wait for it, or fork at an entry before it.');
}

// A sub-agent's turns are part of the turn around them.
function isBorder({ body }: SessionEvent): boolean {
  return (body.type === 'turn.started' || body.type === 'turn.ended') && body.agent === undefined;
}
