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
const unsavedNote = '; those marked unsaved as they are in the editor, not on the disk';

export async function systemText(agent: Agent, talk: Conversation): Promise<string> {
  const instructions = await agent.texts.read(instructionFile, maxInstructionFile);
  const parts = [agent.profile.prompt];
  if (instructions !== undefined)
    parts.push(
      `The project's own instructions, from ${instructionFile}:\n\n${cutText(instructions, maxInstructions)}`,
    );
  const pinned = await pinnedTexts(agent, talk);
  if (pinned.length > 0) {
    const note = pinned.some(({ isUnsaved }) => isUnsaved) ? unsavedNote : '';
    const shown = pinned.map(({ shown }) => shown).join('\n\n');
    parts.push(`Files the user has pinned, as they are now${note}:\n\n${shown}`);
  }
  return parts.join('\n\n');
}

type Pinned = { shown: string; isUnsaved: boolean };

async function pinnedTexts({ texts, model }: Agent, talk: Conversation): Promise<Pinned[]> {
  let room = Math.floor(model.contextTokens * 3 * pinnedShare);
  const pinned: Pinned[] = [];
  for (const path of talk.pinned) {
    const unsaved = await texts.unsaved(path);
    const text = unsaved ?? (await texts.read(path, maxPinnedFile));
    const isUnsaved = unsaved !== undefined;
    const cut = text === undefined || room <= 0 ? undefined : cutText(text, room);
    room -= cut?.length ?? 0;
    const name = `path=${JSON.stringify(path)}${isUnsaved ? ' unsaved="true"' : ''}`;
    const absent = texts.hasFiles
      ? `<file ${name} missing="true"/>`
      : `<file ${name}>[with the client; read it when needed]</file>`;
    const crowded = `<file ${name}>[no room left; read it when needed]</file>`;
    const instead = text === undefined ? absent : crowded;
    pinned.push({ shown: cut === undefined ? instead : `<file ${name}>\n${cut}\n</file>`, isUnsaved });
  }
  return pinned;
}
