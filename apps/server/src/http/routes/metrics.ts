// What a Prometheus server asks for: calls by tool and status, what waits, sessions, models' tokens and how late the event loop is.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../gateway/gateway.ts';
import type { UsageBook } from '../llm/usage-book.ts';
import { gauge, metricText, type Sample } from '../metrics/metric-text.ts';
import { createTally } from '../metrics/tally.ts';

export function metricsRoutes(app: FastifyInstance, gateway: Gateway, { usage }: { usage: UsageBook }): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook('onClose', async () => void delay.disable());
  const tally = createTally(gateway.host);
  const about = { summary: 'Counters in Prometheus’ text form', streams: ['text/plain'] };
  app.get('/metrics', { config: { about } }, async ({ peer }, reply) => {
    if (!peer.isOperator)
      throw new ToolError('PERMISSION_DENIED', 'Only the token of the gateway itself opens this.');
    const { calls, waiting, sessions } = await tally.read();
    const seconds = (ns: number): number => (Number.isFinite(ns) ? ns / 1e9 : 0);
    const text = [
      metricText('codelab_calls_total', 'counter', 'Calls that ended since the gateway started', calls),
      gauge('codelab_approvals_waiting', 'Approvals that wait for a human', waiting),
      gauge('codelab_sessions', 'Sessions in the log', sessions),
      metricText('codelab_llm_tokens_total', 'counter', 'Tokens through the LLM proxy', tokens(usage)),
      metricText('codelab_llm_requests_total', 'counter', 'Requests through the LLM proxy', requests(usage)),
      metricText('codelab_event_loop_delay_seconds', 'gauge', 'Since the last scrape', [
        { labels: { quantile: '0.5' }, value: seconds(delay.percentile(50)) },
        { labels: { quantile: '0.99' }, value: seconds(delay.percentile(99)) },
        { labels: { quantile: '1' }, value: seconds(delay.max) },
      ]),
      gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
    ].join('');
    delay.reset();
    return await reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}

function tokens(usage: UsageBook): Sample[] {
  return usage.total().flatMap(({ model, used }) => [
    { labels: { model, direction: 'input' }, value: used.inputTokens },
    { labels: { model, direction: 'output' }, value: used.outputTokens },
  ]);
}

function requests(usage: UsageBook): Sample[] {
  return usage.total().map(({ model, used }) => ({ labels: { model }, value: used.requests }));
}
