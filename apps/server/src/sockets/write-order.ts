// What an executor is to do, as a message of its dialect: carry a call out, or stop.
import type { Dialect, Json } from '@codelab/dialects';
import type { Order } from '../executors/job.ts';

export function writeOrder(order: Order, dialect: Dialect): Json {
  const { callId: id, tool, args } = order.job;
  if (order.type === 'cancel') return { type: 'cancel', call_id: id };
  const { approvalId, isAgain } = order;
  return {
    ...dialect.encode({ type: 'call', call: dialect.spell({ id, tool, args }) }),
    requires_approval: false,
    state: approvalId === undefined ? 'allowed' : 'approved',
    ...(approvalId !== undefined && { approval_id: approvalId }),
    ...(isAgain && { redelivered: true }),
  };
}
