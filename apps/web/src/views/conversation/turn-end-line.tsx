// The end of a turn: its duration and usage; after a bad end, the reason and the button that helps.
import { CircleAlert, CircleCheck, CircleSlash, KeyRound, Play, Plug, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { errorWords } from '../../error-help.ts';
import { showView } from '../../layout/show-view.ts';
import { honestText } from '../../markdown/honest-text.ts';
import { useNetChanges } from '../../session/changes/net-changes.ts';
import { currentSession } from '../../session/current-session.ts';
import type { Entry, SessionModel } from '../../session/session-model.ts';
import { useSession } from '../../session/session-store.ts';
import { compactNumber, duration, spellCost } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { toastError } from '../../ui/toast.tsx';
import { turnKey, useTurnCost } from '../context/use-context-info.ts';
import { openSessionReview } from '../session-review/scope-store.ts';
import { showKeyField } from '../settings/wanted-key.ts';
import { usePicks } from './composer/send-message.ts';

const icons = {
  completed: CircleCheck,
  cancelled: CircleSlash,
  failed: CircleAlert,
  step_limit: CircleAlert,
  cost_limit: CircleAlert,
  cut_off: CircleAlert,
  refused: CircleAlert,
  empty: CircleAlert,
  loop_detected: CircleAlert,
  unanswered: CircleAlert,
};

export function TurnEndLine({ entry }: { entry: Extract<Entry, { kind: 'ended' }> }) {
  const text = useText();
  const words = text.conversation;
  const { end, message, durationMs, tokens } = entry;
  const [what, next] = errorWords(text, entry.reason, entry.code);
  const { cost, isPartial } = useTurnCost(turnKey(entry.turn, entry.time - durationMs), entry.cost);
  const Icon = icons[end];
  const isLast = useSession(({ turns }) => turns.latest?.turn === entry.turn);
  const isBad = end !== 'completed' && end !== 'cancelled';
  return (
    <div
      className={cx(
        'flex flex-col gap-1',
        isBad ? 'mb-1 rounded-base border border-bad/30 bg-bad-soft p-2.5' : 'pb-1',
      )}
    >
      <p className={cx('flex items-start gap-1.5 text-small', isBad ? 'text-bad' : 'text-muted')}>
        <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span>
          {words.turn[end]} · {duration(durationMs)}
          {tokens > 0 && ` · ${words.tokens(compactNumber(tokens))}`}
          {cost > 0 && ` · ${isPartial ? '≥ ' : ''}${spellCost(cost)}`}
          <TurnFiles turn={entry.turn} />
        </span>
      </p>
      {what !== '' && (
        <p>
          {what}. {next}
        </p>
      )}
      {message !== '' && (
        <p className={cx('wrap-anywhere', what !== '' && 'text-small text-muted')}>{honestText(message)}</p>
      )}
      {isLast && end !== 'completed' && <NextStep entry={entry} />}
    </div>
  );
}

/** The files that still differ because of the turn; a click opens its review. */
function TurnFiles({ turn }: { turn: number }) {
  const words = useText().conversation;
  const session = useSession(({ id }) => id);
  const { files, added, removed } = useNetChanges(turn);
  if (files === 0) return null;
  return (
    <>
      {' · '}
      <button
        type="button"
        onClick={() => openSessionReview(session, turn)}
        className="rounded-small whitespace-nowrap underline decoration-line-strong underline-offset-2 hover:text-text"
      >
        {words.turnFiles(files)} <span className="font-mono text-good">+{added}</span>{' '}
        <span className="font-mono text-bad">−{removed}</span>
      </button>
    </>
  );
}

type Ended = Extract<Entry, { kind: 'ended' }>;

/** Reasons that asking again does not change: the model or the address is wrong, the account is empty, a key is missing or refused. */
const ofConnection = new Set(['model', 'connection', 'quota', 'no_model']);
const ofKey = new Set(['key', 'no_key']);
const limits = new Set<Ended['end']>(['step_limit', 'cost_limit']);

function NextStep({ entry: { end, reason } }: { entry: Ended }) {
  const words = useText().conversation.act;
  const model = useSession((session) => session.model);
  const [isAsked, setIsAsked] = useState(false);
  const goOn = (): void => {
    setIsAsked(true);
    const { model: picked } = usePicks.getState();
    api
      .continue(currentSession(), picked === '' ? {} : { model: picked })
      .catch(toastError)
      .finally(() => setIsAsked(false));
  };
  const isAgain = end === 'failed' || end === 'empty' || end === 'refused';
  const Icon = isAgain ? RotateCcw : Play;
  return (
    <div className="mt-1 flex flex-wrap gap-1.5">
      <Button size="small" icon={<Icon aria-hidden className="size-3.5" />} onClick={goOn} disabled={isAsked}>
        {isAgain ? words.tryAgain : limits.has(end) ? words.raiseLimit : words.continue}
      </Button>
      {end === 'failed' && ofKey.has(reason) && (
        <Button
          size="small"
          tone="strong"
          icon={<KeyRound aria-hidden className="size-3.5" />}
          onClick={() => showKeyField(model)}
        >
          {words.enterKey}
        </Button>
      )}
      {end === 'failed' && ofConnection.has(reason) && (
        <Button
          size="small"
          icon={<Plug aria-hidden className="size-3.5" />}
          onClick={() => showView('settings')}
        >
          {words.connect}
        </Button>
      )}
    </div>
  );
}

// The model did not answer and is asked again: why, and in how many seconds.
type Retry = NonNullable<SessionModel['retry']>;

export function RetryLine({ retry: { attempt, afterMs, reason, time } }: { retry: Retry }) {
  const words = useText().conversation;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((time + afterMs - now) / 1000);
  return (
    <p className="text-small text-warn wrap-anywhere">
      {honestText(words.retry(attempt, reason))}
      {seconds > 0 && <span className="tabular-nums"> · {words.retryIn(seconds)}</span>}
    </p>
  );
}
