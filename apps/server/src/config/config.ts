// The shape of config.json, the user's and the workspace's.
import { Rule } from '@codelab/protocol';
import * as z from 'zod/mini';
import { AnchorSetting } from '../log/seals/anchor.ts';
import { McpServer, McpServerName } from './mcp-server.ts';

const positive = () => z.optional(z.int().check(z.positive()));

export const Config = () =>
  z.strictObject({
    $schema: z.optional(z.string()),
    policy: z.optional(
      z.strictObject({
        mode: z.optional(z.enum(['strict', 'balanced', 'trusted'])),
        rules: z.optional(z.array(Rule())),
      }),
    ),
    mcp: z.optional(z.strictObject({ servers: z.optional(z.record(McpServerName(), McpServer())) })),
    sandbox: z.optional(z.enum(['auto', 'required', 'off'])),
    sandbox_shows: z.optional(z.array(z.string().check(z.regex(/^(\/|~\/)/)))),
    approval: z.optional(z.strictObject({ timeout_seconds: positive() })),
    limits: z.optional(
      z.strictObject({
        parallel: positive(),
        queued: positive(),
        reads: positive(),
        changes: positive(),
        commands: positive(),
        call_timeout_seconds: positive(),
        output_limit_bytes: z.optional(z.int().check(z.minimum(1000), z.maximum(10 * 1024 * 1024))),
        processes: positive(),
        memory_mb: positive(),
        cpu_seconds: positive(),
      }),
    ),
    audit: z.optional(z.strictObject({ anchors: z.optional(z.array(AnchorSetting())) })),
  });
export type Config = z.infer<ReturnType<typeof Config>>;

/** The shape of rules.json, where rules a human asked to be remembered are kept. */
export const RulesFile = () =>
  z.strictObject({
    user: z.array(Rule()),
    workspaces: z.record(z.string(), z.array(Rule())),
  });
