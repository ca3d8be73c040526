// Pending approvals: finding them, deciding, remembering a decision as a rule, and deciding from another device by a link.
import { ApprovalRequest, Breadth, Decision, Rule } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { lazily, RuleScope, time } from '../shared.ts';

const session = '/api/v1/sessions/{id}';
const approval = `${session}/approvals/{approval}`;

const PastCall = lazily(() =>
  z.strictObject({
    call_id: z.string(),
    session: z.string(),
    tool: z.string(),
    summary: z.string(),
    time: time(),
  }),
);
export type PastCall = z.infer<ReturnType<typeof PastCall>>;

/** The offered rules, narrowest first, each with the earlier calls it would have allowed. */
const RuleBreadth = lazily(() =>
  z.strictObject({
    breadth: Breadth(),
    rule: Rule(),
    text: z.string(),
    matches: z.array(PastCall()),
    total_matches: z.number(),
  }),
);
export type RuleBreadth = z.infer<ReturnType<typeof RuleBreadth>>;

const ProposedRule = lazily(() =>
  z.union([
    /**
     * No narrowest rule can allow this permanently. A broader one may nevertheless: `git commit -m "$(…)"` is another command each time.
     */
    z.strictObject({
      rule: z.null(),
      why: z.string(),
      scopes: z.optional(z.array(RuleScope())),
      breadths: z.optional(z.array(RuleBreadth())),
    }),
    z.strictObject({
      rule: Rule(),
      scopes: z.array(RuleScope()),
      text: z.string(),
      /** For a foreign tool: names of arguments that can be left open. */
      arguments: z.optional(z.array(z.string())),
      matches: z.array(PastCall()),
      total_matches: z.number(),
      breadths: z.array(RuleBreadth()),
    }),
  ]),
);
export type ProposedRule = z.infer<ReturnType<typeof ProposedRule>>;

export const approvalRoutes = {
  pending: defineRoute({
    id: 'listPendingApprovals',
    method: 'GET',
    path: '/api/v1/pending-approvals',
    summary: 'Pending approvals of all your sessions',
    answer: lazily(() => z.strictObject({ pending_approvals: z.array(ApprovalRequest()) })),
  }),
  pendingIn: defineRoute({
    id: 'listPendingApprovalsOfSession',
    method: 'GET',
    path: `${session}/pending-approvals`,
    summary: 'Pending approvals of this session',
    answer: lazily(() =>
      z.strictObject({ session_id: z.string(), pending_approvals: z.array(ApprovalRequest()) }),
    ),
  }),
  decide: defineRoute({
    id: 'decideApproval',
    method: 'POST',
    path: `${session}/decisions`,
    summary: 'Decides a pending approval; the first decision counts',
    body: () =>
      z.strictObject({
        approval_id: z.string().check(z.maxLength(200)),
        decision: Decision(),
        /** The binding of the approval as shown: a decision about anything else is refused. Required from a signed-in page. */
        binding: z.optional(z.string().check(z.maxLength(200))),
      }),
    answer: lazily(() =>
      z.strictObject({ approval_id: z.string(), call_id: z.string(), decided: z.literal(true) }),
    ),
  }),
  rule: defineRoute({
    id: 'proposeApprovalRule',
    method: 'GET',
    path: `${approval}/rule`,
    summary: 'The rule that remembering an approval would add',
    query: () =>
      z.object({
        effect: z._default(z.enum(['allow', 'deny']), 'allow'),
        /** Names of arguments that may have any value, separated by commas; for foreign tools. */
        widen: z.optional(z.string()),
      }),
    answer: ProposedRule,
  }),
  link: defineRoute({
    id: 'createApprovalLink',
    method: 'POST',
    path: `${approval}/link`,
    summary: 'A link that decides one approval, once, without a token',
    status: 201,
    answer: lazily(() => z.strictObject({ url: z.string(), expires_at: time() })),
  }),
  showLink: defineRoute({
    id: 'showApprovalLink',
    method: 'GET',
    path: '/approve/{secret}',
    summary: 'The page of an approval link; opening it decides nothing',
    media: ['text/html'],
    isOpen: true,
  }),
  useLink: defineRoute({
    id: 'useApprovalLink',
    method: 'POST',
    path: '/approve/{secret}',
    summary: 'Decides through an approval link: approve, reject, or one of the offered actions',
    body: () => z.looseObject({ decision: z.optional(z.string()), action: z.optional(z.string()) }),
    bodyTypes: ['application/x-www-form-urlencoded'],
    media: ['text/html'],
    isOpen: true,
  }),
};
