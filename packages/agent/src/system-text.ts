// What the model is told before the conversation: its role, the project's own instructions, and the files the user has pinned.
import type { Agent } from './agent.ts';
import type { Conversation } from './conversation.ts';
import { cutText } from './cut-text.ts';

const instructionFile = 'AGENTS.md';
const maxInstructions = 32 * 1024;
const maxInstructionFile = 1024 * 1024;
const maxPinnedFile = 256 * 1024;
/** The share of the window that pinned files may take together. */
const pinnedShare = 0.2;

export async function systemText(agent: Agent, talk: Conversation): Promise<string> {
  const instructions = await agent.texts.read(instructionFile, maxInstructionFile);
  const parts = [agent.profile.prompt];
  if (instructions !== undefined)
    parts.push(
      `The project's own instructions, from ${instructionFile}:\n\n${cutText(instructions, maxInstructions)}`,
    );
  const pinned = await pinnedTexts(agent, talk);
  if (pinned.length > 0) parts.push(`Files the user has pinned, as they are now:\n\n${pinned.join('\n\n')}`);
  return parts.join('\n\n');
}

async function pinnedTexts(agent: Agent, talk: Conversation): Promise<string[]> {
  let room = Math.floor(agent.model.contextTokens * 3 * pinnedShare);
  const shown: string[] = [];
  for (const path of talk.pinned) {
    const text = await agent.texts.read(path, maxPinnedFile);
    const name = JSON.stringify(path);
    if (text === undefined) shown.push(`<file path=${name} missing="true"/>`);
    else if (room <= 0) shown.push(`<file path=${name}>[no room left; read it when needed]</file>`);
    else {
      const cut = cutText(text, room);
      shown.push(`<file path=${name}>\n${cut}\n</file>`);
      room -= cut.length;
    }
  }
  return shown;
}
