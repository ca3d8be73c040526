// Connects tracing: the log's entries in, spans out to the collector.
import type { Host, ToolDecorator } from '@codelab/runtime';
import type { LogLines } from '../log-lines.ts';
import type { LiveMetrics } from '../metrics/metric.ts';
import { openExporter } from './open-exporter.ts';
import { createStepClock } from './step-times.ts';
import { createSessionTracer, type SessionTracer } from './trace-sessions.ts';
import type { TraceSettings } from './trace-settings.ts';

export type Tracing = {
  tracer: SessionTracer;
  /** The decorator for every tool of the host. */
  watchHost(host: Host): ToolDecorator;
  close(): Promise<void>;
};

export async function startTracing(
  settings: TraceSettings,
  { lines, live }: { lines: LogLines; live: LiveMetrics },
): Promise<Tracing> {
  const exporter = await openExporter(settings, {
    lines,
    sent: (spans, isOk) => live.spans.add({ result: isOk ? 'sent' : 'lost' }, spans),
  });
  const clock = createStepClock();
  let host: Host | undefined;
  const tracer = createSessionTracer({
    sink: exporter.sink,
    kindOf: (tool) =>
      host?.tools.get(tool)?.kind ?? (tool.startsWith('mcp:') ? host?.foreign?.kind : undefined) ?? 'none',
    takeTimes: clock.take,
  });
  return {
    tracer,
    watchHost(baseHost) {
      host = baseHost;
      return clock.timed;
    },
    close: async () => await exporter[Symbol.asyncDispose](),
  };
}
