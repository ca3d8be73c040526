/**
 * `npm run replay [-- FILE.jsonl …]`: judges the commands and edits of recorded sessions in every mode, without running any, and prints how
 * often a person would have been asked. Without files it takes those of fixtures/sessions, whose README says what a session looks like.
 * Flags: --causes N prints the N most frequent causes of each mode (10), --asked prints every step that is asked about.
 * With rules: whenever a rule is offered, the person accepts it, for all sessions that follow of the same ecosystem.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Access,
  type Plan,
  type PolicyMode,
  policyModes,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import { explainCommand, proposeRule } from '@codelab/runtime';
import { builtInRules } from '../packages/runtime/src/policy/built-in-rules.ts';
import { factsOf } from '../packages/runtime/src/policy/match-rule.ts';
import { createRuleBook, type RuleBook } from '../packages/runtime/src/policy/rule-book.ts';
import { Workspace } from '../packages/runtime/src/workspace/workspace.ts';

type Step = { run: string } | { edit: string } | { create: string } | { delete: string };
/** `root`: the folder that the recorded paths begin with. */
type Session = { id: string; ecosystem: string; root?: string; steps: Step[] };
type Judged = { text: string; verdict: Verdict['verdict']; reason: string };
type Tally = { judged: Judged[][]; ms: number };

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { causes: { type: 'string', default: '10' }, asked: { type: 'boolean', default: false } },
});

const emptyPlan: Plan = { summary: '', risk: 'medium', riskReason: '', touches: [], notes: [], basis: [] };

const sessions = positionals.length > 0 ? positionals.flatMap(readJsonLines) : ownSessions();
const steps = sessions.reduce((sum, one) => sum + one.steps.length, 0);
const ecosystems = new Set(sessions.map(({ ecosystem }) => ecosystem));
console.log(`${sessions.length} sessions of ${ecosystems.size} ecosystems, ${steps} steps\n`);
console.log('mode      rules   allowed  asked  denied   asked per session: median  mean  max   ms per step');
for (const mode of policyModes)
  for (const hasRules of [false, true]) {
    const tally = await replay(mode, hasRules);
    printRow(mode, hasRules, tally);
    if (!hasRules) printCauses(tally);
  }

function ownSessions(): Session[] {
  const folder = join(import.meta.dirname, '..', 'fixtures', 'sessions');
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return files.flatMap((name) => readSessions(readFileSync(join(folder, name), 'utf8')));
}

function readSessions(text: string): Session[] {
  const found: Session[] = [];
  for (const line of text.split('\n')) {
    const [, ecosystem = '', id = ''] = /^# (\w+): (.*)$/.exec(line) ?? [];
    const rest = line.slice(2).replaceAll('\\n', '\n');
    if (id !== '') found.push({ id, ecosystem, steps: [] });
    else if (line.startsWith('$ ')) found.at(-1)?.steps.push({ run: rest });
    else if (line.startsWith('~ ')) found.at(-1)?.steps.push({ edit: rest });
    else if (line.startsWith('+ ')) found.at(-1)?.steps.push({ create: rest });
    else if (line.startsWith('- ')) found.at(-1)?.steps.push({ delete: rest });
  }
  return found;
}

function readJsonLines(file: string): Session[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Session);
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

async function replaySession(
  { steps, root }: Session,
  rules: RuleBook,
  hasRules: boolean,
): Promise<Judged[]> {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'codelab-replay-'));
  try {
    spawnSync('git', ['init', '--quiet', scratch]);
    for (const step of steps) if ('edit' in step) plant(join(scratch, step.edit));
    using workspace = Workspace.open(scratch);
    const judged: Judged[] = [];
    for (const step of steps)
      judged.push(
        'run' in step
          ? await judgeCommand(root === undefined ? step.run : step.run.replaceAll(root, scratch), {
              workspace,
              rules,
              hasRules,
            })
          : judgeEdit(step, rules),
      );
    return judged;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function plant(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'text\n');
}

type Judging = { workspace: Workspace; rules: RuleBook; hasRules: boolean };

async function judgeCommand(line: string, { workspace, rules, hasRules }: Judging): Promise<Judged> {
  try {
    const { verdict, command } = await explainCommand({ workspace, rules, sandbox: 'auto' }, line);
    if (hasRules && verdict.verdict === 'ask') {
      const plan = { ...emptyPlan, command };
      const rule = proposeRule('allow', { tool: 'run_command', plan, args: { command: line } });
      if (rule !== undefined) await rules.remember('user', rule);
    }
    return { text: line, ...verdict };
  } catch (error) {
    if (error instanceof ToolError) return { text: line, verdict: 'deny', reason: error.message };
    throw error;
  }
}

function judgeEdit(step: Exclude<Step, { run: string }>, rules: RuleBook): Judged {
  const [kind, path] = Object.entries(step)[0] as ['edit' | 'create' | 'delete', string];
  const access: Access = kind === 'edit' ? 'write' : kind;
  const tool = kind === 'delete' ? 'delete_file' : 'write_file';
  const touches = [{ asked: path, path, access }];
  const facts = factsOf({ tool, kind: kind === 'delete' ? 'delete' : 'edit', profile: 'build' }, touches);
  const verdict = rules.judge(facts, { ...emptyPlan, touches }, { peerAsks: false, sessionRules: [] });
  return { text: `${kind} ${path}`, ...verdict };
}

function printRow(mode: PolicyMode, hasRules: boolean, { judged, ms }: Tally): void {
  const all = judged.flat();
  const count = (verdict: string): number => all.filter((one) => one.verdict === verdict).length;
  const perSession = judged
    .map((one) => one.filter(({ verdict }) => verdict === 'ask').length)
    .sort((a, b) => a - b);
  const mean = perSession.reduce((sum, one) => sum + one, 0) / perSession.length;
  const median = perSession[Math.floor(perSession.length / 2)] ?? 0;
  const cells = [mode.padEnd(9), (hasRules ? 'kept' : 'none').padEnd(7)];
  const figures = [count('allow'), count('ask'), count('deny')].map((one) => String(one).padStart(6));
  const spread = [median, mean.toFixed(1), perSession.at(-1) ?? 0].map((one) => String(one).padStart(6));
  console.log(
    `${cells.join(' ')}${figures.join('  ')}${' '.repeat(26)}${spread.join('')}${(ms / all.length).toFixed(1).padStart(10)}`,
  );
}

function printCauses({ judged }: Tally): void {
  const asked = judged.flat().filter(({ verdict }) => verdict !== 'allow');
  if (flags.asked)
    for (const { text, verdict, reason } of asked)
      console.log(`    ${verdict} ${JSON.stringify(text)}  ${reason}`);
  const causes = Map.groupBy(asked, ({ reason }) => reason.replace(/\S*["'`$/]\S*|\S+\.\S+/g, '…'));
  const most = [...causes].sort(([, a], [, b]) => b.length - a.length).slice(0, Number(flags.causes));
  for (const [reason, { length }] of most)
    console.log(`          ${String(length).padStart(4)}  ${reason.slice(0, 110)}`);
}
