// Chooses the turn up to which a new session is the same as this one.
import type { Session } from '@codelab/api';
import { type SessionEvent, visibleLine } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { dateTime } from '../../text/format.ts';
import { currentViewText, useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toast, toastError } from '../../ui/toast.tsx';

const shownText = 200;

export function ForkDialog({ line, onClose }: { line: Session; onClose(): void }) {
  const words = useViewText().sessions;
  const [turns, setTurns] = useState<TurnLine[] | undefined>();
  const [chosen, setChosen] = useState<number | undefined>();
  useEffect(() => {
    const ending = new AbortController();
    readTurns(line.id, ending.signal)
      .then((found) => {
        setTurns(found);
        setChosen(found.at(-1)?.seq);
      })
      .catch((error: unknown) => !ending.signal.aborted && toastError(error));
    return () => ending.abort();
  }, [line.id]);
  const fork = (): void => {
    onClose();
    void openFork(line, chosen).catch(toastError);
  };
  return (
    <Dialog
      isOpen
      title={words.forkTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button tone="strong" disabled={chosen === undefined} onClick={fork}>
            {words.fork}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-muted">{words.forkAbout}</p>
      {turns === undefined && <Spinner label={words.forkTitle} />}
      {turns?.length === 0 && <p>{words.forkNone}</p>}
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{words.forkTitle}</legend>
        {turns?.map((turn) => (
          <TurnChoice
            key={turn.seq}
            turn={turn}
            isChosen={turn.seq === chosen}
            onChoose={() => setChosen(turn.seq)}
          />
        ))}
      </fieldset>
    </Dialog>
  );
}

type ChoiceProps = { turn: TurnLine; isChosen: boolean; onChoose(): void };

function TurnChoice({ turn, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2 rounded-base px-2 py-1.5 hover:bg-hover has-checked:bg-selected">
      <input
        type="radio"
        name="fork-from"
        checked={isChosen}
        onChange={onChoose}
        data-autofocus={isChosen ? '' : undefined}
        className="mt-1 size-3.5 shrink-0"
      />
      <span className="min-w-0 flex-1 wrap-anywhere">{visibleLine(turn.text.slice(0, shownText))}</span>
      <span className="shrink-0 text-small text-muted">{dateTime(turn.time)}</span>
    </label>
  );
}

type TurnLine = { seq: number; time: number; text: string };

async function readTurns(session: string, signal: AbortSignal): Promise<TurnLine[]> {
  const turns: TurnLine[] = [];
  for (let since = 0; ; ) {
    const { events, last_seq: head } = await api.sessions.log(session, { since }, signal);
    turns.push(...events.flatMap(turnOf));
    const last = events.at(-1)?.seq;
    if (last === undefined || last >= head) return turns;
    since = last;
  }
}

/** A task of a sub-agent is no turn of the person. */
function turnOf({ seq, time, body }: SessionEvent): TurnLine[] {
  return body.type === 'turn.started' && body.agent === undefined ? [{ seq, time, text: body.text }] : [];
}

const longestTitle = 200;

/** Makes a session that begins as another one did, and goes there. */
export async function openFork({ id, title }: Session, seq?: number): Promise<void> {
  const words = currentViewText().sessions;
  const fork = await api.sessions.fork(id, seq);
  // Two of the same name could not be told apart.
  const name = words.copyOf(title === '' ? words.untitled : title).slice(0, longestTitle);
  await api.sessions.update(fork.id, { title: name });
  openSession(fork.id);
  showView('conversation');
  toast(words.forked);
}
