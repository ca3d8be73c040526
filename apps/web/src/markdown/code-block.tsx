// A code block with its language, coloured once it is complete, or a diagram; with buttons to copy it and to open it as a file.
import { CodeXml, Copy, FilePlus2, Workflow } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { useShownTheme } from '../theme.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { toast, toastError } from '../ui/toast.tsx';
import type { Token } from './highlight.ts';
import { markdownHost } from './markdown-host.ts';

type Props = { language: string; text: string; isWhole: boolean };

export const CodeBlock = memo(function CodeBlock({ language, text, isWhole }: Props) {
  const isDiff = language === 'diff' || language === 'patch';
  const diagram = useDiagram(text, language === 'mermaid' && isWhole);
  const [isSource, setIsSource] = useState(false);
  const picture = isSource ? undefined : diagram.svg;
  const lines = useTokens(text, isWhole && !isDiff && picture === undefined ? language : '');
  return (
    <figure className="group relative overflow-hidden rounded-base border border-line bg-sunken">
      <Caption {...{ language, text, isWhole, diagram, isSource, setIsSource }} />
      {picture !== undefined ? (
        <DiagramPicture svg={picture} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
        <pre tabIndex={0} className="overflow-x-auto py-2 font-mono text-small">
          <code className={cx('block w-max min-w-full', !isDiff && 'px-3')}>
            {shownCode(language, text, lines)}
          </code>
        </pre>
      )}
    </figure>
  );
});

type CaptionProps = Props & { diagram: Diagram; isSource: boolean; setIsSource(isSource: boolean): void };

function Caption({ language, text, isWhole, diagram, isSource, setIsSource }: CaptionProps) {
  const words = useText().conversation;
  const host = markdownHost();
  const isNeverDrawn = language === 'mermaid' && host?.drawDiagram === undefined;
  return (
    <figcaption className="flex h-7 items-center border-b border-line pl-3 text-tiny text-muted">
      <span className="min-w-0 flex-1 truncate">
        <span className="font-mono">{language}</span>
        {diagram.hasFailed && ` · ${words.diagram.failed}`}
        {isNeverDrawn && ` · ${words.diagram.asSource}`}
      </span>
      {diagram.svg !== undefined && (
        <IconButton
          size="small"
          icon={isSource ? Workflow : CodeXml}
          label={isSource ? words.diagram.show : words.diagram.showSource}
          onClick={() => setIsSource(!isSource)}
        />
      )}
      <IconButton size="small" icon={Copy} label={words.copy} onClick={() => void copy(text, words.copied)} />
      {isWhole && host !== undefined && (
        <IconButton
          size="small"
          icon={FilePlus2}
          label={words.openAsFile}
          onClick={() => void host.openCode(text, endingOf(language)).catch(toastError)}
        />
      )}
    </figcaption>
  );
}

/** As a picture, in which nothing runs. It shrinks to the width of the column as long as its words can be read. */
function DiagramPicture({ svg }: { svg: string }) {
  const words = useText().conversation.diagram;
  const width = Number(/ width="(\d+)/.exec(svg.slice(0, 2000))?.[1] ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
    <div tabIndex={0} className="overflow-x-auto p-3">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
        alt={words.name}
        className="mx-auto h-auto max-w-full"
        style={{ minWidth: Math.round(width * smallestScale) }}
      />
    </div>
  );
}

const smallestScale = 0.6;

type Diagram = { svg: string | undefined; hasFailed: boolean };

const mostDrawn = 40;
/** A row that scrolls out of sight is gone; what was drawn for it is not. By source and theme. */
const drawn = new Map<string, Diagram>();

/** Drawn once the source is whole, in the colours of the theme. Undefined until then, and where it can't be drawn. */
function useDiagram(source: string, isWanted: boolean): Diagram {
  const theme = useShownTheme();
  const key = `${theme} ${source}`;
  const [, setCount] = useState(0);
  useEffect(() => {
    const host = markdownHost();
    if (!isWanted || host?.drawDiagram === undefined || drawn.has(key)) return;
    let isGone = false;
    const keep = (diagram: Diagram): void => {
      drawn.set(key, diagram);
      for (const oldest of drawn.keys()) if (drawn.size > mostDrawn) drawn.delete(oldest);
      if (!isGone) setCount((count) => count + 1);
    };
    host.drawDiagram(source).then(
      (svg) => keep({ svg, hasFailed: false }),
      () => keep({ svg: undefined, hasFailed: true }),
    );
    return () => {
      isGone = true;
    };
  }, [key, source, isWanted]);
  return (isWanted ? drawn.get(key) : undefined) ?? { svg: undefined, hasFailed: false };
}

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

async function copy(text: string, notice: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(() => toast(notice), toastError);
}
