// A host in a separate process that runs a script of the workspace unasked, until it is killed. Argument: the folder with `work` and
// `home`. Prints a line when the script does.
import { workbench } from './workbench.ts';

const bench = await workbench({ folder: process.argv[2] ?? '', mode: 'trusted' });
const session = 'host';
bench.host.progress.watch(session, () => process.stdout.write('running\n'));
await bench.call('run_command', { command: 'sh script.sh' }, { session, id: 'planting' });
