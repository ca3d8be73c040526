// Everything that looks on while the gateway works: log lines, counters and, where they are wanted, traces. None of it changes what happens.
import type { SessionLog } from '@codelab/protocol';
import type { Host, ToolDecorator } from '@codelab/runtime';
import type { Auth } from '../edge/auth/create-auth.ts';
import type { Gateway } from '../sessions/gateway.ts';
import { createLiveMetrics, type LiveMetrics } from './metrics/live-metrics.ts';
import { type LogLines, type LogOptions, noLines, openLogLines } from './open-log-lines.ts';
import { createEventTeller } from './tell-event.ts';
import { watchDoor } from './watch-door.ts';
import { watchGateway } from './watch-gateway.ts';
import { watchLog } from './watch-log.ts';

export type ObservationOptions = {
  env: NodeJS.ProcessEnv;
  /** Without it nothing is told. */
  log?: LogOptions;
  secrets: readonly string[];
  /** Told besides the log lines. */
  onFault?(error: unknown): void;
};

export type Observation = AsyncDisposable & {
  lines: LogLines;
  live: LiveMetrics;
  onFault(error: unknown): void;
  /** Something a person should know, such as what was recovered at the start. */
  onNotice(text: string): void;
  watchLog(log: SessionLog): SessionLog;
  /** What to put around every tool of the host. */
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
  const teller = createEventTeller(lines);
  const tracing = await openTracing(env, { lines, live });
  const witnesses = [teller, ...(tracing ? [tracing.tracer] : [])];
  return {
    lines,
    live,
    onFault,
    onNotice: (text) => lines.warn({}, text),
    watchLog: (own) =>
      watchLog(own, {
        needsPast: tracing !== undefined,
        witness(one) {
          for (const each of witnesses) each.witness(one);
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
    watchDoor: (auth) => watchDoor(auth, { lines, refused: (reason) => live.refused.add({ reason }) }),
    watchGateway: (gateway) => watchGateway(gateway, lines),
    async [Symbol.asyncDispose]() {
      await tracing?.close();
      await lines.close();
    },
  };
}

async function openTracing(env: NodeJS.ProcessEnv, seen: { lines: LogLines; live: LiveMetrics }) {
  const { traceSettings } = await import('./tracing/trace-settings.ts');
  const settings = traceSettings(env);
  if (settings === undefined) return undefined;
  for (const problem of settings.problems) seen.lines.warn({}, problem);
  const { startTracing } = await import('./tracing/start-tracing.ts');
  return await startTracing(settings, seen);
}

function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) };
  const { name, message, stack = '' } = error;
  return { name, message: message.slice(0, 500), stack: stack.slice(0, 4000) };
}
