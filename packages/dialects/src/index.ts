export type { AskedCall, Dialect, Given, Json, Message, WireTool } from './dialect.ts';
export { dialectNames, findDialect } from './dialects.ts';
export { createKodeEncoder, type KodeEncoder } from './kode/codec.ts';
export {
  createPluginEncoder,
  type PluginEncoder,
  readPluginCall,
  readPluginDecision,
  readPluginResult,
} from './plugin/codec.ts';
export { type Receipt, receiptOf } from './plugin/messages.ts';
export {
  decodeStreamEvent,
  encodeBoundedEvent,
  encodeStreamEvent,
  type Framing,
  framingOf,
  framingTypes,
  type StreamEvent,
  streamEventTypes,
} from './plugin/stream.ts';
export {
  ApprovalSettled,
  ToolApprovalRequest,
  ToolExecutionSignal,
  type ToolResult,
  ToolResultAck,
} from './plugin/tool-events.ts';
export { readClientFailure, readClientResult } from './shared/client-result.ts';
export { describeInput } from './shared/describe-input.ts';
export { describeOutput } from './shared/describe-output.ts';
export { addressOf } from './shared/fields.ts';
export { knownInputs } from './shared/known-inputs.ts';
export { meantTool } from './shared/tool-synonyms.ts';
export { refuse } from './shared/write-message.ts';
export {
  decodeSocketMessage,
  dialectOf,
  maxMessageBytes,
  parseSocketText,
  type SocketCommand,
} from './socket/decoder.ts';
export {
  createSocketEncoder,
  encodeNeutralGreeting,
  encodeSocketError,
  type SocketEncoder,
} from './socket/encoder.ts';
export {
  type ClientMessage,
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  isToldAgain,
  type ServerMessage,
  type ServerWire,
} from './socket/messages.ts';
export type { Spelling } from './socket/tool-messages.ts';
