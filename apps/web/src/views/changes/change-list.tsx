// The turns of the session with what their calls changed, newest first.
import type { ChangeTurn } from '@codelab/api';
import { Eye, FileDiff, Undo2 } from 'lucide-react';
import { currentSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { relativeTime } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { openSessionReview } from '../session-review/scope-store.ts';
import { CallChange } from './call-change.tsx';
import { readChanges, requestUndo, useChangesStore, useReadUponChange } from './changes-store.ts';

export function ChangeList() {
  const text = useViewText();
  useReadUponChange(readChanges);
  const turns = useChangesStore((state) => state.turns);
  const problem = useChangesStore((state) => state.problem);
  const hasSession = useSession(({ id }) => id !== '');
  if (problem !== '') return <p className="p-3 text-bad">{problem}</p>;
  if (turns === undefined && hasSession)
    return (
      <div className="p-4">
        <Spinner label={text.frame.loading} />
      </div>
    );
  if (turns === undefined || turns.length === 0)
    return <EmptyState icon={FileDiff} title={text.changes.none} hint={text.changes.noneHint} />;
  return (
    <ol aria-label={text.changes.list} className="flex flex-col gap-4 p-3">
      {turns.map((turn) => (
        <TurnChanges key={turn.calls[0]?.call_id} turn={turn} />
      ))}
    </ol>
  );
}

function TurnChanges({ turn: { turn, time, state, calls } }: { turn: ChangeTurn }) {
  const words = useViewText().changes;
  const name = turn === null ? words.byPerson : words.turn(turn);
  return (
    <li>
      <div className="flex h-7 items-center gap-2 pb-1">
        <h3 className="text-small font-semibold">{name}</h3>
        <span className="flex-1 truncate text-tiny text-muted">{relativeTime(Date.parse(time))}</span>
        {turn !== null && state === 'done' && (
          <Button
            size="small"
            tone="quiet"
            aria-label={words.reviewTurn(turn)}
            icon={<Eye aria-hidden className="size-3.5" />}
            onClick={() => openSessionReview(currentSession(), turn)}
          >
            {words.reviewIt}
          </Button>
        )}
        {turn !== null && state === 'done' && (
          <Button
            size="small"
            tone="quiet"
            aria-label={words.undoTurn(turn)}
            icon={<Undo2 aria-hidden className="size-3.5" />}
            onClick={() => requestUndo({ verb: 'undo', turn, what: name })}
          >
            {words.undo}
          </Button>
        )}
      </div>
      <ul className="flex flex-col gap-1.5">
        {calls.map((call) => (
          <CallChange key={call.call_id} call={call} />
        ))}
      </ul>
    </li>
  );
}
