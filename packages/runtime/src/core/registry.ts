// The tools one caller sees: their definitions, whether a call would be asked, and running them. What the profile hides is not there.
import { randomUUID } from 'node:crypto';
import {
  type Actor,
  type DialectName,
  type Kind,
  type Outcome,
  type Plan,
  type ToolCall,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import * as z from 'zod/mini';
import { defaultProfile } from '../profiles/profile.ts';
import { shows } from '../profiles/shows.ts';
import type { Tool } from './define-tool.ts';
import { findTool } from './find-tool.ts';
import type { Host } from './host.ts';
import { judgeCall } from './judge-call.ts';
import { parseArgs } from './parse-args.ts';
import { planCall } from './plan-call.ts';
import { planContext } from './plan-context.ts';
import { runCall } from './run-call.ts';

export type Definition = { name: string; kind: Kind; summary: string; input: unknown; output: unknown };

export type Registry = {
  tools: readonly Tool[];
  definitions(filter?: (tool: Tool) => boolean): Definition[];
  /** Plans and judges without running: what a human would be asked, and why. */
  approvalRequest(name: string, args: Record<string, unknown>): Promise<{ plan: Plan; verdict: Verdict }>;
  execute(
    name: string,
    args: Record<string, unknown>,
    options?: { callId?: string; signal?: AbortSignal },
  ): Promise<Outcome>;
};

export async function createRegistry(
  host: Host,
  caller: { session: string; dialect: DialectName; profile?: string; by?: Actor },
): Promise<Registry> {
  const { profile = defaultProfile, by } = caller;
  const roles = await host.profiles.find(profile);
  const limits = host.limits(caller.dialect);

  async function find(name: string, signal: AbortSignal): Promise<Tool> {
    const tool = await findTool(host, roles, name, signal);
    if (tool === undefined)
      throw new ToolError('TOOL_NOT_FOUND', `There is no tool ${JSON.stringify(name)} here.`);
    return tool;
  }

  return {
    get tools() {
      return [...host.tools.values()].filter((tool) => shows(roles, tool));
    },
    definitions: (filter = () => true) =>
      [...host.tools.values()].filter((tool) => shows(roles, tool) && filter(tool)).map(define),
    async approvalRequest(name, args) {
      const signal = AbortSignal.timeout(limits.runMs);
      const tool = await find(name, signal);
      const session = await host.session(caller.session);
      const context = planContext({ host, session, limits, signal, roles });
      const planned = await planCall(tool, parseArgs(tool, args, context), context);
      const verdict = await judgeCall({ host, session, roles, tool, args, planned, peerAsks: false });
      return { plan: planned.plan, verdict };
    },
    execute(name, args, { callId = `call_${randomUUID()}`, signal } = {}) {
      const call: ToolCall = {
        id: callId,
        session: caller.session,
        tool: name,
        args,
        dialect: caller.dialect,
        profile,
        ...(by && { by }),
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
    input: tool.jsonSchema ?? inputSchema(tool.input()),
    output: z.toJSONSchema(tool.output()),
  };
}

/** What a schema takes, as a JSON Schema. */
export function inputSchema(schema: z.ZodMiniType): unknown {
  return z.toJSONSchema(schema, { io: 'input' });
}
