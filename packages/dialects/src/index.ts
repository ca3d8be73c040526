export type { AskedCall, Dialect, Given, Json, Message, WireTool } from './dialect.ts';
export { dialectNames, findDialect } from './dialects.ts';
export {
  decodeStreamEvent,
  encodeStreamEvent,
  type Framing,
  type StreamEvent,
  streamEventTypes,
} from './plugin/stream.ts';
export { describeInput } from './shared/describe-input.ts';
export { describeOutput } from './shared/describe-output.ts';
export { knownInputs } from './shared/known-inputs.ts';
export { addressOf } from './shared/read-fields.ts';
export { refuse } from './shared/write-message.ts';
export { type ClientMessage, decodeClientMessage, encodeClientMessage } from './socket/client-messages.ts';
export { decodeServerMessage, encodeServerMessage, type ServerMessage } from './socket/server-messages.ts';
export type { Spelling } from './socket/tool-messages.ts';
