// A host in a separate process that runs one command of a turn in review mode, until it is killed. Arguments: the folder with `work` and
// `home`, and the command. Prints a line after the command's first output.
import { workbench } from './workbench.ts';

const [, , folder = '', command = ''] = process.argv;
const bench = await workbench({ folder, mode: 'review' });
bench.host.progress.watch('s1', () => process.stdout.write('running\n'));
await bench.call('run_command', { command }, { session: 's1', id: 'killed', turn: 1 });
