// How a call that failed with a code has ended.
import type { ErrorCode } from './errors.ts';
import type { EndedBadly } from './outcome.ts';

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
