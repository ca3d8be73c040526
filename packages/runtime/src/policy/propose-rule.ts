// The narrowest rule that would have decided this call: the same tool on exactly the same places.
import type { Plan, Rule } from '@codelab/protocol';
import { digestJson } from '../workspace/digest.ts';

export function proposeRule(effect: 'allow' | 'deny', tool: string, plan: Plan): Rule {
  const path = [...new Set(plan.touches.map((touch) => literal(touch.path)))];
  const id = `remembered:${digestJson([effect, tool, path]).slice(7, 19)}`;
  const rule: Rule = {
    id,
    effect,
    tool,
    reason: effect === 'allow' ? 'You allowed this before.' : 'You refused this for good before.',
  };
  return path.length === 0 ? rule : { ...rule, path };
}

// Anchored (a slash in front of a lone name would be lost, so `./` marks it) and with glob characters taken literally.
function literal(path: string): string {
  const escaped = path.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
  return escaped.includes('/') ? escaped : `./${escaped}`;
}
