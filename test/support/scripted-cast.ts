// A scripted model for an agent and its sub-agents, each with its own lines.
import type { ModelRequest } from '@codelab/agent';
import { type ScriptedModel, scriptedModel } from './scripted-model.ts';

export type Calls = [tool: string, args: Record<string, unknown>][];
export type Said = { text?: string; calls?: Calls };

/** Each agent gets the next line of its script; sub-agents are recognized by their prompts. */
export function scriptedCast(scripts: Record<string, Said[]>): ScriptedModel {
  const marks: [string, string][] = [
    ['explore', 'You look something up'],
    ['general', 'You carry out one piece of work'],
  ];
  const at = new Map<string, number>();
  return scriptedModel(({ system, messages }: ModelRequest) => {
    const who = marks.find(([, mark]) => system.includes(mark))?.[0] ?? 'main';
    const key = who === 'main' ? who : `${who} ${JSON.stringify(messages[0])}`;
    const step = messages.length === 1 && who !== 'main' ? 0 : (at.get(key) ?? 0);
    at.set(key, step + 1);
    return scripts[who]?.[step] ?? { text: 'done' };
  });
}
