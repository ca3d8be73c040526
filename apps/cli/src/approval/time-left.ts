// How long a decision may still take, for the line below a menu.
import type { ApprovalRequest } from '@codelab/protocol';

export function timeLeft({ deadline }: ApprovalRequest): string {
  const seconds = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `expires in ${clock}`;
}
