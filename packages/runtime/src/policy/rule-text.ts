// A rule in words: what it speaks about, and what a rule of some breadth allows.
import { type Breadth, englishText, type Phrase, phrase, type Rule, visibleLine } from '@codelab/protocol';
import { wordsText } from './match-words.ts';

/** What a rule speaks about, in one line. */
export function ruleMatches(rule: Rule): string {
  return conditionPhrases(rule).map(englishText).join(', ');
}

/** Each condition by itself, for screens in other languages. */
export function conditionPhrases(rule: Rule): Phrase[] {
  const { tool, kind, path, access, command, words, cwd, sandboxed, profile, args, free, prints } = rule;
  const fixed = args && Object.entries(args).map(([name, value]) => `${name}=${value}`);
  const files = prints?.flatMap((one) => one.files.map((file) => file.path));
  const conditions = [
    ...about('about.tool', tool),
    ...about('about.kind', kind),
    ...about('about.path', path),
    ...about('about.access', access),
    ...about('about.command', command),
    ...about('about.words', words && wordsText(words)),
    ...about('about.folder', cwd),
    ...(sandboxed ? [phrase('about.sandbox')] : []),
    ...about('about.profile', profile),
    ...about('about.arguments', fixed),
    ...about('about.free', free),
    ...about('about.files', files),
  ];
  return conditions.length === 0 ? [phrase('about.everything')] : conditions;
}

type AboutKey =
  `about.${'tool' | 'kind' | 'path' | 'access' | 'command' | 'words' | 'folder' | 'profile' | 'arguments' | 'free' | 'files'}`;

function about(key: AboutKey, values: string | readonly string[] | undefined): Phrase[] {
  if (values === undefined || values.length === 0) return [];
  return [phrase(key, { values: visibleLine([values].flat().join(' ')) })];
}

/** What a rule of this breadth allows, in a few words; its conditions stand in the rule itself. */
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
