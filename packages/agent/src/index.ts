export type {
  Agent,
  AgentProfile,
  HostEvent,
  HostTool,
  PartialReply,
  ToolHost,
  TurnLog,
  TurnStop,
  WorkspaceTexts,
} from './agent.ts';
export { requestPrefix } from './ask-model.ts';
export { compact } from './compaction/compact.ts';
export {
  boundText,
  cutText,
  estimateTokens,
  headWithin,
  resultTokens,
} from './compaction/estimate-tokens.ts';
export { summarizeByRules } from './compaction/summarize-by-rules.ts';
export { Conversation } from './conversation.ts';
export { checkModel, type ModelCheck } from './llm/check-model.ts';
export {
  allProviders,
  findProvider,
  isReady,
  type ModelSources,
  type OwnProvider,
  providerConnection,
  readModelName,
} from './llm/connection.ts';
export { type ChatProxy, proxyChat } from './llm/http/proxy-chat.ts';
export {
  chooseModel,
  findModels,
  type ListedModel,
  listModels,
  nearestModel,
  noModelChosen,
  type ProviderModels,
} from './llm/list-models.ts';
export { type OpenOptions, openModel, priceOf } from './llm/open-model.ts';
export { type Provider, providers, wireNames } from './llm/providers.ts';
export { costOf } from './llm/wires/usage.ts';
export { finishTurn, runTurn, type TurnInput, type TurnResult } from './loop.ts';
export type { Model, ModelEvent, ModelMessage, ModelRequest, ModelTool } from './model.ts';
export { builtInProfiles } from './profiles/built-in-profiles.ts';
export { imageFrom } from './tool-results.ts';
