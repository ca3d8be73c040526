// Holds a call of a gateway back, right before it would have effects, until the gateway says that it is to be carried out: somebody there
// may have refused it while it was being asked about here.
import '../shared.ts';
import type { ToolDecorator } from '@codelab/runtime';

/** `input` is what the human here made of the call. */
export type Gated = { session: string; callId: string; input: unknown; signal: AbortSignal };

export function gateTools(pass: (gated: Gated) => Promise<void>): ToolDecorator {
  return (tool) => ({
    ...tool,
    async run(input, prepared, context) {
      const { session, callId, signal } = context;
      await pass({ session, callId, input, signal });
      return await tool.run(input, prepared, context);
    },
  });
}
