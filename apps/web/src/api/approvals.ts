// Approvals over the API: what waits, and the rule one would be remembered by.
import type { ApprovalRequest, Rule } from '@codelab/protocol';
import { request, segment } from './request.ts';

export type RuleScope = 'session' | 'workspace' | 'user';
export type PastCall = { call_id: string; session: string; tool: string; summary: string; time: string };
export type ProposedRule =
  | { rule: null; why: string }
  | {
      rule: Rule;
      scopes: RuleScope[];
      text: string;
      /** Names of arguments that can be left free. */
      arguments?: string[];
      matches: PastCall[];
      total_matches: number;
    };

const of = (session: string, approval: string): string =>
  `/sessions/${segment(session)}/approvals/${segment(approval)}`;

export const approvalsApi = {
  pending: (signal?: AbortSignal) =>
    request<{ pending_approvals: ApprovalRequest[] }>('GET', '/pending-approvals', signal ? { signal } : {}),
  rule: (session: string, approval: string, query: { effect: 'allow' | 'deny'; widen: string }) =>
    request<ProposedRule>('GET', `${of(session, approval)}/rule`, { query }),
  link: (session: string, approval: string) =>
    request<{ url: string; expires_at: string }>('POST', `${of(session, approval)}/link`, { body: {} }),
};
