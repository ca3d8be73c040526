// Tool names as providers accept them: letters, digits, `_` and `-`, at most 64. `mcp:server:tool` becomes `mcp_server_tool`, and back.
import type { ModelTool } from '../../model.ts';

export type ToolNames = {
  /** The name sent to the provider; for a name of no tool, one that the provider accepts. */
  toWire(name: string): string;
  /** The tool with that wire name; an unknown name is returned unchanged. */
  fromWire(name: string): string;
  isTool(name: string): boolean;
};

const namesOfTools = new WeakMap<readonly ModelTool[], ToolNames>();

export function toolNames(tools: readonly ModelTool[]): ToolNames {
  const cached = namesOfTools.get(tools);
  if (cached !== undefined) return cached;
  const names = makeNames(tools);
  namesOfTools.set(tools, names);
  return names;
}

function makeNames(tools: readonly ModelTool[]): ToolNames {
  const wire = new Map<string, string>();
  const real = new Map<string, string>();
  // A name that needs no change keeps its spelling, even if another name would become the same.
  const inOrder = tools.toSorted((a, b) => Number(isPlain(b.name)) - Number(isPlain(a.name)));
  for (const { name } of inOrder) {
    let candidate = plainName(name);
    for (let i = 2; real.has(candidate); i++) candidate = `${plainName(name).slice(0, 60)}_${i}`;
    wire.set(name, candidate);
    real.set(candidate, name);
  }
  return {
    toWire: (name) => wire.get(name) ?? plainName(name),
    fromWire: (name) => real.get(name) ?? real.get(bareName(name)) ?? name,
    isTool: (name) => wire.has(name),
  };
}

/** gpt-oss writes `functions.read_file` and leaves marks after the name, Gemini writes `default_api.read_file`. */
function bareName(name: string): string {
  return name
    .replace(/<\|.*$/s, '')
    .trim()
    .replace(/^(?:functions|tools|default_api)[.:]/, '');
}

function isPlain(name: string): boolean {
  return plainName(name) === name;
}

function plainName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}
