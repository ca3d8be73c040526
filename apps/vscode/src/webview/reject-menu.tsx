// A menu of common reasons to reject. The agent gets the reason.
import { Button } from '@codelab/web';
import { ChevronDown } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useWords } from './words.ts';

type Props = { isDisabled: boolean; onReject(reason: string): void };

export function RejectMenu({ isDisabled, onReject }: Props) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    return onPressOutside(box, () => setOpen(false));
  }, [isOpen]);
  return (
    <div ref={box} className="relative">
      <Button
        size="small"
        className="secondary"
        disabled={isDisabled}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words.reject}
        <ChevronDown aria-hidden className="size-3" />
      </Button>
      {isOpen && (
        <div
          role="menu"
          aria-label={words.why}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(false);
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(box.current, event.key);
          }}
          className="menu absolute bottom-full left-0 z-10 mb-1 flex w-max flex-col rounded-base border border-line p-1 shadow-floating"
        >
          {words.reasons.map((reason) => (
            <ReasonItem
              key={reason}
              reason={reason}
              onChoose={() => {
                setOpen(false);
                onReject(reason);
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function ReasonItem({ reason, onChoose }: { reason: string; onChoose(): void }) {
  return (
    <button
      type="button"
      role="menuitem"
      className="rounded-small px-2 py-1 text-left hover:bg-hover focus:bg-hover"
      onClick={onChoose}
    >
      {reason}
    </button>
  );
}

function onPressOutside(box: RefObject<HTMLElement | null>, close: () => void): () => void {
  const onPress = ({ target }: Event): void => {
    if (!box.current?.contains(target as Node)) close();
  };
  document.addEventListener('pointerdown', onPress);
  return () => document.removeEventListener('pointerdown', onPress);
}

function move(box: HTMLElement | null, key: 'ArrowDown' | 'ArrowUp'): void {
  const items = [...(box?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items.at((at + (key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus();
}
