// Prompts of an MCP client: the user's own commands, and the skills that no rule denies. A skill is loaded by a recorded call of `skill`, so
// that one which comes with the workspace is asked about here as everywhere; a command is the user's own words.
import { defaultProfile, fillCommand, listOwnCommands } from '@codelab/runtime';
import {
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { availableSkills } from '../../agent/agent-profile.ts';
import type { Serving } from './caller.ts';
import { carryReading } from './carry-call.ts';
import type { Client } from './client-of.ts';
import { findOffered, type Offered, offeredTools } from './offered-tools.ts';

type PromptRequest = {
  name: string;
  args: Record<string, string>;
  ctx: ServerContext;
  client: Client;
};

export async function listPrompts(serving: Serving, client: Client): Promise<Prompt[]> {
  const { commands } = listOwnCommands(serving.wire.gateway.host.home);
  const skills = await listSkills(serving, client);
  return [
    ...commands.map(({ name, description, arguments: names }) => ({
      name,
      title: name,
      description,
      arguments: names.map((one) => ({ name: one, required: true })),
    })),
    ...skills.filter(({ name }) => !commands.some((command) => command.name === name)),
  ];
}

export async function getPrompt(
  serving: Serving,
  { name, args, ctx, client }: PromptRequest,
): Promise<GetPromptResult | InputRequiredResult> {
  const { commands, problems } = listOwnCommands(serving.wire.gateway.host.home);
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return said(fillCommand(command, args), command.description);
  const offered = await loader(serving);
  const known = (await listSkills(serving, client)).find((prompt) => prompt.name === name);
  if (offered === undefined || known === undefined)
    throw unknownPrompt(
      name,
      problems.find((problem) => problem.startsWith(`${name}.md`)),
    );
  const wanted = { tool: offered.row.name, args: { action: 'load', name } };
  const end = await carryReading({ ...serving, wanted, ctx, client });
  return 'question' in end ? end.question : said(offered.tool.tell(end.data), known.description);
}

type Listed = { name: string; title: string; description: string };

async function listSkills(serving: Serving, client: Client): Promise<Listed[]> {
  if ((await loader(serving)) === undefined) return [];
  const { wire, caller } = serving;
  const session = await caller.findSession(client.name);
  const profile = caller.profile ?? session?.profile ?? defaultProfile;
  // No session can have this name, so that none of its rules counts before there is one.
  const skills = await availableSkills(wire.gateway.host, { session: session?.id ?? '-look', profile });
  return skills.map(({ name, description }) => ({ name, title: name, description }));
}

function said(text: string, description: string): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

async function loader({ wire, caller }: Serving): Promise<Offered | undefined> {
  return findOffered(await offeredTools(wire.gateway.host, caller.profile), 'skill');
}

function unknownPrompt(name: string, problem = '`prompts/list` names them.'): ProtocolError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${shown} here. ${problem}`);
}
