export type { Agent, AgentProfile, Texts, TurnLog, TurnStop } from './agent.ts';
export { prefixNow } from './ask-model.ts';
export { compact } from './compact.ts';
export { Conversation } from './conversation.ts';
export { boundText, cutText, headOf, resultTokens } from './cut-text.ts';
export { estimateTokens } from './estimate-tokens.ts';
export { imageFrom } from './images.ts';
export { checkModel, type ModelCheck } from './llm/check-model.ts';
export { chooseModel, noModelChosen } from './llm/choose-model.ts';
export {
  allProviders,
  connectionOf,
  findProvider,
  isReady,
  type ModelSources,
  type OwnProvider,
  readModelName,
} from './llm/connection.ts';
export { findModels, listModels, nearOffered, type Offer, type OfferedModel } from './llm/list-models.ts';
export { type OpenOptions, openModel } from './llm/open-model.ts';
export { type ChatPassage, passChat } from './llm/pass-chat.ts';
export { type Provider, providers, wireNames } from './llm/providers.ts';
export { finishTurn, runTurn, type TurnInput, type TurnResult } from './loop.ts';
export type { Model, ModelEvent, ModelMessage, ModelRequest, ModelTool } from './model.ts';
export { builtInProfiles } from './profiles/built-in-profiles.ts';
export { summarizeByRules } from './summarize-by-rules.ts';
export type { HostEvent, HostTool, ToolHost } from './tool-host.ts';
