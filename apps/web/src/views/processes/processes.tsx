// Running commands and processes as a list, and below it the terminal of the chosen one.
import type { ProcessEntry, RunningCommandEntry } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ViewTexts } from '../../text/en-views.ts';
import { relativeTime } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
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
  const text = useViewText();
  const words = text.processes;
  useFreshProcesses();
  const { processes, commands, problem } = useProcesses();
  const commandLines = commands.map((command) => commandLine(command, words));
  const processLines = (processes ?? []).map((process) => processLine(process, words));
  const all = [...commandLines, ...processLines];
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
          <Lines label={words.commands} lines={commandLines} chosen={shown.source} onChoose={choose} />
          <Lines label={words.processes} lines={processLines} chosen={shown.source} onChoose={choose} />
        </div>
      )}
      <div className="min-h-0 flex-1">
        <TerminalPane key={shown.source} source={shown.source} name={shown.name} />
      </div>
    </section>
  );
}

type Words = ViewTexts['processes'];

function commandLine({ session, call_id, command, started_at }: RunningCommandEntry, words: Words): Line {
  return {
    source: spellSource({ kind: 'command', session, call: call_id }),
    name: command,
    command,
    startedAt: Date.parse(started_at),
    isRunning: true,
    note: words.running,
  };
}

function processLine(process: ProcessEntry, words: Words): Line {
  const { process_id: id, command, status, exit_code: code, started_at } = process;
  const isRunning = status === 'running';
  const ended = code === null ? words.ended : words.exited(code);
  return {
    source: spellSource({ kind: 'process', id }),
    name: id,
    command,
    startedAt: new Date(started_at).getTime(),
    isRunning,
    note: isRunning ? words.running : ended,
  };
}

/** The line that somebody chose, else the first; it stays on the screen when it has ended, until there is another to show. */
function useShown(all: readonly Line[]): [Line | undefined, (line: Line) => void] {
  const [last, setLast] = useState<{ line: Line; isChosen: boolean } | undefined>();
  const first = all[0];
  const isThere = all.some(({ source }) => source === last?.line.source);
  const shown = last !== undefined && (isThere || last.isChosen || first === undefined) ? last.line : first;
  useEffect(() => {
    if (shown !== undefined && shown.source !== last?.line.source) setLast({ line: shown, isChosen: false });
  }, [shown, last]);
  return [shown, (line) => setLast({ line, isChosen: true })];
}

type LinesProps = { label: string; lines: readonly Line[]; chosen: string; onChoose(line: Line): void };

function Lines({ label, lines, chosen, onChoose }: LinesProps) {
  const words = useViewText().processes;
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
