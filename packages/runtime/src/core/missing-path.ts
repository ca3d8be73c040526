// Adds suggestions to the error about a path that does not exist.
import { ToolError, visibleLine } from '@codelab/protocol';
import type { PlanContext, Tool } from '../tool/define-tool.ts';
import { nearPaths } from '../workspace/near-paths.ts';

type FailedPlan = { tool: Tool; input: unknown; context: PlanContext };

/** Adds similar paths to the failure of a plan, if there are any. */
export async function withNearPaths(error: unknown, { tool, input, context }: FailedPlan): Promise<unknown> {
  if (!(error instanceof ToolError) || context.hasNoFiles) return error;
  const isOutside = leadsOut(error);
  const path = isOutside || isMissing(error) ? pathIn(input) : patchedPath(error);
  if (path === undefined || (isOutside && !error.message.includes(JSON.stringify(path)))) return error;
  const name = path.split('/').at(-1);
  // For a path from another root, such as /repo/src/a.ts, only a file of exactly the same name is suggested.
  const isMeant = (candidate: string): boolean => !isOutside || candidate.split('/').at(-1) === name;
  const isShown = (candidate: string): boolean =>
    isMeant(candidate) && !context.isDenied(tool.name, candidate);
  const near = await nearPaths(context.workspace.root, path, isShown);
  if (near.length === 0) return error;
  const meant = `${near.slice(0, -1).join(', ')}${near.length > 1 ? ' or ' : ''}${near.at(-1)}`;
  const message = `${error.message.replace(/\.?$/, '.')} Did you mean ${visibleLine(meant)}?`;
  return new ToolError(error.code, message, { ...error.details, near });
}

function leadsOut({ code, details }: ToolError): boolean {
  return code === 'PATH_OUTSIDE_WORKSPACE' && ['absolute', 'traversal'].includes(String(details?.reason));
}

function isMissing({ code, details }: ToolError): boolean {
  return code === 'FILE_NOT_FOUND' && details?.reason === undefined;
}

/** The target of a write is not searched for. */
function pathIn(input: unknown): string | undefined {
  const { path, from, cwd } = input as Record<string, unknown>;
  const target = path ?? from ?? cwd;
  return typeof target === 'string' ? target : undefined;
}

function patchedPath({ code, message, details }: ToolError): string | undefined {
  if (code !== 'PATCH_APPLY_FAILED' || !/there is no such file/i.test(message)) return undefined;
  const file = details?.file ?? details?.path;
  return typeof file === 'string' ? file : undefined;
}
