// Whether and where traces are sent, by the standard OpenTelemetry variables:
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/

type Sampling = { kind: 'all' } | { kind: 'none' } | { kind: 'part'; ratio: number };

export type TraceSettings = {
  url: string;
  sampling: Sampling;
  batch: {
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
    maxQueueSize: number;
    maxExportBatchSize: number;
  };
  /** Settings that are not supported, as messages for people. */
  problems: string[];
};

const defaultEndpoint = 'http://localhost:4318';

/** Undefined when no traces are configured. */
export function traceSettings(env: NodeJS.ProcessEnv): TraceSettings | undefined {
  const exporters = (env.OTEL_TRACES_EXPORTER ?? '')
    .split(',')
    .flatMap((part) => part.trim().toLowerCase() || []);
  const tracesUrl = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  if (exporters.length === 0 ? !tracesUrl && !common : !exporters.includes('otlp')) return undefined;
  const problems: string[] = [];
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && protocol !== 'http/json')
    problems.push(`OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} is not supported; http/json is used.`);
  const url = tracesUrl || `${(common || defaultEndpoint).replace(/\/+$/, '')}/v1/traces`;
  if (!URL.canParse(url)) {
    problems.push('The endpoint of the traces is no address, so none are sent.');
    return { url: '', sampling: { kind: 'none' }, batch: batchOf(env), problems };
  }
  return { url, sampling: samplingOf(env, problems), batch: batchOf(env), problems };
}

function samplingOf(env: NodeJS.ProcessEnv, problems: string[]): Sampling {
  const name = (env.OTEL_TRACES_SAMPLER ?? '').toLowerCase();
  switch (name.replace(/^parentbased_/, '')) {
    case '':
    case 'always_on':
      return { kind: 'all' };
    case 'always_off':
      return { kind: 'none' };
    case 'traceidratio': {
      const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG ?? '1');
      if (ratio >= 0 && ratio <= 1) return { kind: 'part', ratio };
      problems.push('OTEL_TRACES_SAMPLER_ARG must be from 0 to 1; everything is traced.');
      return { kind: 'all' };
    }
    default:
      problems.push(`OTEL_TRACES_SAMPLER=${name} is not known; everything is traced.`);
      return { kind: 'all' };
  }
}

function batchOf(env: NodeJS.ProcessEnv): TraceSettings['batch'] {
  const maxQueueSize = positive(env.OTEL_BSP_MAX_QUEUE_SIZE, 8192);
  return {
    scheduledDelayMillis: positive(env.OTEL_BSP_SCHEDULE_DELAY, 5000),
    exportTimeoutMillis: positive(env.OTEL_BSP_EXPORT_TIMEOUT, 30_000),
    maxQueueSize,
    maxExportBatchSize: Math.min(positive(env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512), maxQueueSize),
  };
}

function positive(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}
