// Prompts of an MCP client: the skills that no rule denies. One is loaded by a recorded call of `skill`, so that a skill which comes with the
// workspace is asked about here as everywhere.
import { defaultProfile } from '@codelab/runtime';
import {
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { availableSkills } from '../../agent/load-skills.ts';
import type { Serving } from './caller.ts';
import { carryReading } from './carry-call.ts';
import type { Client } from './client-of.ts';
import { findOffered, type Offered, offeredTools } from './offered-tools.ts';

type PromptRequest = { name: string; ctx: ServerContext; client: Client };

export async function listPrompts(serving: Serving, client: Client): Promise<Prompt[]> {
  if ((await loader(serving)) === undefined) return [];
  const { wire, caller } = serving;
  const session = await caller.findSession(client.name);
  const profile = caller.profile ?? session?.profile ?? defaultProfile;
  // No session can have this name, so that none of its rules counts before there is one.
  const skills = await availableSkills(wire.gateway.host, { session: session?.id ?? '-look', profile });
  return skills.map(({ name, description }) => ({ name, title: name, description }));
}

export async function getPrompt(
  serving: Serving,
  { name, ctx, client }: PromptRequest,
): Promise<GetPromptResult | InputRequiredResult> {
  const offered = await loader(serving);
  const known = (await listPrompts(serving, client)).find((prompt) => prompt.name === name);
  if (offered === undefined || known === undefined) throw unknownPrompt(name);
  const wanted = { tool: offered.row.name, args: { action: 'load', name } };
  const end = await carryReading({ ...serving, wanted, ctx, client });
  if ('question' in end) return end.question;
  const text = offered.tool.tell(end.data);
  return {
    ...(known.description !== undefined && { description: known.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

async function loader({ wire, caller }: Serving): Promise<Offered | undefined> {
  return findOffered(await offeredTools(wire.gateway.host, caller.profile), 'skill');
}

function unknownPrompt(name: string): ProtocolError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt ${shown} here. \`prompts/list\` names them.`,
  );
}
