// Limits the tools to the number that a provider accepts: the last ones, those of MCP servers, are left out, and the user is told which.
import type { ModelRequest, ModelTool } from '../../model.ts';
import type { Wire } from '../wire.ts';

/** How many names a notice lists. */
const mostNamed = 10;

/** An unknown limit is learned from the refusal. */
export function withToolLimit(wire: Wire, knownLimit?: number): Wire {
  let maxTools = knownLimit ?? Number.POSITIVE_INFINITY;
  let cut = new WeakMap<readonly ModelTool[], readonly ModelTool[]>();
  const noticed = new WeakSet<readonly ModelTool[]>();
  let last: readonly ModelTool[] = [];

  // The same list gives the same part of it, so that a wire finds its cached form.
  function offeredTools(tools: readonly ModelTool[]): readonly ModelTool[] {
    if (tools.length <= maxTools) return tools;
    const before = cut.get(tools);
    if (before !== undefined) return before;
    const firstTools = tools.slice(0, maxTools);
    cut.set(tools, firstTools);
    return firstTools;
  }
  const fitting = (request: ModelRequest): ModelRequest =>
    request.tools.length <= maxTools ? request : { ...request, tools: offeredTools(request.tools) };

  return {
    ...wire,
    write(request) {
      last = request.tools;
      return wire.write(fitting(request));
    },
    read: (request) => wire.read(fitting(request)),
    notice({ tools }) {
      if (tools.length <= maxTools || noticed.has(tools)) return undefined;
      noticed.add(tools);
      return leftOut(wire.origin.model, tools, maxTools);
    },
    adapt(trouble) {
      const limit = trouble.facts.status === 400 ? limitIn(trouble.message) : undefined;
      if (limit === undefined || limit >= Math.min(last.length, maxTools)) return wire.adapt?.(trouble);
      maxTools = limit;
      cut = new WeakMap();
      noticed.add(last);
      return { notice: leftOut(wire.origin.model, last, limit) };
    },
  };
}

function leftOut(model: string, tools: readonly ModelTool[], maxTools: number): string {
  const names = tools.slice(maxTools).map(({ name }) => name);
  const overflowNote = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const list = `${names.slice(0, mostNamed).join(', ')}${overflowNote}`;
  return `${model} takes at most ${maxTools} tools and there are ${tools.length}. Left out: ${list}. Turn off MCP servers that you do not need.`;
}

/** `Invalid 'tools': array too long. Expected an array with maximum length 128`, `Maximum number of tools is 128`. */
function limitIn(message: string): number | undefined {
  if (!/tools|functions/i.test(message)) return undefined;
  const [, limitText] = /maximum (?:length|number)[^\d]{0,40}(\d+)/i.exec(message) ?? [];
  const limit = Number(limitText);
  return limit > 0 ? limit : undefined;
}
