// The reason of a rejection: a common one with one click, or free text. The agent gets it.
import { useEffect, useRef, useState } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import type { SendDecision } from './answering.ts';

type Props = { isSending: boolean; decide: SendDecision; onBack(): void };

export function RejectPanel({ isSending, decide, onBack }: Props) {
  const words = useViewText().approval;
  const reject = (feedback: string): void =>
    void decide(feedback === '' ? { kind: 'reject' } : { kind: 'reject', feedback });
  return (
    <section
      aria-label={words.rejectTitle}
      className="flex flex-col gap-2 rounded-base border border-line bg-canvas p-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onBack();
      }}
    >
      <p className="font-medium">{words.rejectTitle}</p>
      <div className="flex flex-wrap gap-1.5">
        {Object.entries(words.reasons).map(([id, text]) => (
          <Button
            key={id}
            size="small"
            className="h-auto! min-h-6 shrink! text-left whitespace-normal!"
            disabled={isSending}
            onClick={() => reject(text)}
          >
            {text}
          </Button>
        ))}
      </div>
      <ReasonForm isSending={isSending} onReject={reject} onBack={onBack} />
    </section>
  );
}

type FormProps = { isSending: boolean; onReject(reason: string): void; onBack(): void };

function ReasonForm({ isSending, onReject, onBack }: FormProps) {
  const words = useViewText().approval;
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The person opened the panel themselves, so the field may have the focus.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
    >
      <input
        ref={field}
        aria-label={words.reasonField}
        placeholder={words.reasonPlaceholder}
        value={reason}
        maxLength={10_000}
        onChange={({ target }) => setReason(target.value)}
        className="h-8 min-w-40 flex-1 rounded-base max-two:basis-full border border-line-strong/60 bg-surface px-2 placeholder:text-faint"
      />
      <Button tone="danger" type="submit" disabled={isSending}>
        {reason.trim() === '' ? words.rejectPlain : words.rejectNow}
      </Button>
      <Button tone="quiet" disabled={isSending} onClick={onBack}>
        {words.cancel}
      </Button>
    </form>
  );
}
