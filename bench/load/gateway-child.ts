// A gateway in a separate process for the load bench: prints its port, and on request its memory and the delay of its event loop. Its model
// streams a number of words, one every 20 ms.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Model } from '@codelab/agent';
import { startGateway } from '@codelab/server/gateway';

const [root = '', home = '', token = '', words = '0'] = process.argv.slice(2);
const tokenMs = 20;

const model: Model = {
  name: 'speaks',
  contextTokens: 100_000,
  async *stream(_request, signal) {
    const began = performance.now();
    let text = '';
    for (let i = 0; i < Number(words); i++) {
      await wait(began + i * tokenMs - performance.now());
      signal.throwIfAborted();
      const delta = `w${i} `;
      text += delta;
      yield { type: 'text', delta };
    }
    const usage = { inputTokens: 0, outputTokens: 0 };
    yield { type: 'reply', reply: { model: 'speaks', text, calls: [], usage, stop: 'end' } };
  },
};

const running = await startGateway({
  compose: { workspace: root, home, env: {} },
  port: 0,
  token,
  openModel: async () => model,
  onFault: (error) => console.error(error),
});
let cpu = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: 5 });

process.on('message', (question) => {
  if (question === 'watch') {
    cpu = process.cpuUsage();
    delay.reset();
    delay.enable();
    process.send?.({ isWatching: true });
    return;
  }
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1000;
  process.send?.({
    rss,
    heapUsed,
    cpuMs,
    sockets: running.sockets.count,
    delayP99Ms: delay.percentile(99) / 1e6,
  });
});
process.send?.(running.port);
process.once('disconnect', () => void running[Symbol.asyncDispose]().then(() => process.exit()));

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
