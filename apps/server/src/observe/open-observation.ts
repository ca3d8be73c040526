// Everything that observes the gateway: log lines, counters and, where configured, traces. Observers never affect its behaviour.

import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SessionLog } from '@codelab/protocol';
import type { Host, ToolDecorator } from '@codelab/runtime';
import type { Auth } from '../edge/auth/create-auth.ts';
import type { Gateway } from '../sessions/gateway.ts';
import { type LogLines, type LogOptions, noLines, openLogLines } from './log-lines.ts';
import { createLiveMetrics, type LiveMetrics } from './metrics/metric.ts';
import { createEventLogger, watchLog } from './watch-log.ts';
import { watchAuth, watchGateway } from './watch-peers.ts';

export type ObservationOptions = {
  env: NodeJS.ProcessEnv;
  /** Nothing is logged by default. */
  log?: LogOptions;
  secrets: readonly string[];
  /** Called in addition to the log lines. */
  onFault?(error: unknown): void;
};

type Observation = AsyncDisposable & {
  lines: LogLines;
  live: LiveMetrics;
  onFault(error: unknown): void;
  /** A notice for people, for example about recovery at the start. */
  onNotice(text: string): void;
  watchLog(log: SessionLog): SessionLog;
  /** The decorator for every tool of the host. */
  watchHost(host: Host): ToolDecorator;
  watchDoor(auth: Auth): Auth;
  watchGateway(gateway: Gateway): Gateway;
};

export async function openObservation({
  env,
  log,
  secrets,
  ...options
}: ObservationOptions): Promise<Observation> {
  const lines = log ? await openLogLines(log, { secrets, env }) : noLines;
  const live = createLiveMetrics();
  const onFault = (error: unknown): void => {
    lines.error({ err: describeFault(error) }, 'defect');
    options.onFault?.(error);
  };
  const teller = createEventLogger(lines);
  const tracing = await openTracing(env, { lines, live });
  const witnesses = [teller, ...(tracing ? [tracing.tracer] : [])];
  return {
    lines,
    live,
    onFault,
    onNotice: (text) => lines.warn({}, text),
    watchLog: (log) =>
      watchLog(log, {
        needsPast: tracing !== undefined,
        witness(witnessed) {
          for (const each of witnesses) each.witness(witnessed);
        },
        forget(session) {
          for (const each of witnesses) each.forget(session);
        },
        appended(ms, entries) {
          live.appendSeconds.observe(ms / 1000);
          live.entries.add({}, entries);
        },
        onFault,
      }),
    watchHost: (host) => tracing?.watchHost(host) ?? ((tool) => tool),
    watchDoor: (auth) => watchAuth(auth, { lines, refused: (reason) => live.refused.add({ reason }) }),
    watchGateway: (gateway) => watchGateway(gateway, lines),
    async [Symbol.asyncDispose]() {
      await tracing?.close();
      await lines.close();
    },
  };
}

async function openTracing(env: NodeJS.ProcessEnv, observed: { lines: LogLines; live: LiveMetrics }) {
  if (!Object.keys(env).some((name) => name.startsWith('OTEL_'))) return undefined;
  const { traceSettings } = await import('./tracing/trace-settings.ts');
  const settings = traceSettings(env);
  if (settings === undefined) return undefined;
  for (const problem of settings.problems) observed.lines.warn({}, problem);
  const { startTracing } = await import('./tracing/start-tracing.ts');
  return await startTracing(settings, observed);
}

function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) };
  const { name, message, stack = '' } = error;
  return { name, message: message.slice(0, 500), stack: stack.slice(0, 4000) };
}

// Returns the memory of a burst of work to the system. V8 keeps the pages its heap has grown to, and garbage that nothing is allocated
// after, for as long as the process is quiet: a gateway that served 500 sessions in the morning would be as large all day.
type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

const checkEveryMs = 5000;
/** A garbage collection stops everything for some 10 ms, so it runs only when it is worth that and nothing is waiting. */
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

// Only the flag gives access to the collector, and it applies to contexts made after it was set.
function findCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
