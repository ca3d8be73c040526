// A rule in words: which calls it matches, and what a rule of some breadth allows.

import {
  type Breadth,
  englishText,
  type Phrase,
  type PolicyMode,
  phrase,
  type Rule,
  type SessionLog,
  visibleLine,
  type WordsPattern,
} from '@codelab/protocol';
import { compileRule, definitionOf, type RuleFacts, ruleFactsOf } from './match-rule.ts';
import { judge } from './rule-book.ts';

/** Which calls a rule matches, in one line. */
export function ruleMatches(rule: Rule): string {
  return conditionPhrases(rule).map(englishText).join(', ');
}

/** Each condition by itself, for screens in other languages. */
export function conditionPhrases(rule: Rule): Phrase[] {
  const { tool, kind, path, access, command, words, cwd, sandboxed, profile, args, free, prints } = rule;
  const fixed = args && Object.entries(args).map(([name, value]) => `${name}=${value}`);
  const files = prints?.flatMap((print) => print.files.map((file) => file.path));
  const conditions = [
    ...aboutPhrases('about.tool', tool),
    ...aboutPhrases('about.kind', kind),
    ...aboutPhrases('about.path', path),
    ...aboutPhrases('about.access', access),
    ...aboutPhrases('about.command', command),
    ...aboutPhrases('about.words', words && wordsText(words)),
    ...aboutPhrases('about.folder', cwd),
    ...(sandboxed ? [phrase('about.sandbox')] : []),
    ...aboutPhrases('about.profile', profile),
    ...aboutPhrases('about.arguments', fixed),
    ...aboutPhrases('about.free', free),
    ...aboutPhrases('about.files', files),
  ];
  return conditions.length === 0 ? [phrase('about.everything')] : conditions;
}

type AboutKey =
  `about.${'tool' | 'kind' | 'path' | 'access' | 'command' | 'words' | 'folder' | 'profile' | 'arguments' | 'free' | 'files'}`;

function aboutPhrases(key: AboutKey, values: string | readonly string[] | undefined): Phrase[] {
  if (values === undefined || values.length === 0) return [];
  return [phrase(key, { values: visibleLine([values].flat().join(' ')) })];
}

/** The words of each part, as a person would type them. */
function wordsText(patterns: readonly WordsPattern[]): string {
  const texts = patterns.map(({ words, more, cwd }) => {
    const line = words
      .map((word) => (/^[\w./:=@%+,<>-]+$/.test(word) ? word : JSON.stringify(word)))
      .join(' ');
    return `${line}${more === true ? ' …' : ''}${cwd === undefined || cwd === '.' ? '' : ` (in ${cwd})`}`;
  });
  return texts.join(' and ');
}

/** The effect of a rule of this breadth, in a few words; its conditions are listed with the rule. */
export function breadthText(breadth: Breadth, { words, command, path = [], ...rule }: Rule): string {
  const places = [path].flat().map((place) => place.replace(/^\.\//, ''));
  switch (breadth) {
    case 'program':
      return wordsText(words ?? []);
    case 'file':
      return `edits of ${places.join(', ')}`;
    case 'folder':
      return `edits in ${places.map((place) => (place === '*' ? 'the top folder' : place)).join(', ')}`;
    case 'all':
      return 'all edits in this workspace';
    case 'exact':
      return command === undefined && words === undefined
        ? ruleMatches({ ...rule, path })
        : [...[command ?? []].flat(), ...(words ? [wordsText(words)] : [])].join(' and ');
  }
}

// The earlier calls in this workspace that a rule would have allowed, so that people see how far it reaches.

const maxSessions = 50;
const maxEvents = 2000;

export type PastMatch = { session: string; callId: string; at: number; summary: string };

/** Newest first. `workspace` is its real path; `mode` decides whether reading calls need the rule at all. */
export async function pastMatches(
  log: SessionLog,
  workspace: string,
  rule: Rule,
  mode: PolicyMode = 'strict',
): Promise<PastMatch[]> {
  const policy = { mode, rules: [{ layer: 'session' as const, ...compileRule(rule) }] };
  const sessions = (await log.sessions()).filter((summary) => summary.workspace === workspace);
  const newest = sessions.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, maxSessions);
  const matches = new Map<string, PastMatch>();
  for (const { id: session } of newest) {
    const tools = new Map<string, Pick<RuleFacts, 'tool' | 'profile' | 'args'>>();
    for (const { body, time } of await log.read(session, { limit: maxEvents })) {
      if (body.type === 'call.received') {
        const { id, tool, profile = 'build', args } = body.call;
        tools.set(id, { tool, profile, args });
      }
      const call = body.type === 'call.planned' ? tools.get(body.callId) : undefined;
      if (body.type !== 'call.planned' || call === undefined) continue;
      const { plan, callId } = body;
      // A rule can allow only calls that would otherwise be asked about; the record does not have the kind itself.
      const facts = ruleFactsOf({ ...call, kind: plan.command ? 'execute' : 'edit' }, plan.touches);
      const factsWithDefinition = { ...facts, definition: definitionOf(call.tool, plan) };
      const { verdict, rule: by, isAllowedByRules } = judge(policy, factsWithDefinition, plan, false);
      if (by === rule.id || (verdict === 'allow' && isAllowedByRules === true))
        matches.set(`${session} ${callId}`, { session, callId, at: time, summary: plan.summary });
    }
  }
  return [...matches.values()].sort((a, b) => b.at - a.at);
}
