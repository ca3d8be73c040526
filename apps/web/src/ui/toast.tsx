// Short messages at the edge of the screen: `toast(...)` from anywhere, `<Toasts />` once. Announced to screen readers, without taking the
// focus.
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { create } from 'zustand';
import { errorMessage } from '../error-help.ts';
import { currentText, useText } from '../text/use-text.ts';
import { Button, IconButton } from './button.tsx';

type Tone = 'good' | 'bad';
type Action = { label: string; run(): void };
type Shown = {
  id: number;
  tone: Tone;
  message: string;
  detail: string | undefined;
  action: Action | undefined;
};

const useToasts = create<{ shown: readonly Shown[] }>(() => ({ shown: [] }));
const mostShown = 4;
let lastId = 0;

export function toast(
  message: string,
  { tone = 'good', detail, action }: { tone?: Tone; detail?: string; action?: Action } = {},
): void {
  const id = ++lastId;
  useToasts.setState(({ shown }) => ({
    shown: [...shown, { id, tone, message, detail, action }].slice(-mostShown),
  }));
  setTimeout(() => dismiss(id), tone === 'bad' || action !== undefined ? 12_000 : 5_000);
}

/** For whatever was thrown: what happened, and its code where it has one. */
export function toastError(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  toast(errorMessage(error, currentText()), { tone: 'bad', ...(code !== undefined && { detail: code }) });
}

function dismiss(id: number): void {
  useToasts.setState(({ shown }) => ({ shown: shown.filter((other) => other.id !== id) }));
}

export function Toasts() {
  const shown = useToasts((state) => state.shown);
  const text = useText();
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-16 z-50 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 two:bottom-4"
    >
      {shown.map(({ id, tone, message, detail, action }) => {
        const Icon = tone === 'good' ? CircleCheck : CircleAlert;
        return (
          <div
            key={id}
            className="pointer-events-auto flex items-start gap-2 rounded-large border border-line bg-raised p-2.5 shadow-floating"
          >
            <Icon
              aria-hidden
              className={`mt-0.5 size-4 shrink-0 ${tone === 'good' ? 'text-good' : 'text-bad'}`}
            />
            <div className="min-w-0 flex-1 wrap-anywhere">
              {message}
              {detail !== undefined && <div className="font-mono text-tiny text-muted">{detail}</div>}
            </div>
            {action !== undefined && (
              <Button
                size="small"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton size="small" icon={X} label={text.ui.close} onClick={() => dismiss(id)} />
          </div>
        );
      })}
    </div>
  );
}
