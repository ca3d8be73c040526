// A gateway in a separate process for the benches of many sessions: in trusted mode, so that no approval is needed. Prints its port, and on
// request its memory.
import { startGateway } from '@codelab/server/gateway';

const [root = '', home = '', token = ''] = process.argv.slice(2);
const running = await startGateway({
  compose: { workspace: root, home, mode: 'trusted', env: {} },
  port: 0,
  token,
  // One peer sends as fast as it can here; everywhere else it is rate-limited.
  socketLimits: { messagesPerSecond: 1e6, messageBurst: 1e6 },
  onFault: (error) => console.error(error),
});
process.on('message', () => process.send?.(process.memoryUsage().rss));
process.send?.(running.port);
process.once('disconnect', () => void running[Symbol.asyncDispose]().then(() => process.exit()));
