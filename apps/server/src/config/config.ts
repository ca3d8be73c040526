// The shape of config.json, the user's and the workspace's.
import { Rule } from '@codelab/protocol';
import * as z from 'zod/mini';

const positive = z.int().check(z.positive());

export const Config = z.strictObject({
  $schema: z.optional(z.string()),
  policy: z.optional(
    z.strictObject({
      mode: z.optional(z.enum(['strict', 'balanced', 'trusted'])),
      rules: z.optional(z.array(Rule)),
    }),
  ),
  approval: z.optional(z.strictObject({ timeout_seconds: z.optional(positive) })),
  limits: z.optional(
    z.strictObject({ parallel: z.optional(positive), call_timeout_seconds: z.optional(positive) }),
  ),
});
export type Config = z.infer<typeof Config>;
