// One approval on its way to a decision at this terminal.
import type { ApprovalRequest } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Terminal } from '../terminal/open-terminal.ts';

export type Asking = {
  host: Host;
  approval: ApprovalRequest;
  terminal: Terminal;
  signal: AbortSignal;
  /** Whether the session ends with this call, so that nothing can be remembered for it. */
  isOneOff: boolean;
  interrupt(): void;
};
