export type { CallInput, Dialect, DialectMessage, Json, WireCall, WireTool } from './dialect.ts';
export { dialectNames, findDialect, makeDialect, needsRoot } from './dialects.ts';
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
  decodePluginEvent,
  encodeBoundedEvent,
  encodePluginEvent,
  type Framing,
  framingOf,
  framingTypes,
  type PluginEvent,
  pluginEventTypes,
} from './plugin/stream.ts';
export {
  ApprovalResolved,
  ToolApprovalRequest,
  ToolExecutionSignal,
  type ToolResult,
  ToolResultAck,
} from './plugin/tool-events.ts';
export { readClientFailure, readClientResult } from './shared/client-result.ts';
export { describeInput } from './shared/describe-input.ts';
export { describeOutput } from './shared/describe-output.ts';
export { knownInputs } from './shared/known-inputs.ts';
export { plainPaths } from './shared/spelling.ts';
export { findSynonym } from './shared/tool-synonyms.ts';
export { addressOf } from './shared/values.ts';
export { type MessageWriter, refuse } from './shared/write-message.ts';
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
  isRedelivered,
  type ServerMessage,
  type ServerWire,
} from './socket/messages.ts';
export type { Spelling } from './socket/tool-messages.ts';
