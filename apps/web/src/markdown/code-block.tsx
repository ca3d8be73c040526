// A piece of code with its language, coloured once it is whole, and ways to copy it and to open it as a file.
import { Copy, FilePlus2 } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { toast, toastError } from '../ui/toast.tsx';
import type { Token } from './highlight.ts';
import { markdownHost } from './markdown-host.ts';

type Props = { language: string; text: string; isWhole: boolean };

export const CodeBlock = memo(function CodeBlock({ language, text, isWhole }: Props) {
  const words = useText().conversation;
  const isDiff = language === 'diff' || language === 'patch';
  const lines = useTokens(text, isWhole && !isDiff ? language : '');
  return (
    <figure className="group relative overflow-hidden rounded-base border border-line bg-sunken">
      <figcaption className="flex h-7 items-center border-b border-line pl-3 text-tiny text-muted">
        <span className="min-w-0 flex-1 truncate">
          <span className="font-mono">{language}</span>
          {language === 'mermaid' && ` · ${words.diagramSource}`}
        </span>
        <IconButton
          size="small"
          icon={Copy}
          label={words.copy}
          onClick={() => void copy(text, words.copied)}
        />
        {isWhole && markdownHost() !== undefined && (
          <IconButton
            size="small"
            icon={FilePlus2}
            label={words.openAsFile}
            onClick={() => void markdownHost()?.openCode(text, endingOf(language)).catch(toastError)}
          />
        )}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto py-2 font-mono text-small">
        <code className={cx('block w-max min-w-full', !isDiff && 'px-3')}>
          {shownCode(language, text, lines)}
        </code>
      </pre>
    </figure>
  );
});

function shownCode(language: string, text: string, lines: readonly Token[][] | undefined) {
  if (language === 'diff' || language === 'patch') return <DiffLines text={text} />;
  return lines === undefined ? text : <Lines lines={lines} />;
}

const diffLooks: readonly [RegExp, string][] = [
  [/^(?:\+\+\+|---|diff |index )/, 'text-muted font-semibold'],
  [/^@@/, 'text-accent'],
  [/^\+/, 'bg-good-soft text-good'],
  [/^-/, 'bg-bad-soft text-bad'],
];

function DiffLines({ text }: { text: string }) {
  return text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line's name is its place.
    <span key={at} className={cx('block px-3', diffLooks.find(([start]) => start.test(line))?.[1])}>
      {line === '' ? '\n' : line}
    </span>
  ));
}

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

const endings: Readonly<Record<string, string>> = {
  ...{ typescript: 'ts', javascript: 'js', python: 'py', rust: 'rs', markdown: 'md', yaml: 'yml' },
  ...{ bash: 'sh', shell: 'sh', zsh: 'sh', mermaid: 'mmd' },
};

/** How the name of a file in that language ends. */
function endingOf(language: string): string {
  return endings[language] ?? (/^[a-z\d]{1,8}$/.test(language) ? language : 'txt');
}

async function copy(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(() => toast(said), toastError);
}
