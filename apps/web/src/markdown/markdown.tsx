// Markdown from a model, as React elements: nothing in it is ever HTML, and only web addresses become links.
import {
  type CellAlign,
  type MarkdownBlock,
  type MarkdownInline,
  type MarkdownItem,
  parseMarkdownBlock,
  parseMarkdownInline,
  splitMarkdown,
} from '@codelab/protocol';
import { Fragment, memo, useMemo } from 'react';
import { cx } from '../ui/cx.ts';
import { CodeBlock } from './code-block.tsx';
import { FileLink } from './file-link.tsx';
import { filePlace } from './file-links.ts';
import { honestText } from './honest-text.ts';
import { Formula } from './math.tsx';
import { Picture } from './picture.tsx';

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => splitMarkdown(honestText(text)), [text]);
  return (
    <div className="flex flex-col gap-2.5 text-read wrap-anywhere">
      {blocks.map((source, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
        <Source key={at} source={source} />
      ))}
    </div>
  );
}

/** Read again only when its own source is another. */
const Source = memo(function Source({ source }: { source: string }) {
  return <Blocks blocks={parseMarkdownBlock(source)} />;
});

function Blocks({ blocks }: { blocks: readonly MarkdownBlock[] }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tree is made anew from its source each time.
    <Shown key={at} block={block} />
  ));
}

// The page's own headings are above: the first of a message is the third level.
const headings = ['h3', 'h4', 'h5', 'h6'] as const;

function Heading({ level, text }: { level: number; text: string }) {
  const Tag = headings[Math.min(level, headings.length) - 1] ?? 'h6';
  return (
    <Tag className={cx('mt-1 font-semibold', level <= 2 ? 'text-title' : 'text-read')}>
      <Inlines text={text} />
    </Tag>
  );
}

function Shown({ block }: { block: MarkdownBlock }) {
  switch (block.type) {
    case 'heading':
      return <Heading level={block.level} text={block.text} />;
    case 'paragraph':
      return (
        <p>
          <Inlines text={block.text} />
        </p>
      );
    case 'code':
      return <CodeBlock language={block.language} text={block.text} isWhole={block.isClosed} />;
    case 'quote':
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-muted">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List isOrdered={block.isOrdered} start={block.start} items={block.items} />;
    case 'table':
      return <MarkdownTable head={block.head} rows={block.rows} aligns={block.aligns} />;
    case 'math':
      return <Formula source={block.source} isBlock />;
    case 'rule':
      return <hr className="border-line" />;
  }
}

function List({
  isOrdered,
  start,
  items,
}: {
  isOrdered: boolean;
  start: number;
  items: readonly MarkdownItem[];
}) {
  const lines = items.map(({ isDone, blocks }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tree is made anew from its source each time.
    <li key={at} className={cx('pl-1', isDone !== undefined && 'list-none')}>
      {isDone !== undefined && (
        <input
          type="checkbox"
          checked={isDone}
          disabled
          aria-label={isDone ? '☑' : '☐'}
          className="mr-1.5 -ml-5 size-3.5"
        />
      )}
      {blocks[0]?.type === 'paragraph' ? (
        <>
          <Inlines text={blocks[0].text} />
          <Blocks blocks={blocks.slice(1)} />
        </>
      ) : (
        <Blocks blocks={blocks} />
      )}
    </li>
  ));
  const look = 'flex flex-col gap-1 pl-6';
  if (!isOrdered) return <ul className={cx('list-disc', look)}>{lines}</ul>;
  return (
    <ol start={start} className={cx('list-decimal', look)}>
      {lines}
    </ol>
  );
}

type TableProps = { head: readonly string[]; rows: readonly string[][]; aligns: readonly CellAlign[] };

const alignments = { left: 'text-left', center: 'text-center', right: 'text-right' };

function MarkdownTable({ head, rows, aligns }: TableProps) {
  const cells = (row: readonly string[], Tag: 'th' | 'td') =>
    head.map((_, at) => (
      <Tag
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place.
        key={at}
        className={cx('max-w-96 border border-line px-2 py-1 align-top', alignments[aligns[at] ?? 'left'])}
      >
        <Inlines text={row[at] ?? ''} />
      </Tag>
    ));
  return (
    // Cells break between words, never inside of one: a table that is too wide scrolls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
    <div tabIndex={0} className="overflow-x-auto [overflow-wrap:normal] [word-break:normal]">
      <table className="w-max max-w-none border-collapse text-base">
        <thead className="bg-sunken">
          <tr>{cells(head, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place.
            <tr key={at}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ text }: { text: string }) {
  return <Inner parts={parseMarkdownInline(text)} />;
}

function Inner({ parts }: { parts: readonly MarkdownInline[] }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tree is made anew from its source each time.
    <Fragment key={at}>{shownInline(part)}</Fragment>
  ));
}

function shownInline(part: MarkdownInline) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'math':
      return <Formula source={part.source} isBlock={part.isBlock} />;
    case 'image':
      return <Picture source={part.source} label={part.label} />;
    case 'code': {
      const place = filePlace(part.text);
      const code = (
        <code className="rounded-small bg-sunken px-1 py-px font-mono text-[0.92em]">{part.text}</code>
      );
      return place === undefined ? code : <FileLink place={place}>{code}</FileLink>;
    }
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inner parts={part.inner} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inner parts={part.inner} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inner parts={part.inner} />
        </s>
      );
    case 'link':
      return <Link href={part.href} inner={part.inner} />;
    case 'break':
      return <br />;
  }
}

// Where a link leads is said beside it, when its own words do not.
function Link({ href, inner }: { href: string; inner: readonly MarkdownInline[] }) {
  const host = new URL(href).host;
  const [only] = inner;
  const tells =
    inner.length === 1 && only?.type === 'text' && only.text.startsWith(`${new URL(href).protocol}//${host}`);
  return (
    <a
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      <Inner parts={inner} />
      {!tells && <span className="text-small text-muted"> ({host})</span>}
    </a>
  );
}
