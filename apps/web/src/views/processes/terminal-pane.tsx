// A process or command: its state, its output, and buttons that stop or restart it.
import { visibleLine } from '@codelab/protocol';
import { Maximize2, RotateCcw, Square } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { ProcessInput } from './process-input.tsx';
import { readProcesses } from './process-store.ts';
import { TerminalArea, type TerminalStatus } from './terminal-area.tsx';
import { readSource, type TerminalSource } from './terminal-source.ts';

type Props = { source: string; name: string; isTab?: boolean };

export function TerminalPane({ source, name, isTab = false }: Props) {
  const words = useViewText().processes;
  const [standing, setStanding] = useState<TerminalStatus | undefined>();
  const of = readSource(source);
  const isRunning = standing?.status === 'running';
  const shown = visibleLine(name);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-2 py-1">
        <span className="min-w-0 flex-1 truncate font-mono text-small" title={shown}>
          {shown}
        </span>
        <StandingBadge standing={standing} />
        {!isTab && (
          <IconButton
            size="small"
            icon={Maximize2}
            label={words.openTab}
            onClick={() => showView('terminal', source, shown)}
          />
        )}
        <Acts of={of} isRunning={isRunning} name={shown} />
      </header>
      <TerminalArea source={source} label={words.output(shown)} onStanding={setStanding} />
      {of.kind === 'process' && isRunning && <ProcessInput id={of.id} />}
    </div>
  );
}

function StandingBadge({ standing }: { standing: TerminalStatus | undefined }) {
  const words = useViewText().processes;
  if (standing === undefined) return null;
  if (standing.status === 'running') return <Badge tone="good">{words.running}</Badge>;
  const { exitCode } = standing;
  return (
    <Badge tone={exitCode === null || exitCode === 0 ? 'plain' : 'warn'}>
      {exitCode === null ? words.ended : words.exited(exitCode)}
    </Badge>
  );
}

function Acts({ of, isRunning, name }: { of: TerminalSource; isRunning: boolean; name: string }) {
  const words = useViewText().processes;
  const [isBusy, setIsBusy] = useState(false);
  const act = (work: () => Promise<unknown>) => (): void => {
    setIsBusy(true);
    work()
      .catch(toastError)
      .finally(() => {
        setIsBusy(false);
        void readProcesses();
      });
  };
  const stop = (): Promise<unknown> =>
    of.kind === 'process' ? api.processes.stop(of.id) : api.processes.stopCommand(of.session, of.call);
  return (
    <>
      {isRunning && (
        <Button
          size="small"
          tone="danger"
          disabled={isBusy}
          aria-label={words.stopOne(name)}
          icon={<Square aria-hidden className="size-3" />}
          onClick={act(stop)}
        >
          {words.stop}
        </Button>
      )}
      {of.kind === 'process' && (
        <IconButton
          size="small"
          icon={RotateCcw}
          label={words.restartOne(name)}
          disabled={isBusy}
          onClick={act(() => api.processes.restart(of.id))}
        />
      )}
    </>
  );
}
