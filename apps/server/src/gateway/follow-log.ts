// Notices what other processes append to the log. One watch for all sessions: with one for each, every entry would wake them all.
import { watch } from 'node:fs';
import type { Host } from '@codelab/runtime';

const soonestMs = 50;
/** Looking takes at most one part in so many of the time. */
const share = 20;

/** `onHeads` is told where every session stands, soon after anything has changed in the folder of the log. */
export function followLog(
  host: Host,
  {
    onHeads,
    onFault,
  }: { onHeads(heads: ReadonlyMap<string, number>): Promise<void>; onFault(error: unknown): void },
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let restMs = soonestMs;
  async function look(): Promise<void> {
    timer = undefined;
    const before = performance.now();
    const sessions = await host.log.sessions();
    await onHeads(new Map(sessions.map(({ id, head }) => [id, head.seq])));
    restMs = Math.max(soonestMs, (performance.now() - before) * share);
  }
  const watcher = watch(host.home, () => {
    timer ??= setTimeout(() => void look().catch(onFault), restMs);
  });
  watcher.on('error', onFault);
  return {
    [Symbol.dispose]() {
      watcher.close();
      clearTimeout(timer);
    },
  };
}
