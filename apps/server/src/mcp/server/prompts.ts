// Prompts for MCP clients, made from skills and commands, and completion of the paths that a user types.

import { ToolError } from '@codelab/protocol';
import { defaultProfile, fillCommand, listOwnCommands } from '@codelab/runtime';
import {
  type CompleteRequestParams,
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { availableSkills } from '../../agent/agent-profile.ts';
import { createFileFinder, type FileFinder } from '../../agent/context/file-finder.ts';
import type { Client, Serving } from './caller.ts';
import { runClientRead } from './calls/run-client-call.ts';
import { findOffered, type OfferedTool, offeredTools } from './offered-tools.ts';
import { fileTemplate } from './resources/resource-address.ts';

// The prompts are the user's own commands, and the skills that no rule denies. A skill is loaded by a recorded call of `skill`, so that a
// workspace's skill is asked about here as everywhere; a command is the user's own text.
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
      arguments: names.map((argument) => ({ name: argument, required: true })),
    })),
    ...skills.filter(({ name }) => !commands.some((command) => command.name === name)),
  ];
}

export async function getPrompt(
  serving: Serving,
  { name, args, ctx, client }: PromptRequest,
): Promise<GetPromptResult | InputRequiredResult> {
  const { commands, problems } = listOwnCommands(serving.wire.gateway.host.home);
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return promptOf(fillCommand(command, args), command.description);
  const loadTool = await loader(serving);
  const skillPrompt = (await listSkills(serving, client)).find((prompt) => prompt.name === name);
  if (loadTool === undefined || skillPrompt === undefined)
    throw unknownPrompt(
      name,
      problems.find((problem) => problem.startsWith(`${name}.md`)),
    );
  const requested = { tool: loadTool.row.name, args: { action: 'load', name } };
  const end = await runClientRead({ ...serving, requested, ctx, client });
  return 'question' in end ? end.question : promptOf(loadTool.tool.tell(end.data), skillPrompt.description);
}

type Listed = { name: string; title: string; description: string };

async function listSkills(serving: Serving, client: Client): Promise<Listed[]> {
  if ((await loader(serving)) === undefined) return [];
  const { wire, caller } = serving;
  const session = await caller.findSession(client.name);
  const profile = caller.profile ?? session?.profile ?? defaultProfile;
  // No session can have this name, so no session rule applies before there is a session.
  const skills = await availableSkills(wire.gateway.host, { session: session?.id ?? '-look', profile });
  return skills.map(({ name, description }) => ({ name, title: name, description }));
}

function promptOf(text: string, description: string): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

async function loader({ wire, caller }: Serving): Promise<OfferedTool | undefined> {
  return findOffered(await offeredTools(wire.gateway.host, caller.profile), 'skill');
}

function unknownPrompt(name: string, problem = '`prompts/list` names them.'): ProtocolError {
  const quoted = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${quoted} here. ${problem}`);
}

// Completes the path of a file that a user types. Only files that could be listed anyway are named.
// The limit is the protocol's.
const mostValues = 100;
const none: CompleteResult = { completion: { values: [], total: 0, hasMore: false } };
const finders = new WeakMap<object, FileFinder>();

export async function complete(
  { wire, caller }: Serving,
  { ref, argument }: CompleteRequestParams,
): Promise<CompleteResult> {
  if (ref.type !== 'ref/resource' || ref.uri !== fileTemplate || argument.name !== 'path') return none;
  const { host } = wire.gateway;
  const tools = await offeredTools(host, caller.profile);
  if (!tools.some(({ row }) => row.name === 'list_files')) return none;
  const finder = finders.get(host) ?? createFileFinder(host);
  finders.set(host, finder);
  try {
    const found = await finder.find(argument.value.slice(0, 200), mostValues + 1);
    return { completion: { values: found.slice(0, mostValues), hasMore: found.length > mostValues } };
  } catch (error) {
    if (error instanceof ToolError) return none;
    throw error;
  }
}
