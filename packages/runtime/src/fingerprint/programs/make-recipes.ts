// The rules of a makefile, and the recipes that a target leads to.

import { deeperStep, type FollowStep, quietStep } from '../step.ts';
import { type Automatic, expandMake, type MakeVariables } from './make-variables.ts';

type Here = FollowStep & { cwd: string };
type Rule = { needs: string[]; lines: string[] };
type Makefile = { text: string; variables: MakeVariables };

const maxTargets = 40;

/** Follows a line of shell. Unknown variables make words that are known only at run time. */
export function runLine(line: string, variables: MakeVariables, step: Here, automatic: Automatic = {}): void {
  for (const expanded of expandMake(line, variables, automatic)) {
    const command = expanded.trim().replace(/^[@+-]+[ \t]*/, '');
    step.followText(command.replaceAll('$$', '$'), quietStep(deeperStep(step)));
  }
}

export function showRecipes(name: string, targets: readonly string[], file: Makefile, step: Here): void {
  const { text, variables } = file;
  const rules = readRules(text, variables);
  const [first] = [...rules.keys()].filter((target) => !target.includes('%'));
  const goal = /^[ \t]*\.DEFAULT_GOAL[ \t]*:?=[ \t]*(\S+)/m.exec(text)?.[1] ?? first;
  // When the targets or prerequisites of a rule are known only at run time, any recipe may run.
  const isOpen = [...rules].some(([target, { needs }]) =>
    [target, ...needs].some((name) => name.includes('$')),
  );
  const goals = targets.length > 0 ? targets : goal === undefined ? [] : [goal];
  const pending = [...goals, ...(isOpen ? rules.keys() : [])];
  const followed = new Set<string>();
  while (pending.length > 0 && followed.size < maxTargets) {
    const target = pending.shift() ?? '';
    if (followed.has(target)) continue;
    followed.add(target);
    for (const { rule, stem } of rulesFor(target, rules)) {
      const needs = rule.needs.map((need) => need.replace('%', stem));
      pending.push(...needs);
      if (rule.lines.length > 0) step.recorder.run(`${name} ${target} runs`, rule.lines.join('\n'));
      const automatic = automaticOf(target, stem, needs, text);
      for (const line of rule.lines) runLine(line, variables, step, automatic);
    }
  }
  if (pending.length > 0) step.recorder.unsure('It has too many targets to be followed.');
}

/** The rule of that name, and pattern rules that match it. */
function rulesFor(target: string, rules: ReadonlyMap<string, Rule>): { rule: Rule; stem: string }[] {
  const exactRule = rules.get(target);
  const patterns = [...rules].flatMap(([pattern, rule]) => {
    const [before = '', after = ''] = pattern.split('%', 2);
    const isFit =
      pattern.includes('%') &&
      target.length >= before.length + after.length &&
      target.startsWith(before) &&
      target.endsWith(after);
    return isFit && rule.lines.length > 0
      ? [{ rule, stem: target.slice(before.length, target.length - after.length) }]
      : [];
  });
  return [
    ...(exactRule === undefined ? [] : [{ rule: exactRule, stem: '' }]),
    ...(exactRule?.lines.length ? [] : patterns),
  ];
}

// With a search path (VPATH), the file of a prerequisite may be elsewhere.
function automaticOf(target: string, stem: string, needs: readonly string[], text: string): Automatic {
  const names = { '@': target, '*': stem };
  if (/^[ ]*(?:VPATH|vpath)\b/m.test(text)) return names;
  return { ...names, '<': needs[0] ?? '', '^': needs.join(' '), '+': needs.join(' '), '?': needs.join(' ') };
}

function readRules(text: string, variables: MakeVariables): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  let current: Rule[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) for (const rule of current) rule.lines.push(line.trim());
    else {
      const parsedRule = readRule(line, variables);
      if (parsedRule === undefined) continue;
      for (const target of parsedRule.bare) rules.set(target, rules.get(target) ?? { needs: [], lines: [] });
      current = parsedRule.targets.map((target) => {
        const rule = rules.get(target) ?? { needs: [], lines: [] };
        rule.needs.push(...parsedRule.needs);
        if (parsedRule.recipe !== undefined) rule.lines.push(parsedRule.recipe.trim());
        rules.set(target, rule);
        return rule;
      });
    }
  }
  return rules;
}

/** `bare` are targets whose recipe comes from a pattern rule. */
type ReadRule = { targets: string[]; bare: string[]; needs: string[]; recipe: string | undefined };

function readRule(line: string, variables: MakeVariables): ReadRule | undefined {
  // A hand-written scan: a regular expression would take long on a line of a million blanks.
  const colon = colonOf(line);
  if (colon <= 0 || /^[\s#]/.test(line) || /[=#]/.test(line.slice(0, colon)) || line[colon + 1] === '=')
    return undefined;
  const rest = line.slice(colon + 1).replace(/^:/, '');
  if (rest.includes('=') && !rest.includes(';')) return undefined;
  const [beforeRecipe = '', recipe] = rest.split(';', 2);
  const words = (part: string): string[] =>
    expandMake(part, variables).flatMap((expanded) =>
      expanded
        .split('#', 1)
        .join('')
        .split(/[\s|&]+/)
        .filter(Boolean),
    );
  // `a.o b.o: %.o: %.c`: the pattern in the middle gives the stem of the targets.
  const second = colonOf(beforeRecipe);
  const pattern = second < 0 ? undefined : beforeRecipe.slice(0, second).trim();
  const targets = words(line.slice(0, colon)).filter((word) => !/^\.[A-Z]/.test(word));
  return {
    targets: pattern === undefined ? targets.map(asPattern) : [pattern],
    bare: pattern === undefined ? [] : targets,
    needs: [
      ...words(second < 0 ? beforeRecipe : beforeRecipe.slice(second + 1)),
      ...targets.flatMap(suffixNeed),
    ],
    recipe,
  };
}

/** The first colon that is not inside a reference to a variable. */
function colonOf(line: string): number {
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '(' || line[at] === '{') depth++;
    else if (line[at] === ')' || line[at] === '}') depth--;
    else if (line[at] === ':' && depth <= 0) return at;
  }
  return -1;
}

/** `.sh.out` is the old spelling of `%.out: %.sh`. */
const suffixes = /^(\.[\w+-]+)(\.[\w+-]+)$/;

function asPattern(target: string): string {
  return target.replace(suffixes, '%$2');
}

function suffixNeed(target: string): string[] {
  const [, from] = suffixes.exec(target) ?? [];
  return from === undefined ? [] : [`%${from}`];
}
