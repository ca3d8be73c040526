// Rules over the API: those in force, what they say of a call, keeping and forgetting.
import type { Risk, Rule, RuleEffect, RuleLayer } from '@codelab/protocol';
import type { RuleScope } from './approvals.ts';
import { request, segment } from './request.ts';
import type { PolicyMode } from './settings.ts';

export type RuleLine = Rule & { layer: RuleLayer; text: string; removable: boolean };
export type Policy = { mode: PolicyMode; rules: RuleLine[] };

export type Judged = {
  what: string;
  verdict: RuleEffect;
  risk: Risk;
  rule: string;
  layer: RuleLayer;
  reason: string;
  parts: { text: string; verdict: RuleEffect; reason: string }[];
  /** How deep each part lies inside others, for a shell line. */
  depths?: number[];
};

type Asked = { command: string } | { tool: string; args: Record<string, unknown> };

export const policyApi = {
  read: (session: string) =>
    request<Policy>('GET', '/policy', { query: { session_id: session === '' ? undefined : session } }),
  check: (asked: Asked, session: string) =>
    request<Judged>('POST', '/policy/check', {
      body: { ...asked, ...(session !== '' && { session_id: session }) },
    }),
  add: (rule: Rule, scope: RuleScope, session: string) =>
    request<unknown>('POST', '/policy/rules', {
      body: { rule, scope, ...(scope === 'session' && { session_id: session }) },
    }),
  remove: ({ id, layer }: RuleLine) =>
    request<unknown>('DELETE', `/policy/rules/${segment(id)}`, { query: { scope: layer } }),
};
