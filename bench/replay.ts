/**
 * `npm run replay [-- FILE.jsonl …]`: judges the commands and edits of recorded sessions in every mode, without running any, and prints how
 * often a person would have been asked. Without files it uses those of fixtures/sessions, whose README describes their format.
 * Flags: --causes N prints the N most frequent causes of each mode (10), --asked prints every step that needs approval.
 * With rules: the person accepts every offered rule for all later sessions of the same ecosystem, a command's with any arguments and an
 * edit's for its folder.
 */
import { parseArgs } from 'node:util';
import {
  type Access,
  type Command,
  type Plan,
  type PolicyMode,
  policyModes,
  type Rule,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import { explainCommand, proposeBreadths } from '@codelab/runtime';
import { builtInRules } from '../packages/runtime/src/policy/built-in-rules.ts';
import { ruleFactsOf } from '../packages/runtime/src/policy/match-rule.ts';
import { createRuleBook, type RuleBook } from '../packages/runtime/src/policy/rule-book.ts';
import { Workspace } from '../packages/runtime/src/workspace/workspace.ts';
import {
  ownSessions,
  readJsonLines,
  removeScratch,
  type Session,
  type Step,
  scratchFor,
} from './replay-sessions.ts';

type Judged = { text: string; verdict: Verdict['verdict']; reason: string };
type Tally = { judged: Judged[][]; ms: number };

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { causes: { type: 'string', default: '10' }, asked: { type: 'boolean', default: false } },
});

const emptyPlan: Plan = { summary: '', risk: 'medium', riskReason: '', touches: [], notes: [], basis: [] };

type Spellings = { askedCount: number; ruled: number; askedAgain: number; covered: number };
const none = (): Spellings => ({ askedCount: 0, ruled: 0, askedAgain: 0, covered: 0 });
const spellings = { open: none(), firm: none() };
const lastAsked = new Map<string, { kind: 'open' | 'firm'; rule: Rule | undefined; text: string }>();

const sessions = positionals.length > 0 ? positionals.flatMap(readJsonLines) : ownSessions();
const steps = sessions.reduce((sum, session) => sum + session.steps.length, 0);
const ecosystems = new Set(sessions.map(({ ecosystem }) => ecosystem));
console.log(`${sessions.length} sessions of ${ecosystems.size} ecosystems, ${steps} steps\n`);
console.log('mode      rules   allowed  asked  denied   asked per session: median  mean  max   ms per step');
for (const mode of policyModes)
  for (const hasRules of [false, true]) {
    const tally = await replay(mode, hasRules);
    printRow(mode, hasRules, tally);
    if (!hasRules) printCauses(tally);
    if (!hasRules && mode === 'balanced') printSpellings();
  }

async function replay(mode: PolicyMode, hasRules: boolean): Promise<Tally> {
  const judged: Judged[][] = [];
  const books = new Map<string, RuleBook>();
  const began = performance.now();
  for (const session of sessions) {
    const sources = [{ layer: 'built-in' as const, rules: builtInRules }];
    const rules =
      books.get(session.ecosystem) ?? createRuleBook({ mode, sources, save: async () => undefined });
    if (hasRules) books.set(session.ecosystem, rules);
    judged.push(await replaySession(session, rules, hasRules));
  }
  return { judged, ms: performance.now() - began };
}

async function replaySession(session: Session, rules: RuleBook, hasRules: boolean): Promise<Judged[]> {
  const { steps, root } = session;
  const scratch = scratchFor(session);
  try {
    using workspace = Workspace.open(scratch);
    const judged: Judged[] = [];
    for (const step of steps)
      judged.push(
        'run' in step
          ? await judgeCommand(root === undefined ? step.run : step.run.replaceAll(root, scratch), {
              workspace,
              rules,
              hasRules,
              ecosystem: session.ecosystem,
            })
          : await judgeEdit(step, rules, hasRules),
      );
    return judged;
  } finally {
    removeScratch(scratch);
  }
}

type Judging = { workspace: Workspace; rules: RuleBook; hasRules: boolean; ecosystem: string };

async function judgeCommand(line: string, judging: Judging): Promise<Judged> {
  const { workspace, rules, hasRules } = judging;
  try {
    const { verdict, command } = await explainCommand({ workspace, rules, sandbox: 'auto' }, line);
    if (verdict.verdict === 'ask') {
      const rule = widest({
        tool: 'run_command',
        kind: 'execute',
        args: {},
        verdict,
        plan: { ...emptyPlan, command },
      });
      if (hasRules && rule !== undefined) await rules.remember('user', rule);
      if (!hasRules && rules.mode === 'balanced')
        await noteSpelling(line, { verdict, command, rule, ...judging });
    }
    return { text: line, ...verdict };
  } catch (error) {
    if (error instanceof ToolError) return { text: line, verdict: 'deny', reason: error.message };
    throw error;
  }
}

/** The rule that a person accepts who is asked too often: any arguments for a program, edits in a folder. */
function widest(call: Parameters<typeof proposeBreadths>[0]): Rule | undefined {
  const proposals = proposeBreadths(call).filter(({ breadth }) => breadth !== 'all');
  return proposals.at(-1)?.rule;
}

