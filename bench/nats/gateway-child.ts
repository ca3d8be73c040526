// A gateway in a separate process for the bench of decisions: prints its address, and on request when decisions passed its edges. Ends with
// its parent.
import { startGateway } from '@codelab/server/gateway';
import { takeMarks, watchHops } from './hops.ts';

const [root = '', home = '', log = '', token = ''] = process.argv.slice(2);
watchHops();
const running = await startGateway({
  compose: { workspace: root, home, env: {}, log },
  port: 0,
  token,
  onFault: (error) => console.error(error),
});
process.on('message', () => process.send?.(takeMarks()));
process.send?.(running.url);
process.once('disconnect', () => void running[Symbol.asyncDispose]().then(() => process.exit()));
