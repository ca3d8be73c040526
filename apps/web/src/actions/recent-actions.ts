// The actions that were run from the palette lately, the latest first. This browser remembers them.
import { remembered } from '../remembered.ts';

const most = 5;
const kept = remembered<readonly string[]>('recent-actions', [], isList);

export function recentActions(): readonly string[] {
  return kept.read();
}

export function noteAction(id: string): void {
  kept.write([id, ...kept.read().filter((one) => one !== id)].slice(0, most));
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
