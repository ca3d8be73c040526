// The tools that one caller sees: their definitions, whether a call would need approval, and how to run them. Tools that the profile hides
// do not exist here.
import { randomUUID } from 'node:crypto';
import type { Actor, DialectName, Kind, Outcome, Plan, ToolCall, Verdict } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Tool } from '../tool/define-tool.ts';
import { defaultProfile, showsTool } from '../tool/profile.ts';
import type { Host } from './host.ts';
import { planOnly } from './other-ways.ts';
import { runCall } from './run-call.ts';

export type ToolDefinition = { name: string; kind: Kind; summary: string; input: unknown; output: unknown };

export type Registry = {
  tools: readonly Tool[];
  definitions(filter?: (tool: Tool) => boolean): ToolDefinition[];
  /** Plans and judges a call without running it: what a human would be asked, and why. */
  approvalRequest(
    name: string,
    args: Record<string, unknown>,
    /** Unsaved texts by path, which replace those that the session knows. */
    unsavedTexts?: ReadonlyMap<string, string>,
  ): Promise<{ plan: Plan; verdict: Verdict }>;
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
  const callOf = (tool: string, args: Record<string, unknown>): Omit<ToolCall, 'id'> => {
    const { session, dialect } = caller;
    return { session, tool, args, dialect, profile, ...(by && { by }) };
  };

  return {
    get tools() {
      return [...host.tools.values()].filter((tool) => showsTool(roles, tool));
    },
    definitions: (filter = () => true) =>
      [...host.tools.values()].filter((tool) => showsTool(roles, tool) && filter(tool)).map(define),
    approvalRequest: (name, args, unsavedTexts) => planOnly(host, callOf(name, args), unsavedTexts),
    execute: (name, args, { callId = `call_${randomUUID()}`, signal } = {}) =>
      runCall(host, { id: callId, ...callOf(name, args) }, signal),
  };
}

function define(tool: Tool): ToolDefinition {
  const { name, kind, summary } = tool;
  return {
    name,
    kind,
    summary,
    input: tool.jsonSchema ?? inputSchema(tool.input()),
    output: z.toJSONSchema(tool.output()),
  };
}

/** The JSON Schema of a tool's input. */
export function inputSchema(schema: z.ZodMiniType): unknown {
  return z.toJSONSchema(schema, { io: 'input' });
}
