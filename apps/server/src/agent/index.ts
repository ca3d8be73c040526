export { agentProfile, availableSkills } from './agent-profile.ts';
export { type ContextChange, changeContext } from './change-context.ts';
export { type Instructions, instructionName, rootInstructions } from './instructions.ts';
export { type Mentioned, readMentions } from './mentions.ts';
export { openTurn, type Said, type Turn, type TurnOptions } from './open-turn.ts';
export { refuseDuringTurn, undoNote } from './turn-log.ts';
