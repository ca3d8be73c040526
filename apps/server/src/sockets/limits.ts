// Limits of one socket, and of all sockets together.
import type { SenderLimits } from './sender.ts';

export type SocketLimits = SenderLimits & {
  sockets: number;
  messagesPerSecond: number;
  messageBurst: number;
  /** Messages over the rate that are answered by a refusal, before the line is closed. */
  refusals: number;
  /** Calls of one peer that may be under way. */
  calls: number;
  heartbeatMs: number;
  /** How long an answer to a heartbeat may take; then the connection counts as dead. */
  answerMs: number;
};

export const socketLimits: SocketLimits = {
  sockets: 4096,
  messagesPerSecond: 200,
  messageBurst: 1000,
  refusals: 200,
  calls: 100,
  heartbeatMs: 30_000,
  answerMs: 10_000,
  highBytes: 1024 * 1024,
  maxBytes: 32 * 1024 * 1024,
  slowMs: 30_000,
};
