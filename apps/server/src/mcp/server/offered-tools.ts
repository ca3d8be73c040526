// The tools for MCP clients: those of our own dialect that a profile shows. Tools of other MCP servers are not passed on: a client connects
// to those itself, which avoids two approvals of one call. Nor are sub-agents: the client is an agent already.
import { describeInput, describeOutput, findDialect, knownInputs, type WireTool } from '@codelab/dialects';
import type { Kind } from '@codelab/protocol';
import { defaultProfile, type Host, showsTool, type Tool } from '@codelab/runtime';
import type { Tool as Listing } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

/** The structured content of a failed call: the failure, and what to do next. */
const FailureContent = () =>
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      next: z.string(),
      details: z.optional(z.record(z.string(), z.unknown())),
    }),
  });
export type FailureContent = z.infer<ReturnType<typeof FailureContent>>;

export type OfferedTool = { row: WireTool; tool: Tool; listing: Listing };

export async function offeredTools(host: Host, profile: string = defaultProfile): Promise<OfferedTool[]> {
  const roles = await host.profiles.find(profile);
  return findDialect('codelab').tools.flatMap((row) => {
    const tool = host.tools.get(row.tool);
    if (tool === undefined || tool.startsAgents || !showsTool(roles, tool)) return [];
    return [{ row, tool, listing: listingOf(row, tool) }];
  });
}

/** Finds a tool by the name it is listed under, or by our own. */
export function findOffered(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  return tools.find(({ row, listing }) => listing.name === name || row.name === name);
}

// Built once: every request searches them.
const listings = new WeakMap<Tool, Listing>();

function listingOf(row: WireTool, tool: Tool): Listing {
  const listing = listings.get(tool) ?? makeListing(row, tool);
  listings.set(tool, listing);
  return listing;
}

function makeListing(row: WireTool, { kind, summary, output }: Tool): Listing {
  const title = titleOf(row.name);
  const input = Object.hasOwn(knownInputs, row.name) ? knownInputs[row.name] : describeInput(row);
  return {
    // The specification allows dots in a name; the models behind most clients do not.
    name: row.name.replaceAll('.', '_'),
    title,
    description: summary,
    inputSchema: input as Listing['inputSchema'],
    outputSchema: resultOrFailure(describeOutput(row, output()) as ObjectSchema),
    annotations: { title, ...hints(kind) },
  };
}

type ObjectSchema = { type: 'object'; properties: Record<string, object>; required: string[] };

/** Some clients check failed results against the schema as well. */
function resultOrFailure({ type, properties, required }: ObjectSchema): NonNullable<Listing['outputSchema']> {
  const { properties: failure, required: needed } = z.toJSONSchema(
    FailureContent(),
  ) as unknown as ObjectSchema;
  return { type, properties: { ...properties, ...failure }, anyOf: [{ required }, { required: needed }] };
}

function titleOf(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Hints for a client's screen. Here the plan of each call decides whether it needs approval.
function hints(kind: Kind): NonNullable<Listing['annotations']> {
  const readOnlyHint = kind === 'read' || kind === 'search' || kind === 'ask' || kind === 'think';
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint,
    idempotentHint: readOnlyHint || kind === 'delete',
    openWorldHint: kind === 'execute',
  };
}
