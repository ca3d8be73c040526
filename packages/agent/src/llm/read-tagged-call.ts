// One `<function=x><parameter=y>value</parameter></function>`: values are bare text, so the tool's schema says what they mean.
import type { ModelTool } from '../model.ts';
import type { FoundCall } from './found-call.ts';

const parameter = /<parameter=([^>\s]+)>([\s\S]*?)(?:<\/parameter>|(?=<parameter=)|<\/function>|$)/g;

/** Undefined when no tool has that name. */
export function readTaggedCall(piece: string, tools: readonly ModelTool[]): FoundCall | undefined {
  const name = /<function=([^>\s]+)>/.exec(piece)?.[1];
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  const entries = [...piece.matchAll(parameter)].map(([, key = '', value = '']): [string, unknown] => [
    key,
    readValue(value.replace(/^\n/, '').replace(/\n$/, ''), typesOf(tool, key)),
  ]);
  if (entries.some(([key]) => key === '__proto__'))
    return { tool: tool.name, args: {}, problem: 'The name `__proto__` is not accepted.' };
  const names = entries.map(([key]) => key);
  const twice = names.find((key, i) => names.indexOf(key) !== i);
  if (twice !== undefined)
    return { tool: tool.name, args: {}, problem: `The parameter \`${twice}\` is given twice. Give it once.` };
  return { tool: tool.name, args: Object.fromEntries(entries) };
}

function readValue(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text;
  try {
    return JSON.parse(text.trim());
  } catch {
    return text;
  }
}

/** Empty when the schema doesn't say; text is then kept as text. */
function typesOf(tool: ModelTool, key: string): string[] {
  const { properties } = (tool.input ?? {}) as { properties?: Record<string, { type?: unknown }> };
  const type = properties !== undefined && Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
  return [type].flat().filter((one) => typeof one === 'string');
}
