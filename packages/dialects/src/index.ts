export { describeInput } from './describe-input.ts';
export type { AskedCall, Dialect, Given, Json, Message, WireTool } from './dialect.ts';
export { dialects } from './dialects.ts';
export { findDialect } from './find-dialect.ts';
export { knownInputs } from './known-inputs.ts';
export { addressOf } from './read/address-of.ts';
export { refuse } from './refuse.ts';
