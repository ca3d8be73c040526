// The print of a tool's own definition, when others made it and may change it under the same name; part of its plan's basis.
import type { Plan } from '@codelab/protocol';

export function definitionOf(tool: string, { basis }: Plan): string | undefined {
  return basis.find(({ path }) => path === definitionPath(tool))?.print;
}

export function definitionPath(tool: string): string {
  return `tool:${tool}`;
}
