// All arguments as JSON, with what is wrong said at once.
import { useId } from 'react';
import { useText } from '../../text/use-text.ts';

type Props = { text: string; problem: string | undefined; onChange(text: string): void };

export function JsonInput({ text, problem, onChange }: Props) {
  const words = useText().approval;
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <textarea
        aria-label={words.jsonField}
        value={text}
        rows={Math.min(22, Math.max(8, text.split('\n').length + 1))}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-base border border-line-strong/60 bg-surface px-2 py-1 font-mono text-small aria-invalid:border-bad"
      />
      {problem !== undefined && (
        <p id={id} role="alert" className="text-small text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
