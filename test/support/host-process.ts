// A host in a separate process with a supervised process and a running command, until it is killed. Argument: the folder with `work` and
// `home`. Prints a line when both run.
import { approveAll, workbench } from './workbench.ts';

const bench = await workbench({ folder: process.argv[2] ?? '' });
bench.human(approveAll, 'host');
const session = 'host';
await bench.call(
  'run_persistent',
  { command: 'setsid sleep 600 & echo ready; sleep 600', process_id: 'p', ready_pattern: 'ready' },
  { session, id: 'supervised' },
);
bench.host.progress.watch(session, () => process.stdout.write('running\n'));
await bench.call('run_command', { command: 'echo up | tee up.txt; sleep 600' }, { session, id: 'command' });
