// A gateway in a process of its own for the benches of many sessions: in trusted mode, so that nobody has to answer. Says its port, and
// on request how much memory it holds.
import { startGateway } from '@codelab/server/gateway';

const [root = '', home = '', token = ''] = process.argv.slice(2);
const running = await startGateway({
  compose: { workspace: root, home, mode: 'trusted', env: {} },
  port: 0,
  token,
  // One peer asks as fast as it can here; everywhere else it is slowed down.
  socketLimits: { messagesPerSecond: 1e6, messageBurst: 1e6 },
  onFault: (error) => console.error(error),
});
process.on('message', () => process.send?.(process.memoryUsage().rss));
process.send?.(running.port);
process.once('disconnect', () => void running[Symbol.asyncDispose]().then(() => process.exit()));
