// A text from a tool, bounded: the beginning at first, more on demand, never more than the page can bear.
import { useMemo, useState } from 'react';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { AnsiText } from './ansi-text.tsx';
import { cutOutput } from './cut-output.ts';

export function OutputBlock({ label, text }: { label: string; text: string }) {
  const words = useText().conversation;
  const [isLong, setIsLong] = useState(false);
  const short = useMemo(() => cutOutput(text, { lines: 16, characters: 4000 }), [text]);
  const long = useMemo(() => cutOutput(text, { lines: 2000, characters: 200_000 }), [text]);
  const shown = isLong ? long : short;
  return (
    <div className="flex flex-col gap-1">
      <h4 className="text-small font-medium text-muted">{label}</h4>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
      >
        <AnsiText text={shown.text} />
      </pre>
      {short.isCut && (
        <Button size="small" tone="quiet" className="self-start" onClick={() => setIsLong(!isLong)}>
          {isLong ? words.showLess : words.showMore}
        </Button>
      )}
      {isLong && long.isCut && <p className="text-small text-muted">{words.cut}</p>}
    </div>
  );
}
