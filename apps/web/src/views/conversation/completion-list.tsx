// The list above the composer. The field keeps the focus and names the chosen line.
import { visibleLine } from '@codelab/protocol';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import type { Completion } from './use-completion.ts';

type Props = { completion: Completion; onPick(at: number): void };

export function CompletionList({ completion: { wish, found, chosen }, onPick }: Props) {
  const words = useText().conversation;
  if (wish === undefined || found.length === 0) return null;
  return (
    <div
      id="completion"
      role="listbox"
      aria-label={wish.type === 'file' ? words.files : words.commands}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-64 overflow-auto rounded-large border border-line bg-raised p-1 shadow-floating"
    >
      {found.map(({ insert, hint }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, after the combobox pattern.
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen line.
        <div
          key={insert}
          id={`completion-${at}`}
          role="option"
          aria-selected={at === chosen}
          // The field must not lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(at)}
          className={cx(
            'flex cursor-pointer items-baseline gap-3 rounded-base px-2 py-1',
            at === chosen ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          <span className="min-w-0 truncate font-mono text-small">{visibleLine(insert.trim())}</span>
          <span className="min-w-0 flex-1 truncate text-small text-muted">{hint}</span>
        </div>
      ))}
    </div>
  );
}
