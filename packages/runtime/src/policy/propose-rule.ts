// The narrowest rule that would have decided this call: the same tool on exactly the same places, or the same command word by word.
import type { Command, CommandPart, Plan, Rule } from '@codelab/protocol';
import { digestJson } from '../workspace/digest.ts';
import { definitionOf } from './definition-of.ts';

/** Nothing when no rule could allow it: a human is asked about such a command each time. */
export function proposeRule(effect: 'allow' | 'deny', tool: string, plan: Plan): Rule | undefined {
  const command = plan.command && commandPatterns(effect, plan.command);
  if (plan.command && command === undefined) return undefined;
  const isAboutPlaces = command === undefined || plan.touches.some(({ access }) => access !== 'read');
  const path = isAboutPlaces ? [...new Set(plan.touches.map((touch) => anchored(touch.path)))] : [];
  // What is refused stays refused, whatever becomes of the tool.
  const definition = effect === 'allow' ? definitionOf(tool, plan) : undefined;
  const where = effect === 'allow' && plan.command ? placeOf(plan.command) : {};
  if (where === undefined) return undefined;
  const about = {
    ...(command && { command }),
    ...where,
    ...(path.length > 0 && { path }),
    ...(definition !== undefined && { definition }),
  };
  return {
    id: `remembered:${digestJson([effect, tool, path, ...(command ? [command, where] : [])]).slice(7, 19)}`,
    effect,
    tool,
    reason: effect === 'allow' ? 'You allowed this before.' : 'You refused this for good before.',
    ...about,
  };
}

/** The one folder all parts start in, and the sandbox when there is one; undefined when there are several folders. */
function placeOf({ parts, confinement }: Command): Pick<Rule, 'cwd' | 'sandboxed'> | undefined {
  const folders = new Set(parts.map(({ cwd }) => cwd));
  if (folders.size > 1) return undefined;
  const [cwd] = folders;
  const isHeld = confinement.sandbox !== 'none';
  return { ...(cwd !== undefined && { cwd }), ...(isHeld && { sandboxed: true as const }) };
}

function commandPatterns(effect: 'allow' | 'deny', { parts, confinement }: Command): string[] | undefined {
  if (effect === 'deny') {
    const refused = parts.filter(({ verdict }) => verdict !== 'allow');
    return unique((refused.length > 0 ? refused : parts).map(({ text }) => literal(text)));
  }
  const isGranting = confinement.sandbox !== 'none' && confinement.network;
  return isGranting || !parts.every(isRepeatable)
    ? undefined
    : unique(parts.map(({ words }) => literal(words.join(' '))));
}

// Joined by blanks, a word with a blank in it can't be told from two words.
function isRepeatable({ words, isDynamic, mustAsk, verdict }: CommandPart): boolean {
  const isPlain = words.length > 0 && words.every((word) => /^\S+$/.test(word));
  return isPlain && !isDynamic && !mustAsk && verdict !== 'deny';
}

function unique(patterns: string[]): string[] {
  return [...new Set(patterns)];
}

// A slash in front of a lone name would be lost, so `./` marks it.
function anchored(path: string): string {
  const escaped = literal(path);
  return escaped.includes('/') ? escaped : `./${escaped}`;
}

function literal(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