async function judgeEdit(
  step: Exclude<Step, { run: string }>,
  rules: RuleBook,
  hasRules: boolean,
): Promise<Judged> {
  const [does, path] = Object.entries(step)[0] as ['edit' | 'create' | 'delete', string];
  const access: Access = does === 'edit' ? 'write' : does;
  const tool = does === 'delete' ? 'delete_file' : 'write_file';
  const kind = does === 'delete' ? ('delete' as const) : ('edit' as const);
  const plan = { ...emptyPlan, touches: [{ asked: path, path, access }] };
  const facts = ruleFactsOf({ tool, kind, profile: 'build' }, plan.touches);
  const verdict = rules.judge(facts, plan, { peerAsks: false, sessionRules: [] });
  const isOpen = verdict.verdict === 'ask' && verdict.rule.startsWith('default:');
  const rule = hasRules && isOpen ? widest({ tool, kind, args: {}, verdict, plan }) : undefined;
  if (rule !== undefined) await rules.remember('user', rule);
  return { text: `${does} ${path}`, ...verdict };
}

/**
 * Programs that are asked about and come again with the same subcommand, in the same or a later session: does the rule that was offered the
 * first time cover the second spelling?
 */
async function noteSpelling(
  line: string,
  judged: Judging & { verdict: Verdict; command: Command; rule: Rule | undefined },
): Promise<void> {
  const { verdict, command, rule, workspace, ecosystem } = judged;
  const kind = command.parts.some(({ mustAsk }) => mustAsk) ? 'firm' : 'open';
  for (const [at, part] of command.parts.entries()) {
    if (verdict.parts[at]?.verdict !== 'ask') continue;
    spellings[kind].askedCount++;
    if (rule !== undefined) spellings[kind].ruled++;
    const name = `${ecosystem} ${signature(part.words)}`;
    const before = lastAsked.get(name);
    lastAsked.set(name, { kind, rule, text: part.text });
    // No rule should cover calls that always need approval.
    if (before === undefined || (before.kind === 'open' && kind === 'firm')) continue;
    spellings[before.kind].askedAgain++;
    const isCovered = before.rule !== undefined && (await covers(before.rule, line, at, workspace));
    if (isCovered) spellings[before.kind].covered++;
    else if (flags.asked)
      console.log(
        `    not covered (${before.kind}): ${JSON.stringify(before.text)} then ${JSON.stringify(part.text)}`,
      );
  }
}

async function covers(rule: Rule, line: string, at: number, workspace: Workspace): Promise<boolean> {
  const rules = createRuleBook({
    mode: 'balanced',
    sources: [{ layer: 'user', rules: [rule] }],
    save: async () => undefined,
  });
  const { verdict } = await explainCommand({ workspace, rules, sandbox: 'auto' }, line);
  return verdict.parts[at]?.verdict === 'allow';
}

/** The program and what looks like its subcommand: `npm run build`, `python -m pytest`, `python manage.py migrate`, `bundle exec rake db:seed`. */
function signature([program = '', ...args]: readonly string[]): string {
  if (/^(cmake|java|tar)$/.test(program)) return `${program} ${args[0] ?? ''}`;
  const module = args.indexOf('-m');
  if (/^python/.test(program) && module >= 0) return `${program} -m ${args[module + 1]}`;
  const words = args.filter((word) => !word.startsWith('-'));
  const isStarter = /^(run|exec)$/.test(words[0] ?? '');
  const isScript = /^(python|node|ruby|php|perl|bash|sh)/.test(program);
  const depth = isStarter ? (words[1] === 'rake' ? 3 : 2) : isScript ? 2 : 1;
  const optionNames = words
    .slice(0, depth)
    .filter((word, at) => (isScript && at === 0) || /^[a-z][\w.:-]*$/i.test(word));
  return [program, ...optionNames].join(' ');
}

function printSpellings(): void {
  for (const [kind, { askedCount, ruled, askedAgain, covered }] of Object.entries(spellings)) {
    const share = askedAgain === 0 ? 'none' : `${((100 * covered) / askedAgain).toFixed(0)} %`;
    console.log(
      `          ${kind === 'open' ? 'programs in lines that a rule may allow' : 'programs in lines with a part that is always asked about'}: ${askedCount} asked, ${ruled} get a rule; of ${askedAgain} that come again in such a line it covers ${covered} (${share})`,
    );
  }
}

function printRow(mode: PolicyMode, hasRules: boolean, { judged, ms }: Tally): void {
  const all = judged.flat();
  const count = (verdict: string): number => all.filter((step) => step.verdict === verdict).length;
  const perSession = judged
    .map((steps) => steps.filter(({ verdict }) => verdict === 'ask').length)
    .sort((a, b) => a - b);
  const mean = perSession.reduce((sum, count) => sum + count, 0) / perSession.length;
  const median = perSession[Math.floor(perSession.length / 2)] ?? 0;
  const cells = [mode.padEnd(9), (hasRules ? 'kept' : 'none').padEnd(7)];
  const figures = [count('allow'), count('ask'), count('deny')].map((figure) => String(figure).padStart(6));
  const spread = [median, mean.toFixed(1), perSession.at(-1) ?? 0].map((figure) =>
    String(figure).padStart(6),
  );
  console.log(
    `${cells.join(' ')}${figures.join('  ')}${' '.repeat(26)}${spread.join('')}${(ms / all.length).toFixed(1).padStart(10)}`,
  );
}

function printCauses({ judged }: Tally): void {
  const notAllowed = judged.flat().filter(({ verdict }) => verdict !== 'allow');
  if (flags.asked)
    for (const { text, verdict, reason } of notAllowed)
      console.log(`    ${verdict} ${JSON.stringify(text)}  ${reason}`);
  const causes = Map.groupBy(notAllowed, ({ reason }) => reason.replace(/\S*["'`$/]\S*|\S+\.\S+/g, '…'));
  const commonest = [...causes].sort(([, a], [, b]) => b.length - a.length).slice(0, Number(flags.causes));
  for (const [reason, { length }] of commonest)
    console.log(`          ${String(length).padStart(4)}  ${reason.slice(0, 110)}`);
}
