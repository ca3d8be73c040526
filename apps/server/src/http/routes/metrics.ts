// The metrics for a Prometheus server: requests, sockets, turns, models, calls, pending approvals, and the state of the process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gatewayRoutes } from '@codelab/api';
import { type LogServers, ToolError } from '@codelab/protocol';
import type { LaneState } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Cluster } from '../../cluster/cluster.ts';
import type { LiveMetrics } from '../../observe/metrics/metric.ts';
import {
  createCounter,
  createFewNames,
  gauge,
  histogramText,
  metricText,
  processMetrics,
  type Sample,
} from '../../observe/metrics/metric.ts';
import { createMetricsTally, type MetricTotals } from '../../observe/metrics/tally.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import type { UsageBook } from '../llm/usage-book.ts';
import { serveRoute } from '../route.ts';

export type MetricsSources = { usage: UsageBook; live: LiveMetrics; cluster?: Cluster | undefined };

export function serveMetrics(app: FastifyInstance, gateway: Gateway, sources: MetricsSources): void {
  const { usage, live, cluster } = sources;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook('onClose', async () => void delay.disable());
  const tally = createMetricsTally(gateway.host, live.startedAt);
  const modelName = createFewNames();
  serveRoute(app, gatewayRoutes.metrics, async ({ peer, reply }) => {
    if (!peer.isOperator)
      throw new ToolError('PERMISSION_DENIED', 'This needs the token of the gateway itself.');
    const text = [
      loggedText(await tally.read()),
      liveText(live),
      serversText(gateway.host.log.servers),
      clusterText(cluster),
      lanesText(gateway.host.scheduler.state()),
      proxyText(usage, modelName),
      processMetrics(delay),
    ].join('');
    delay.reset();
    return await reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}

function loggedText({ counts, waiting, turnsOpen, sessions }: MetricTotals): string {
  return [
    metricText(
      'codelab_calls_total',
      'counter',
      'Calls that ended since the gateway started',
      counts.calls.all(),
    ),
    histogramText('codelab_call_seconds', 'From the start of a call to its outcome', counts.callSeconds),
    gauge('codelab_approvals_waiting', 'Approvals that are pending', waiting),
    metricText(
      'codelab_approvals_total',
      'counter',
      'Approvals that were decided or expired',
      counts.decisions.all(),
    ),
    histogramText(
      'codelab_approval_wait_seconds',
      'Time from an approval request to its answer',
      counts.approvalSeconds,
    ),
    gauge('codelab_sessions', 'Sessions in the log', sessions),
    gauge('codelab_turns_open', 'Turns that are running, including those of sub-agents', turnsOpen),
    metricText('codelab_turns_total', 'counter', 'Turns that ended, by result', counts.turns.all()),
    histogramText(
      'codelab_turn_seconds',
      'Time from the message of the user to the end of the turn',
      counts.turnSeconds,
    ),
    metricText('codelab_model_replies_total', 'counter', 'Replies of models in turns', counts.replies.all()),
    metricText('codelab_model_tokens_total', 'counter', 'Tokens of models in turns', counts.tokens.all()),
    histogramText(
      'codelab_model_reply_seconds',
      'Duration of a reply, including retries',
      counts.replySeconds,
    ),
  ].join('');
}

function liveText(live: LiveMetrics): string {
  return [
    metricText('codelab_http_requests_total', 'counter', 'Requests that were answered', live.requests.all()),
    histogramText('codelab_http_request_seconds', 'Without event streams', live.requestSeconds),
    gauge('codelab_http_requests_under_way', 'Requests in progress', live.requestsUnderWay),
    metricText('codelab_doors_refused_total', 'counter', 'Rejected requests and sockets', live.refused.all()),
    gauge('codelab_sockets', 'WebSockets that are open', live.sockets()),
    histogramText('codelab_log_append_seconds', 'Duration of an append to the log', live.appendSeconds),
    metricText('codelab_log_entries_total', 'counter', 'Entries this gateway appended', live.entries.all()),
    metricText('codelab_trace_spans_total', 'counter', 'Spans that were exported, or lost', live.spans.all()),
  ].join('');
}

function serversText(servers: LogServers | undefined): string {
  if (servers === undefined) return '';
  const conflicts = [{ value: servers.conflicts }];
  return [
    gauge('codelab_log_connected', 'Whether the servers of the log answer', servers.isConnected() ? 1 : 0),
    gauge('codelab_log_lag_messages', 'Appends of all gateways not known here yet', servers.lag),
    metricText('codelab_log_conflicts_total', 'counter', 'Appends that lost to another writer', conflicts),
  ].join('');
}

function clusterText(cluster: Cluster | undefined): string {
  if (cluster === undefined) return '';
  const { nodes, leases } = cluster.state();
  return [
    gauge('codelab_cluster_nodes', 'Gateways over this log that are alive', nodes),
    gauge('codelab_cluster_leases', 'Sessions that this gateway serves', leases),
  ].join('');
}

function lanesText(lanes: Record<string, LaneState>): string {
  const samples = (value: (state: LaneState) => number): Sample[] =>
    Object.entries(lanes).map(([lane, state]) => ({ labels: { lane }, value: value(state) }));
  return [
    metricText(
      'codelab_calls_running',
      'gauge',
      'Running calls, by kind',
      samples(({ running }) => running),
    ),
    metricText(
      'codelab_calls_waiting',
      'gauge',
      'Calls that are queued',
      samples(({ waiting }) => waiting),
    ),
    metricText(
      'codelab_calls_oldest_wait_seconds',
      'gauge',
      'Wait time of the call that has been queued longest',
      samples(({ oldestWaitMs }) => oldestWaitMs / 1000),
    ),
  ].join('');
}

// Clients name the models.
function proxyText(usage: UsageBook, modelName: (name: string) => string): string {
  const totals = usage.total().map(({ model, used }) => ({ model: modelName(model), used }));
  const tokens = createCounter();
  const requests = createCounter();
  for (const { model, used } of totals) {
    tokens.add({ model, direction: 'input' }, used.inputTokens);
    tokens.add({ model, direction: 'output' }, used.outputTokens);
    requests.add({ model }, used.requests);
  }
  return [
    metricText('codelab_llm_tokens_total', 'counter', 'Tokens through the LLM proxy', tokens.all()),
    metricText('codelab_llm_requests_total', 'counter', 'Requests through the LLM proxy', requests.all()),
  ].join('');
}
