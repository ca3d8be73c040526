// A terminal as a tab of the centre.
import type { ViewProps } from '../../view.ts';
import { useProcesses } from './process-store.ts';
import { TerminalPane } from './terminal-pane.tsx';
import { readSource } from './terminal-source.ts';

export function ProcessTerminalView({ param }: ViewProps) {
  const of = readSource(param);
  const command = useProcesses(({ processes = [], commands }) =>
    of.kind === 'process'
      ? processes.find(({ process_id }) => process_id === of.id)?.command
      : commands.find(({ call_id }) => call_id === of.call)?.command,
  );
  const name = of.kind === 'process' ? of.id : of.call;
  return <TerminalPane key={param} source={param} name={command ?? name} isTab />;
}
