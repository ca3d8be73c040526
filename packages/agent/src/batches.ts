// Which calls of a reply run at once: neighbouring readers together, everything else one after the other.
import type { WantedCall } from '@codelab/protocol';
import type { HostTool } from './tool-host.ts';

/** Fewer than a host lets wait: a reply with hundreds of calls must not have some refused for their number. */
const mostAtOnce = 16;

export function batchesOf(
  calls: readonly WantedCall[],
  kinds: ReadonlyMap<string, HostTool['kind']>,
): WantedCall[][] {
  const batches: WantedCall[][] = [];
  let isReading = false;
  for (const call of calls) {
    const kind = kinds.get(call.tool);
    const isReader = kind === 'read' || kind === 'search' || kind === 'think';
    const last = batches.at(-1);
    if (isReader && isReading && last !== undefined && last.length < mostAtOnce) last.push(call);
    else batches.push([call]);
    isReading = isReader;
  }
  return batches;
}
