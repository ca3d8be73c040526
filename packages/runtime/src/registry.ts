// The tools one caller sees: their definitions, whether a call would be asked, and running them. What the profile hides is not there.
import { randomUUID } from 'node:crypto';
import {
  type DialectName,
  type Kind,
  type Outcome,
  type Plan,
  type ToolCall,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Tool } from './define-tool.ts';
import type { Host } from './host.ts';
import { parseArgs } from './parse-args.ts';
import { factsOf } from './policy/match-rule.ts';
import { findProfile, shows } from './profiles.ts';
import { runCall } from './run-call.ts';

export type Definition = { name: string; kind: Kind; summary: string; input: unknown; output: unknown };

export type Registry = {
  definitions(filter?: (tool: Tool) => boolean): Definition[];
  /** Plans and judges without running: what a human would be asked, and why. */
  approvalRequest(name: string, args: Record<string, unknown>): Promise<{ plan: Plan; verdict: Verdict }>;
  execute(
    name: string,
    args: Record<string, unknown>,
    options?: { callId?: string; signal?: AbortSignal },
  ): Promise<Outcome>;
};

export function createRegistry(
  host: Host,
  caller: { session: string; dialect: DialectName; profile?: string },
): Registry {
  const profile = findProfile(caller.profile ?? 'build');
  const limits = host.limits(caller.dialect);

  function find(name: string): Tool {
    const tool = host.tools.get(name);
    if (tool === undefined || !shows(profile, tool))
      throw new ToolError('TOOL_NOT_FOUND', `There is no tool ${JSON.stringify(name)} here.`);
    return tool;
  }

  return {
    definitions: (filter = () => true) =>
      [...host.tools.values()].filter((tool) => shows(profile, tool) && filter(tool)).map(define),
    async approvalRequest(name, args) {
      const tool = find(name);
      const signal = AbortSignal.timeout(limits.runMs);
      const session = await host.session(caller.session);
      const { workspace, home, cache, log } = host;
      const context = {
        workspace,
        home,
        cache,
        log,
        limits,
        signal,
        seen: (path: string) => session.seen(path),
      };
      const { plan, within = [] } = await tool.plan(parseArgs(tool, args, limits), context);
      const facts = factsOf({ tool: tool.name, kind: tool.kind, profile: profile.name }, [
        ...plan.touches,
        ...within,
      ]);
      return {
        plan,
        verdict: host.rules.judge(facts, plan, { peerAsks: false, sessionRules: session.rules }),
      };
    },
    execute(name, args, { callId = `call_${randomUUID()}`, signal } = {}) {
      const call: ToolCall = {
        id: callId,
        session: caller.session,
        tool: name,
        args,
        dialect: caller.dialect,
        profile: profile.name,
      };
      return runCall(host, call, signal);
    },
  };
}

function define(tool: Tool): Definition {
  const { name, kind, summary } = tool;
  return {
    name,
    kind,
    summary,
    input: z.toJSONSchema(tool.input(), { io: 'input' }),
    output: z.toJSONSchema(tool.output()),
  };
}
