// What an executor at a socket says a tool returned, as the tool's own data, so that models and other wires read it like any other. It
// comes from a stranger: bounded, cut to the fields the tool has, and refused when they do not fit.
import { describeIssue, ToolError } from '@codelab/protocol';
import type { Tool } from '@codelab/runtime';
import type * as z from 'zod/mini';
import { fillResult } from './fill-result.ts';
import type { Job, JobEnd } from './job.ts';

type Json = Record<string, unknown>;

const maxChars = 4 * 1024 * 1024;

export function coreResult(tool: Tool, { args }: Pick<Job, 'args'>, said: Json): JobEnd {
  const chars = JSON.stringify(said).length;
  if (chars > maxChars)
    return new ToolError(
      'OUTPUT_SIZE_EXCEEDED',
      `The client carried it out, but its answer has ${chars} characters; at most ${maxChars} are taken.`,
      { size: chars, max_size: maxChars },
    );
  const schema = tool.output() as z.ZodMiniObject;
  const filled = fillResult(tool.name, args, said);
  const known = Object.keys(schema.shape ?? {});
  // What the tool does not have is left out; a tool with several forms says itself what fits.
  const cut = known.length === 0 ? said : Object.fromEntries(known.flatMap((name) => fieldOf(filled, name)));
  const parsed = schema.safeParse(cut);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  const fault = issue === undefined ? 'does not fit' : describeIssue(issue, cut);
  return new ToolError(
    'EXECUTION_FAILED',
    `The client says it is done, but its answer does not fit ${tool.name}: \`result.${field}\` ${fault}. Look before repeating it.`,
    { field: `result.${field}` },
  );
}

function fieldOf(data: Json, name: string): [string, unknown][] {
  return data[name] === undefined ? [] : [[name, data[name]]];
}
