export { describeInput } from './describe-input.ts';
export { describeOutput } from './describe-output.ts';
export type { AskedCall, Dialect, Given, Json, Message, WireTool } from './dialect.ts';
export { dialects } from './dialects.ts';
export { findDialect } from './find-dialect.ts';
export { knownInputs } from './known-inputs.ts';
export { addressOf } from './read/address-of.ts';
export { refuse } from './refuse.ts';
export { type ClientMessage, decodeClientMessage, encodeClientMessage } from './wire/client-message.ts';
export { decodeServerMessage, encodeServerMessage, type ServerMessage } from './wire/server-message.ts';
export type { Spelling } from './wire/spoken.ts';
export {
  decodeStreamEvent,
  encodeStreamEvent,
  type Framing,
  type StreamEvent,
  streamEventTypes,
} from './wire/stream-event.ts';
