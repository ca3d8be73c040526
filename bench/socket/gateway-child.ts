// A gateway in a separate process for the socket bench: prints its port, ends with its parent.
import { startGateway } from '@codelab/server/gateway';

const [root = '', home = '', token = ''] = process.argv.slice(2);
const running = await startGateway({
  compose: { workspace: root, home, env: {} },
  port: 0,
  token,
  // One peer sends as fast as it can here; everywhere else it is rate-limited.
  socketLimits: { messagesPerSecond: 1e6, messageBurst: 1e6 },
  onFault: (error) => console.error(error),
});
process.send?.(running.port);
process.once('disconnect', () => void running[Symbol.asyncDispose]().then(() => process.exit()));
