// What the model is saying at this moment, and that it is at work when it says nothing.
import { useDeferredValue } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Reasoning } from './reasoning.tsx';

export function LiveReply() {
  const words = useText().conversation;
  const live = useSession((model) => model.live);
  const retry = useSession((model) => model.retry);
  const isThinking = useSession(({ status }) => status === 'thinking');
  // Typing goes before: a moment's delay of the stream is not seen.
  const text = useDeferredValue(live?.text ?? '');
  const reasoning = useDeferredValue(live?.reasoning ?? '');
  if (live === undefined && !isThinking) return null;
  return (
    <div className="flex flex-col gap-2 py-1">
      {reasoning !== '' && live !== undefined && <Reasoning text={reasoning} isLive={text === ''} />}
      {text !== '' && live !== undefined && <Markdown text={text} />}
      {retry !== undefined && (
        <p className="text-small text-warn">{words.retry(retry.attempt, retry.reason)}</p>
      )}
      {isThinking && <Dots />}
    </div>
  );
}

function Dots() {
  return (
    <span aria-hidden className="flex h-5 items-center gap-1">
      {['', '[animation-delay:150ms]', '[animation-delay:300ms]'].map((delay) => (
        <span key={delay} className={`size-1.5 animate-pulse rounded-full bg-accent ${delay}`} />
      ))}
    </span>
  );
}
