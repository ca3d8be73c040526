// Completes what a user types: the path of a file. Only files that could be listed anyway are named.
import { ToolError } from '@codelab/protocol';
import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { createFileFinder, type FileFinder } from '../../agent/file-finder.ts';
import type { Serving } from './caller.ts';
import { offeredTools } from './offered-tools.ts';
import { fileTemplate } from './resources/resource-address.ts';

// The protocol's own limit.
const mostValues = 100;
const none: CompleteResult = { completion: { values: [], total: 0, hasMore: false } };
const finders = new WeakMap<object, FileFinder>();

export async function complete(
  { wire, caller }: Serving,
  { ref, argument }: CompleteRequestParams,
): Promise<CompleteResult> {
  if (ref.type !== 'ref/resource' || ref.uri !== fileTemplate || argument.name !== 'path') return none;
  const { host } = wire.gateway;
  const offered = await offeredTools(host, caller.profile);
  if (!offered.some(({ row }) => row.name === 'list_files')) return none;
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
