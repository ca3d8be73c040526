// How the gateway is set up: policy, settings, models, usage, and who one is.
import type { Rule } from '@codelab/protocol';
import type { Requester } from './requester.ts';
import { Anything, Judged, Models, Settings, UsageReport } from './shapes.ts';

type Json = Record<string, unknown>;

export function policyCalls({ ask, tell }: Requester) {
  return {
    get: () => ask('GET', '/api/v1/policy', Anything),
    /** What would be said of a call or a command line; nothing is run. */
    check: (what: { tool: string; args: Json } | { command: string }) =>
      ask('POST', '/api/v1/policy/check', Judged, { body: what, isRepeatable: true }),
    /** For a rule of one session, `session_id` says of which. */
    addRule: (given: { rule: Rule; scope: 'user' | 'workspace' | 'session'; session_id?: string }) =>
      ask('POST', '/api/v1/policy/rules', Anything, { body: given }),
    removeRule: (ruleId: string, scope?: 'user' | 'workspace') =>
      tell('DELETE', `/api/v1/policy/rules/${encodeURIComponent(ruleId)}`, { query: { scope } }),
  };
}

export type ChangedSettings = {
  model?: string;
  /** Keys go in and never come out; null forgets one. */
  keys?: Record<string, string | null>;
  base_urls?: Record<string, string | null>;
  mode?: string;
};

export function settingCalls({ ask }: Requester) {
  return {
    get: () => ask('GET', '/api/v1/settings', Settings),
    update: (changed: ChangedSettings) => ask('PUT', '/api/v1/settings', Settings, { body: changed }),
    models: () => ask('GET', '/api/v1/models', Models),
  };
}

export function usageCalls({ ask }: Requester) {
  return { get: () => ask('GET', '/api/v1/usage', UsageReport) };
}

/** Proves a token, and opens a web session with it. */
export function loginCall({ tell }: Requester) {
  return (token: string) => tell('POST', '/login', { body: { token } });
}
