// A dialog over the page, with the browser's own <dialog>: focus stays inside, Escape closes, the rest is inert.
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { PortalHost } from './floating.tsx';

type Props = {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** Buttons, right below. */
  footer?: ReactNode;
  size?: 'small' | 'base' | 'large';
  /** The title is only read aloud. */
  isBare?: boolean;
  /** The dialog comes from the lower edge, over the whole width: for thumbs. */
  isSheet?: boolean;
};

const widths = { small: 'w-96', base: 'w-[36rem]', large: 'w-[60rem]' };

export function Dialog(props: Props) {
  const { title, isOpen, onClose, children, footer, size = 'base', isBare = false, isSheet = false } = props;
  const [box, setBox] = useState<HTMLDialogElement | null>(null);
  const onClosed = useOpenDialog(box, { isOpen, onClose });
  const id = useId();
  const text = useText();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it is a second way; Escape is the key for it.
    <dialog
      ref={setBox}
      tabIndex={-1}
      aria-labelledby={id}
      onClose={onClosed}
      onClick={({ target }) => target === box && onClose()}
      className={cx(
        'outline-none flex-col overflow-hidden rounded-large border border-line bg-raised text-text shadow-floating backdrop:bg-[rgb(8_11_16/55%)] open:flex',
        isSheet ? 'mx-0 mt-auto mb-0 w-full max-w-full rounded-b-none' : 'm-auto max-w-[calc(100vw-1rem)]',
        isBare ? 'mt-[12dvh] max-h-[min(60dvh,34rem)]' : 'max-h-[85dvh]',
        !isSheet && widths[size],
      )}
    >
      <PortalHost value={box ?? undefined}>
        <header className={isBare ? 'sr-only' : 'flex items-center gap-2 border-b border-line px-4 py-2.5'}>
          <h2 id={id} className="flex-1 text-title font-semibold">
            {title}
          </h2>
          {!isBare && <IconButton icon={X} label={text.ui.close} onClick={onClose} />}
        </header>
        {isOpen && <div className={cx('min-h-0 flex-1 overflow-auto', !isBare && 'p-4')}>{children}</div>}
        {isOpen && footer !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
            {footer}
          </footer>
        )}
      </PortalHost>
    </dialog>
  );
}

/** Opens and closes the element. Returns what hears that the browser closed it. */
function useOpenDialog(
  box: HTMLDialogElement | null,
  { isOpen, onClose }: Pick<Props, 'isOpen' | 'onClose'>,
): () => void {
  const closedHere = useRef(0);
  useEffect(() => {
    if (box === null) return;
    if (isOpen && !box.open) {
      box.showModal();
      // Otherwise the first button would have the focus, and say so with a tooltip.
      (box.querySelector<HTMLElement>('[data-autofocus]') ?? box).focus();
    }
    if (!isOpen && box.open) {
      closedHere.current++;
      box.close();
    }
  }, [isOpen, box]);
  // The browser reports each close a moment later. By then the dialog may have been opened again, which must not be undone.
  return () => {
    if (closedHere.current > 0) closedHere.current--;
    else onClose();
  };
}
