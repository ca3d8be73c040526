// The rules in force, their verdict on a call, and adding and removing rules.
import { Phrase, Risk, Rule, RuleEffect, RuleLayer, Verdict } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { jsonObject, lazily, name, policyMode, RuleScope } from '../shared.ts';

const base = '/api/v1/policy';

const ListedRule = lazily(() =>
  z.extend(Rule(), {
    layer: RuleLayer(),
    /** The rule as text for people. */
    text: z.string(),
    /** The rule's conditions and reason as phrases, for screens in other languages. */
    phrases: z.optional(z.strictObject({ text: z.array(Phrase()), reason: z.array(Phrase()) })),
    removable: z.boolean(),
  }),
);
export type ListedRule = z.infer<ReturnType<typeof ListedRule>>;

const PolicyOverview = lazily(() =>
  z.strictObject({
    mode: policyMode(),
    /** Whether the workspace has a configuration, and whether all of it applies. */
    workspace_config: z.enum(['none', 'untrusted', 'trusted']),
    rules: z.array(ListedRule()),
  }),
);
export type PolicyOverview = z.infer<ReturnType<typeof PolicyOverview>>;

const PolicyVerdict = lazily(() =>
  z.strictObject({
    what: z.string(),
    verdict: RuleEffect(),
    risk: Risk(),
    rule: z.string(),
    layer: RuleLayer(),
    reason: z.string(),
    phrases: z.optional(z.array(Phrase())),
    parts: Verdict().shape.parts,
    /** For a shell line: the nesting depth of each part. */
    depths: z.optional(z.array(z.number())),
  }),
);
export type PolicyVerdict = z.infer<ReturnType<typeof PolicyVerdict>>;

export const policyRoutes = {
  get: defineRoute({
    id: 'getPolicy',
    method: 'GET',
    path: base,
    summary: 'Every rule in force, layer by layer, and the mode',
    query: () => z.object({ session_id: z.optional(z.string()) }),
    answer: PolicyOverview,
  }),
  check: defineRoute({
    id: 'checkPolicy',
    method: 'POST',
    path: `${base}/check`,
    summary: 'The verdict of policy on a call or a shell line; nothing runs',
    body: () =>
      z.strictObject({
        tool: z.optional(name()),
        args: z.optional(jsonObject()),
        command: z.optional(z.string().check(z.minLength(1), z.maxLength(100_000))),
        cwd: z.optional(z.string()),
        profile: z.optional(z.string()),
        session_id: z.optional(z.string()),
      }),
    answer: PolicyVerdict,
  }),
  addRule: defineRoute({
    id: 'addRule',
    method: 'POST',
    path: `${base}/rules`,
    summary: 'Adds a rule, after testing it against its own examples',
    body: () =>
      z.strictObject({
        rule: Rule(),
        scope: z._default(RuleScope(), 'workspace'),
        session_id: z.optional(z.string()),
      }),
    status: 201,
    answer: lazily(() => z.strictObject({ scope: RuleScope(), rule: ListedRule() })),
  }),
  removeRule: defineRoute({
    id: 'removeRule',
    method: 'DELETE',
    path: `${base}/rules/{rule}`,
    summary: 'Removes a rule that was added',
    query: () => z.object({ scope: z.optional(z.enum(['workspace', 'user'])) }),
    answer: lazily(() => z.strictObject({ scope: z.enum(['workspace', 'user']), id: z.string() })),
  }),
};
