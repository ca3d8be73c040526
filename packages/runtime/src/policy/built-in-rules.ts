// Rules that hold in every workspace and mode. No other rule can allow what they deny, or skip what they ask about.
import { englishText, phrase, type Rule } from '@codelab/protocol';
import { compileTrusted, ruleFactsOf } from './match-rule.ts';
import { configuring, executed, secretFiles, secretNames } from './protected-names.ts';

const changes: NonNullable<Rule['access']> = ['create', 'write', 'delete'];

export const builtInRules: readonly Rule[] = [
  {
    id: 'git-internals',
    effect: 'deny',
    risk: 'critical',
    reason: englishText(phrase('rule.gitInternals')),
    path: '.git',
    access: changes,
    matches: [
      { path: '.git' },
      { path: '.git/config' },
      { path: '.GIT/hooks/pre-commit' },
      { path: 'vendor/lib/.git/config', access: 'create' },
      { path: '.g\u200cit/config' },
      { path: 'git~1/config' },
    ],
    notMatches: [{ path: '.gitignore' }, { path: 'src/git.ts' }, { path: '.git/HEAD', access: 'read' }],
  },
  {
    id: 'own-config',
    effect: 'deny',
    risk: 'critical',
    reason: englishText(phrase('rule.ownConfig')),
    path: '.codelab',
    access: changes,
    matches: [{ path: '.codelab/config.json', access: 'create' }, { path: '.codelab' }],
    notMatches: [{ path: 'codelab/config.json' }, { path: '.codelab/config.json', access: 'read' }],
  },
  {
    id: 'protected-files',
    effect: 'ask',
    risk: 'critical',
    reason: englishText(phrase('rule.protectedFiles')),
    path: [...executed],
    access: changes,
    matches: [
      { path: 'package.json' },
      { path: 'packages/a/package.json' },
      { path: '.vscode/settings.json' },
      { path: '.github/workflows/ci.yml' },
      { path: 'app.code-workspace' },
      { path: 'Makefile' },
      { path: 'crates/a/.cargo/config.toml' },
      { path: 'web/vite.config.ts' },
    ],
    notMatches: [
      { path: 'src/env.ts' },
      { path: 'package.json.md' },
      { path: 'package.json', access: 'read' },
    ],
  },
  {
    id: 'trusted-settings',
    effect: 'ask',
    risk: 'critical',
    reason: englishText(phrase('rule.trustedSettings')),
    path: [...configuring],
    access: changes,
    matches: [{ path: 'AGENTS.md' }, { path: '.npmrc' }, { path: 'a/.MCP.json' }],
    notMatches: [{ path: 'docs/agents.txt' }, { path: 'AGENTS.md', access: 'read' }],
  },
  {
    id: 'secret-files',
    effect: 'ask',
    risk: 'critical',
    reason: englishText(phrase('rule.secretFiles')),
    path: [...secretFiles],
    access: changes,
    matches: [{ path: '.env' }, { path: 'api/.env.local' }, { path: '.ENV' }],
    notMatches: [{ path: 'src/env.ts' }, { path: '.env', access: 'read' }],
  },
  {
    id: 'secrets',
    effect: 'ask',
    risk: 'high',
    reason: englishText(phrase('rule.secrets')),
    path: [...secretNames],
    access: ['read'],
    matches: [
      { path: '.env', access: 'read' },
      { path: 'certs/server.key', access: 'read' },
      { path: '.git/config', access: 'read' },
    ],
    notMatches: [
      { path: 'src/key.ts', access: 'read' },
      { path: '.gitignore', access: 'read' },
      { path: '.env', access: 'write' },
    ],
  },
];

// A rule asks before a file that may hold secrets is read, so a search of the whole workspace skips these files. The number of matches is hidden as
// well: a caller who counts matches could guess a secret letter by letter.
function secretRules(): Rule[] {
  return builtInRules.filter(
    ({ effect, access, path }) => effect !== 'allow' && access?.includes('read') && path !== undefined,
  );
}

/** Arguments that make ripgrep skip protected files: ripgrep does not even open them, which costs less than filtering its results. */
export function protectedArguments(): string[] {
  const patterns = secretRules().flatMap(({ path = [] }) => path);
  // ripgrep reads one list, and tests each name against it, in a third of the time of sixty patterns.
  const isListed = (pattern: string): boolean => !/[/{},\\]/.test(pattern);
  const separate = patterns.filter((pattern) => !isListed(pattern));
  return [`{${patterns.filter(isListed).join(',')}}`, ...separate].map((pattern) => `--iglob=!${pattern}`);
}

/** Whether a path is protected under any spelling that some file system treats as the same name. */
export function isProtected(path: string): boolean {
  return path.split('/').some(isProtectedName);
}

// The same names recur: folders, and recently found files.
const cache = new Map<string, boolean>();
const maxKnown = 10_000;
let compiled: ReturnType<typeof compileTrusted>[] | undefined;

function isProtectedName(name: string): boolean {
  const answer = cache.get(name) ?? matchesRule(name);
  if (cache.size >= maxKnown) cache.clear();
  cache.set(name, answer);
  return answer;
}

function matchesRule(path: string): boolean {
  const facts = ruleFactsOf({ tool: 'search', kind: 'search', profile: 'build' }, [
    { asked: path, path, access: 'read' },
  ]);
  compiled ??= secretRules().map(compileTrusted);
  return compiled.some(({ test }) => test(facts));
}
