// What runs: a list, and below it the terminal of the one that is chosen.
import { visibleLine } from '@codelab/protocol';
import { SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { relativeTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { useFreshProcesses, useProcesses } from './process-store.ts';
import { TerminalPane } from './terminal-pane.tsx';
import { spellSource } from './terminal-source.ts';

type Line = {
  source: string;
  name: string;
  command: string;
  startedAt: number;
  isRunning: boolean;
  note: string;
};

export function ProcessesView() {
  const text = useText();
  const words = text.processes;
  useFreshProcesses();
  const { processes, commands, problem } = useProcesses();
  const running = commands.map(({ session, call_id, command, started_at }): Line => {
    const source = spellSource({ kind: 'command', session, call: call_id });
    return {
      source,
      name: command,
      command,
      startedAt: Date.parse(started_at),
      isRunning: true,
      note: words.running,
    };
  });
  const kept = (processes ?? []).map((one): Line => {
    const isRunning = one.status === 'running';
    const note = isRunning
      ? words.running
      : one.exit_code === null
        ? words.ended
        : words.exited(one.exit_code);
    const source = spellSource({ kind: 'process', id: one.process_id });
    const startedAt = new Date(one.started_at).getTime();
    return { source, name: one.process_id, command: one.command, startedAt, isRunning, note };
  });
  const all = [...running, ...kept];
  const [shown, choose] = useShown(all);
  if (problem !== '') return <p className="p-3 text-bad">{problem}</p>;
  if (processes === undefined)
    return (
      <div className="p-4">
        <Spinner label={text.frame.loading} />
      </div>
    );
  if (shown === undefined)
    return <EmptyState icon={SquareTerminal} title={words.none} hint={words.noneHint} />;
  return (
    <section aria-label={words.name} className="flex h-full min-h-0 flex-col">
      {all.length > 0 && (
        <div className="max-h-[35%] shrink-0 overflow-auto border-b border-line p-2">
          <Lines label={words.commands} lines={running} chosen={shown.source} onChoose={choose} />
          <Lines label={words.processes} lines={kept} chosen={shown.source} onChoose={choose} />
        </div>
      )}
      <div className="min-h-0 flex-1">
        <TerminalPane key={shown.source} source={shown.source} name={shown.name} />
      </div>
    </section>
  );
}

/** What was chosen by hand, else the first; it stays on the screen when it has ended, until there is another to show. */
function useShown(all: readonly Line[]): [Line | undefined, (line: Line) => void] {
  const [kept, setKept] = useState<{ line: Line; isByHand: boolean } | undefined>();
  const first = all[0];
  const isThere = all.some(({ source }) => source === kept?.line.source);
  const shown = kept !== undefined && (isThere || kept.isByHand || first === undefined) ? kept.line : first;
  useEffect(() => {
    if (shown !== undefined && shown.source !== kept?.line.source) setKept({ line: shown, isByHand: false });
  }, [shown, kept]);
  return [shown, (line) => setKept({ line, isByHand: true })];
}

type LinesProps = { label: string; lines: readonly Line[]; chosen: string; onChoose(line: Line): void };

function Lines({ label, lines, chosen, onChoose }: LinesProps) {
  const words = useText().processes;
  if (lines.length === 0) return null;
  return (
    <>
      <h3 className="px-1 pb-1 text-tiny font-semibold text-muted">{label}</h3>
      <ul className="flex flex-col gap-0.5 pb-2">
        {lines.map((line) => (
          <li key={line.source}>
            <button
              type="button"
              title={words.show(visibleLine(line.name))}
              aria-pressed={line.source === chosen}
              onClick={() => onChoose(line)}
              className={cx(
                'flex w-full items-center gap-2 rounded-base px-2 py-1 text-left',
                line.source === chosen ? 'bg-selected' : 'hover:bg-hover',
              )}
            >
              <span
                aria-hidden
                className={cx('size-2 shrink-0 rounded-full', line.isRunning ? 'bg-good' : 'bg-line-strong')}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-mono text-small">{visibleLine(line.name)}</span>
                <span className="block truncate text-tiny text-muted">
                  {line.note} · {relativeTime(line.startedAt)}
                  {line.name !== line.command && ` · ${visibleLine(line.command)}`}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
