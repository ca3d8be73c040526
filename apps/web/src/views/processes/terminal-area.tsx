// The output of one source in a terminal; its code is loaded when the first one is shown.
import { useEffect, useRef, useState } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';
import { followOutput } from './follow-output.ts';
import { readSource } from './terminal-source.ts';

export type TerminalStatus = { status: 'running' | 'exited' | 'gone'; exitCode: number | null };
type Props = { source: string; label: string; onStanding(standing: TerminalStatus): void };

export function TerminalArea({ source, label, onStanding }: Props) {
  const text = useViewText();
  const box = useRef<HTMLDivElement>(null);
  const tell = useRef(onStanding);
  tell.current = onStanding;
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const start = async (): Promise<void> => {
      const { mountTerminal } = await import('./mount-terminal.ts');
      if (signal.aborted || box.current === null) return;
      const terminal = mountTerminal(box.current, label);
      signal.addEventListener('abort', () => terminal.close());
      setIsOpen(true);
      await followOutput(
        readSource(source),
        {
          onOutput: (output, isFresh) => (isFresh ? terminal.clear() : void terminal.write(output)),
          onDropped: () => setIsCut(true),
          onStatus: (status, exitCode) => tell.current({ status, exitCode }),
        },
        signal,
      );
    };
    start().catch(toastError);
    return () => ending.abort();
  }, [source, label]);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-sunken">
      {isCut && <p className="px-2 pt-1 text-tiny text-muted">{text.processes.dropped}</p>}
      {!isOpen && (
        <div className="p-3">
          <Spinner label={text.frame.loading} />
        </div>
      )}
      <section ref={box} aria-label={label} className="min-h-0 flex-1 overflow-hidden px-2 py-1" />
    </div>
  );
}
