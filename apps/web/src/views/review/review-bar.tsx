// The bar above a review: view options, and every misleading place in added lines and file names.
import { type Misleading, misleading, type Review, visibleLine } from '@codelab/protocol';
import { Columns2, EyeOff, Keyboard, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { fileChange } from '../../diff/file-name.ts';
import type { ViewTexts } from '../../text/en-views.ts';
import { useViewText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Select } from '../../ui/text-field.tsx';
import { type ReviewLook, useReviewLook } from './review-session.ts';

type Props = {
  review: Review;
  isSplit: boolean;
  canSplit: boolean;
  /** The bar is part of another one. */
  isInBar?: boolean;
  onGo(key: string): void;
  onHelp(): void;
};

const whitespaces = ['none', 'changed', 'all'] as const;

function labelOf(words: ViewTexts['review'], value: (typeof whitespaces)[number]): string {
  return `${words.whitespace}: ${words.whitespaces[value]}`;
}

export function ReviewBar({ review, isSplit, canSplit, isInBar = false, onGo, onHelp }: Props) {
  const words = useViewText().review;
  const { whitespace } = useReviewLook();
  const warnings = useMemo(() => findWarnings(review), [review]);
  return (
    <div
      className={cx(
        'flex items-center gap-x-2 gap-y-1',
        (!isInBar || warnings.length > 0) && 'flex-wrap',
        isInBar ? 'min-w-0 flex-1' : 'shrink-0 border-b border-line px-3 py-1.5',
      )}
    >
      <div className="min-w-0 flex-1">
        <Warnings warnings={warnings} onGo={onGo} />
      </div>
      <Select
        isLabelHidden
        className={cx(isInBar && 'max-two:hidden')}
        label={words.whitespace}
        value={whitespace}
        options={whitespaces.map((value) => ({ value, label: labelOf(words, value) }))}
        onChange={(value) => useReviewLook.setState({ whitespace: value as ReviewLook['whitespace'] })}
      />
      {canSplit && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame; these are two buttons.
        <div role="group" aria-label={words.layout} className="flex">
          <IconButton
            icon={Rows3}
            label={words.unified}
            shortcut="U"
            isActive={!isSplit}
            aria-pressed={!isSplit}
            onClick={() => useReviewLook.setState({ isSplit: false })}
          />
          <IconButton
            icon={Columns2}
            label={words.split}
            shortcut="V"
            isActive={isSplit}
            aria-pressed={isSplit}
            onClick={() => useReviewLook.setState({ isSplit: true })}
          />
        </div>
      )}
      <IconButton icon={Keyboard} label={words.help} shortcut="?" onClick={onHelp} />
    </div>
  );
}

type WarningsProps = { warnings: readonly Warning[]; onGo(item: string): void };

function Warnings({ warnings, onGo }: WarningsProps) {
  const words = useViewText().review;
  if (warnings.length === 0) return null;
  const items = warnings.slice(0, 50).map(({ item, path, line, found }, at) => ({
    id: String(at),
    label: `${visibleLine(path)}${line === undefined ? '' : `:${line}`} · ${visibleLine(found.text)}`,
    hint: `${words.warning[found.kind]}${line === undefined ? `, ${words.inName}` : ''}`,
    onSelect: () => onGo(item),
  }));
  return (
    <Menu
      label={words.warnings(warnings.length)}
      items={items}
      trigger={
        <button
          type="button"
          className="inline-flex min-h-6 items-center gap-1.5 rounded-full border border-bad/40 bg-bad-soft px-2.5 text-small font-medium text-bad hover:border-bad"
        >
          <EyeOff aria-hidden className="size-3.5 shrink-0" />
          {words.warnings(warnings.length)}
        </button>
      }
    />
  );
}

type Warning = { item: string; path: string; line: number | undefined; found: Misleading };

// More would not be read.
const most = 200;

function findWarnings({ files, items }: Review): Warning[] {
  const warnings: Warning[] = [];
  let last = -1;
  for (const { key, file, hunk } of items) {
    const of = files[file];
    if (of === undefined || warnings.length >= most) break;
    const { path } = fileChange(of);
    if (file !== last)
      for (const found of misleading(path)) warnings.push({ item: key, path, line: undefined, found });
    last = file;
    if (hunk === undefined) continue;
    let line = hunk.newStart;
    for (const text of hunk.lines) {
      if (text.startsWith('+'))
        for (const found of misleading(text.slice(1))) warnings.push({ item: key, path, line, found });
      if (!text.startsWith('-') && !text.startsWith('\\')) line++;
    }
  }
  return warnings.slice(0, most);
}
