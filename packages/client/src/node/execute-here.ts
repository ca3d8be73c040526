// What a ToolHandler calls to carry out a call on this machine. Its own rules judge again; a yes that was given in this client counts for
// them, one that was given at the gateway only where that is trusted.
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
        // It was said once, about what was shown then: what has changed since is a new question.
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
