// A terminal that somebody types into. Its code is loaded when the first one is shown.
import { ApiError } from '@codelab/client';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';
import type { OpenTerminal } from '../processes/mount-terminal.ts';
import { closeTerminal, drop, isOpenedHere } from './terminal-store.ts';

type Props = { session: string; id: string; label: string };

export function TerminalScreen({ session, id, label }: Props) {
  const words = useViewText().terminals;
  const { box, state, isCut, exit } = useTerminal({ session, id, label });
  return (
    <div className="relative flex h-full min-h-0 flex-col bg-sunken">
      {isCut && <p className="px-2 pt-1 text-tiny text-muted">{words.dropped}</p>}
      {state === 'loading' && (
        <div className="p-3">
          <Spinner label={words.name} />
        </div>
      )}
      <section ref={box} aria-label={label} className="min-h-0 flex-1 overflow-hidden px-2 py-1" />
      {(exit !== undefined || state === 'gone') && (
        <div
          role="status"
          className="flex items-center gap-2 border-t border-line bg-surface px-2 py-1 text-small"
        >
          <span className="flex-1">{exit === undefined ? words.gone : words.exited(exit)}</span>
          <Button size="small" onClick={() => (exit === undefined ? drop(id) : void closeTerminal(id))}>
            {words.close}
          </Button>
        </div>
      )}
    </div>
  );
}

function useTerminal({ session, id, label }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'open' | 'gone'>('loading');
  const [isCut, setIsCut] = useState(false);
  const [exit, setExit] = useState<number | undefined>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const start = async (): Promise<void> => {
      const { mountTerminal } = await import('../processes/mount-terminal.ts');
      if (signal.aborted || box.current === null) return;
      let isLive = false;
      const type = createTyping({ session, id });
      const resize = debounced((size: { cols: number; rows: number }) => {
        if (!signal.aborted) api.terminals.resize(session, id, size).catch(() => undefined);
      });
      // Replayed output may hold queries to the terminal, which were answered the first time.
      const onInput = (text: string): void => (isLive ? type(text) : undefined);
      const screen = mountTerminal(box.current, label, { onInput, onSize: resize });
      signal.addEventListener('abort', () => screen.close());
      setState('open');
      screen.focus();
      await followTerminal({ session, id }, screen, {
        isFresh: isOpenedHere(id),
        signal,
        onLive: () => {
          isLive = true;
        },
        onDropped: () => setIsCut(true),
        onExit: (code) => (code === 0 ? void closeTerminal(id) : setExit(code ?? -1)),
        onGone: () => setState('gone'),
      });
    };
    start().catch(toastError);
    return () => ending.abort();
  }, [session, id, label]);
  return { box, state, isCut, exit };
}

const settleMs = 100;

function debounced<T>(act: (value: T) => void): (value: T) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(value), settleMs);
  };
}

// Between the screen of a terminal and its shell on the gateway: what is printed is asked for no faster than it is drawn, so that a program
// that prints without end waits; what is typed is sent in order.
type Place = { session: string; id: string };
type Hear = {
  /** The earlier output is on the screen; from now on answers of the terminal go to the program. */
  onLive(): void;
  onDropped(): void;
  onExit(code: number | null): void;
  /** The gateway does not know it any more. */
  onGone(): void;
};

const waitMs = 25_000;
const retryMs = 1000;

async function followTerminal(
  place: Place,
  screen: OpenTerminal,
  { isFresh, signal, ...hear }: Hear & { isFresh: boolean; signal: AbortSignal },
): Promise<void> {
  const decoder = new TextDecoder();
  let isLive = isFresh;
  if (isLive) hear.onLive();
  for (let cursor = 0; !signal.aborted; ) {
    try {
      await untilSeen(signal);
      const answer = await api.terminals.output(place.session, place.id, {
        cursor,
        waitMs: isLive ? waitMs : 0,
        signal,
      });
      if (answer.dropped > 0) hear.onDropped();
      cursor = answer.cursor;
      if (answer.output !== '') {
        await screen.write(decoder.decode(bytesOf(answer.output), { stream: true }));
        await nextFrame();
      } else if (answer.status === 'exited') {
        hear.onExit(answer.exit_code);
        return;
      } else if (!isLive) {
        isLive = true;
        hear.onLive();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) {
        hear.onGone();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

const partChars = 16_384;

/** Input that could not be sent is not sent later: nobody would expect it any more. */
function createTyping({ session, id }: Place): (text: string) => void {
  let waiting = '';
  let isSending = false;
  async function send(): Promise<void> {
    isSending = true;
    try {
      while (waiting !== '') {
        const part = wholeCharacters(waiting.slice(0, partChars));
        waiting = waiting.slice(part.length);
        await api.terminals.input(session, id, part);
      }
    } catch (error) {
      waiting = '';
      toastError(error);
    } finally {
      isSending = false;
    }
  }
  return (text) => {
    waiting += text;
    if (!isSending) void send();
  };
}

function wholeCharacters(text: string): string {
  return text.length > 1 && /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    // A page in the background has no frames.
    setTimeout(resolve, 100);
  });
}

/** A page that nobody sees holds no connection open: a browser has only a few. */
function untilSeen(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible' || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      document.removeEventListener('visibilitychange', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    document.addEventListener('visibilitychange', end);
    signal.addEventListener('abort', end);
  });
}
