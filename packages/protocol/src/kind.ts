// What a tool does to the world, and how much a mistake would hurt. Screens and policy switch on these, never on a tool's name.
import * as z from 'zod/mini';
import { lazily } from './lazily.ts';

export const Kind = lazily(() =>
  z.enum(['read', 'edit', 'delete', 'move', 'search', 'execute', 'ask', 'think']),
);
export type Kind = z.infer<ReturnType<typeof Kind>>;

export const Risk = lazily(() => z.enum(['low', 'medium', 'high', 'critical']));
export type Risk = z.infer<ReturnType<typeof Risk>>;

const order: readonly Risk[] = ['low', 'medium', 'high', 'critical'];

export function highestRisk(risks: Iterable<Risk>): Risk {
  let highest: Risk = 'low';
  for (const risk of risks) if (order.indexOf(risk) > order.indexOf(highest)) highest = risk;
  return highest;
}
