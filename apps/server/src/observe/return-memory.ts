// Returns the memory of a burst of work to the system. V8 keeps the pages its heap has grown to, and garbage that nothing is allocated
// after, for as long as the process is quiet: a gateway that served 500 sessions in the morning would be as large all day.
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

const checkEveryMs = 5000;
/** A collection stops everything for some 10 ms: it has to be worth it, and nobody may be waiting. */
const worthwhileBytes = 32 * 1024 * 1024;
const quietShareOfCore = 0.1;

export function returnMemoryWhenQuiet(onFault: (error: unknown) => void): Disposable {
  let collect: Collect | undefined;
  let sizeAfterLast = memoryUsage().heapTotal;
  let busyBefore = process.cpuUsage();

  async function check(): Promise<void> {
    const { user, system } = process.cpuUsage(busyBefore);
    busyBefore = process.cpuUsage();
    const isQuiet = (user + system) / 1000 < checkEveryMs * quietShareOfCore;
    if (!isQuiet || memoryUsage().heapTotal < sizeAfterLast + worthwhileBytes) return;
    collect ??= findCollector();
    await collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
    sizeAfterLast = memoryUsage().heapTotal;
  }

  const timer = setInterval(() => void check().catch(onFault), checkEveryMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

// There is no other way to ask for a collection than the flag, which counts for contexts made after it was set.
function findCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
