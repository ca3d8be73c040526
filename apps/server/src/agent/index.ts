export { agentProfile } from './agent-profile.ts';
export { type ContextChange, changeContext } from './change-context.ts';
export { refuseDuringTurn } from './hold-turn.ts';
export { type KodeVoice, kodeVoice } from './kode-voice.ts';
export { availableSkills } from './load-skills.ts';
export { type Mentioned, readMentions } from './mentions.ts';
export { type AgentOptions, type OpenedAgent, openAgent } from './open-agent.ts';
export { takeBackNote } from './take-back-note.ts';
