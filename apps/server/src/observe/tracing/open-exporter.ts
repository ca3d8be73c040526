// Hands spans to OpenTelemetry's own exporter, in batches and in the background. A collector that is not there costs nothing but spans.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { LogLines } from '../log-lines.ts';
import { readTraceparent } from './read-traceparent.ts';
import type { SpanSink, TraceSpan } from './span.ts';
import type { TraceSettings } from './trace-settings.ts';

export type Exporter = AsyncDisposable & { sink: SpanSink };

export type ExportWatch = { lines: LogLines; sent(spans: number, isOk: boolean): void };

/** Time for the last export when the gateway ends; later spans are lost. */
const closeMs = 2000;
const maxAttributeChars = 500;

export async function openExporter(settings: TraceSettings, watch: ExportWatch): Promise<Exporter> {
  const [{ BatchSpanProcessor, SamplingDecision, TracerProvider, ...sdk }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const { sampling } = settings;
  const part = new sdk.TraceIdRatioBasedSampler(sampling.kind === 'part' ? sampling.ratio : 1);
  const isWanted = (traceId: string): boolean =>
    sampling.kind !== 'none' &&
    part.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  const exporter = reportingExporter(new OTLPTraceExporter({ url: settings.url }), watch);
  const next = { traceId: '', spanId: '' };
  const envResource = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'codelab' }).merge(envResource),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...settings.batch })],
    spanLimits: { attributeValueLengthLimit: maxAttributeChars },
    sampler: new sdk.AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
  });
  const tracer = provider.getTracer('codelab');
  return {
    sink(span) {
      if (!isWanted(span.traceId)) return;
      next.traceId = span.traceId;
      next.spanId = span.spanId;
      const otelSpan = tracer.startSpan(
        span.name,
        {
          kind: SpanKind.INTERNAL,
          startTime: new Date(span.start),
          attributes: span.attributes,
          links: linksOf(span),
        },
        parentOf(span),
      );
      if (span.isError) otelSpan.setStatus({ code: SpanStatusCode.ERROR });
      otelSpan.end(new Date(span.end));
    },
    async [Symbol.asyncDispose]() {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeMs);
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  };
}

function parentOf({ traceId, parentId }: TraceSpan) {
  if (parentId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED });
}

function linksOf({ cause }: TraceSpan) {
  const found = cause === undefined ? undefined : readTraceparent(cause);
  if (found === undefined) return [];
  const { traceId, spanId, isSampled } = found;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return [{ context: { traceId, spanId, traceFlags, isRemote: true } }];
}

/** Logs once that the collector is gone, and once that it is back. */
function reportingExporter(exporter: SpanExporter, { lines, sent }: ExportWatch): SpanExporter {
  let isOk = true;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const isDelivered = result.code === 0;
        sent(spans.length, isDelivered);
        if (isDelivered !== isOk)
          if (isDelivered) lines.info({}, 'traces are delivered again');
          else lines.warn({ code: codeOf(result.error) }, 'traces can not be delivered');
        isOk = isDelivered;
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  };
}

function codeOf(error: Error | undefined): string {
  return error !== undefined && 'code' in error ? String(error.code) : (error?.name ?? 'unknown');
}
