// Above a review: how to look at it, and whether something in it could mislead.
import { Columns2, Keyboard, Rows3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { type ReviewLook, useReviewLook } from './review-store.ts';

type Props = { isSplit: boolean; canSplit: boolean; children?: ReactNode; onHelp(): void };

export function ReviewBar({ isSplit, canSplit, children, onHelp }: Props) {
  const words = useText().review;
  const { whitespace } = useReviewLook();
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5">
      <div className="min-w-0 flex-1">{children}</div>
      <Select
        isLabelHidden
        label={words.whitespace}
        value={whitespace}
        options={(['none', 'changed', 'all'] as const).map((value) => ({
          value,
          label: `${words.whitespace}: ${words.whitespaces[value]}`,
        }))}
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
