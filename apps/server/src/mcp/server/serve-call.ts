// One `tools/call`: find the tool → carry the call out → tell how it ended.
import { ToolError } from '@codelab/protocol';
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Serving } from './caller.ts';
import { carryCall } from './carry-call.ts';
import type { Client } from './client-of.ts';
import { findOffered, offeredTools } from './offered-tools.ts';
import { tellFailure, tellOutcome } from './tell-outcome.ts';

type ToolRequest = { name: string; args: Record<string, unknown>; ctx: ServerContext; client: Client };

export async function serveCall(
  serving: Serving,
  { name, args, ctx, client }: ToolRequest,
): Promise<CallToolResult | InputRequiredResult> {
  const { wire, caller } = serving;
  try {
    const offered = findOffered(await offeredTools(wire.gateway.host, caller.profile), name);
    if (offered === undefined) throw unknownTool(name);
    const wanted = { tool: offered.row.name, args };
    const end = await carryCall({ ...serving, wanted, ctx, client });
    return 'question' in end ? end.question : tellOutcome(offered, end.said, end.outcome);
  } catch (error) {
    if (error instanceof ToolError) return tellFailure(error);
    if (!(error instanceof ProtocolError)) wire.onFault(error);
    throw error;
  }
}

function unknownTool(name: string): ProtocolError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${shown} here. \`tools/list\` names them.`,
  );
}
