// The state a call ends in, when all that is known is its error.
import type { EndedBadly, ErrorCode } from '@codelab/protocol';

export function statusOf(code: ErrorCode): EndedBadly['status'] {
  switch (code) {
    case 'REJECTED':
      return 'rejected';
    case 'APPROVAL_EXPIRED':
      return 'expired';
    case 'TIMEOUT':
      return 'timed_out';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return 'failed';
  }
}
