// What a sub-agent said and did, inside the call that started it.
import type { ReactNode } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import type { Inner } from '../../session/session-model.ts';
import { useText } from '../../text/use-text.ts';

type Props = { inner: readonly Inner[]; renderCall(callId: string): ReactNode };

export function InnerCalls({ inner, renderCall }: Props) {
  const words = useText().conversation;
  return (
    <section
      aria-label={words.subAgent(inner.length)}
      className="flex flex-col gap-2 border-l-2 border-line pl-3"
    >
      <h4 className="text-small font-medium text-muted">{words.subAgent(inner.length)}</h4>
      {inner.map((part) =>
        part.kind === 'call' ? (
          <div key={part.key}>{renderCall(part.callId)}</div>
        ) : (
          <Markdown key={part.key} text={part.text} />
        ),
      )}
    </section>
  );
}
