// A piece of code with its language, coloured once it is whole, and a way to copy it.
import { Copy } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { toast } from '../ui/toast.tsx';
import type { Token } from './highlight.ts';

type Props = { language: string; text: string; isWhole: boolean };

export const CodeBlock = memo(function CodeBlock({ language, text, isWhole }: Props) {
  const words = useText().conversation;
  const lines = useTokens(text, isWhole ? language : '');
  return (
    <figure className="group relative overflow-hidden rounded-base border border-line bg-sunken">
      <figcaption className="flex h-7 items-center border-b border-line pl-3 text-tiny text-muted">
        <span className="flex-1 font-mono">{language}</span>
        <IconButton
          size="small"
          icon={Copy}
          label={words.copy}
          onClick={() => void copy(text, words.copied)}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto px-3 py-2 font-mono text-small">
        <code>{lines === undefined ? text : <Lines lines={lines} />}</code>
      </pre>
    </figure>
  );
});

function Lines({ lines }: { lines: readonly Token[][] }) {
  return lines.map((tokens, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line's name is its place.
    <span key={at}>
      {tokens.map(({ text, color, offset }) => (
        <span key={offset} style={color === undefined ? undefined : { color }}>
          {text}
        </span>
      ))}
      {'\n'}
    </span>
  ));
}

function useTokens(text: string, language: string): Token[][] | undefined {
  const [found, setFound] = useState<{ of: string; lines: Token[][] } | undefined>();
  useEffect(() => {
    if (language === '') return;
    let isWanted = true;
    void import('./highlight.ts')
      .then(idle)
      .then(({ highlight }) => highlight(text, language))
      .then((lines) => {
        if (isWanted && lines !== undefined) setFound({ of: text, lines });
      })
      // Colours that can't be loaded are no loss that stops anyone.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [text, language]);
  return found?.of === text ? found.lines : undefined;
}

/** Colours come when there is nothing better to do: a key that is pressed meanwhile goes before. */
function idle<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(value), { timeout: 1000 });
    else setTimeout(() => resolve(value), 50);
  });
}

async function copy(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(said);
}
