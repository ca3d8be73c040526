export { agentProfile, availableSkills } from './agent-profile.ts';
export { type ContextChange, changeContext } from './context/context-files.ts';
export { type Instructions, initPrompt, instructionName, rootInstructions } from './context/instructions.ts';
export { type MentionedFiles, readMentions } from './context/mentions.ts';
export { followCall } from './follow-call.ts';
export {
  changeMessage,
  checkQueued,
  deliversAfter,
  queuedMessages,
  queueMessage,
  removeMessage,
} from './message-queue.ts';
export { type OpenTurn, openTurn, type TurnMessage, type TurnOptions } from './open-turn.ts';
export { ownCallNote } from './outcome-for-model.ts';
export { isTurnHeld, refuseDuringTurn } from './turn-log.ts';
