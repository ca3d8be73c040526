// Where a line reads from or writes to beside its programs.
import type { RedirectOperator } from 'unbash';
import type { Argument } from './argument.ts';
import { asks, type Finding, insists, strictest } from './finding.ts';
import type { Scene } from './scene.ts';
import { touchPlace } from './touch-places.ts';

/** Undefined when it changes nothing and leads nowhere: `2>&1`, `>/dev/null`. */
export function judgeRedirect(
  operator: RedirectOperator,
  target: Argument | undefined,
  isNamed: boolean,
  scene: Scene,
): Finding | undefined {
  if (target === undefined) return insists('Where it writes to, only running would tell.', 'critical');
  const isDuplicate = operator === '>&' || operator === '<&';
  if (isDuplicate && target.kind === 'exact' && /^([012]-?|-)$/.test(target.value)) return undefined;
  // Whoever started CodeLab may have left others open.
  if (isDuplicate && target.kind === 'exact' && /^\d+-?$/.test(target.value))
    return asks(`What ${operator}${target.text} leads to was opened by something else.`);
  const access = operator === '<' ? 'read' : 'write';
  // A redirection takes one name; where several fit, shells differ.
  const { against, places } = touchPlace(target, access, scene);
  const isDevice = against.length === 0 && places.length === 0;
  const own = isDevice ? [] : access === 'read' ? [] : [asks(`Writes to ${target.text}.`)];
  const findings = [...own, ...against, ...(isNamed ? [insists('Shells read this in different ways.')] : [])];
  return findings.length === 0 ? undefined : strictest(findings);
}
