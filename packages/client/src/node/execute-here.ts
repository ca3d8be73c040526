// Runs a call of a ToolHandler on this machine. This machine's rules judge again; an approval in this client counts for them, one at the
// gateway only where the gateway is trusted.
import type { DecidedBy, Decision } from '@codelab/protocol';
import type { ToolHandlerOptions } from '../tools/tool-config.ts';
import { type PluginCallOptions, runPluginCall } from './run-plugin-call.ts';

export type HereOptions = PluginCallOptions & { trustsGateway?: boolean };

export function executeHere(options: HereOptions): ToolHandlerOptions['execute'] {
  const { trustsGateway = false, decide } = options;
  return async ({ tool_id: id, tool_type: tool, args, execution_context }, { wasApprovedHere, signal }) => {
    const isAgreed = wasApprovedHere || (trustsGateway && execution_context?.user_approved === true);
    let isUsed = false;
    const by: DecidedBy = options.by ?? { who: 'user', via: wasApprovedHere ? 'client' : 'gateway' };
    return await runPluginCall(
      {
        ...options,
        by,
        // The approval applied to the state that was shown: after a change, a new approval is needed.
        async decide(approval, ending): Promise<Decision | undefined> {
          if (!isAgreed || isUsed) return await decide?.(approval, ending);
          isUsed = true;
          return { kind: 'approve' };
        },
      },
      { id, tool, args, signal },
    );
  };
}
