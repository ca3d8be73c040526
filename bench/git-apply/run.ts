// node bench/git-apply/run.ts GIT_SOURCE [--records FOLDER] [SCRIPT…]
//
// Runs git's own scripts for `git apply` (t4100 to t4141, or the named ones) and replays every call of `git apply` in them through the tool
// apply_patch, on a copy of git's tree. Prints how many trees are equal, and each call that ended differently; exits with 1 when our tree
// differs from git's. With --records the recorded calls are stored in FOLDER, and when it has some already, only they are replayed: no
// script is run.
//
// GIT_SOURCE is a source tree of git (the release of the installed git, such as from `apt-get source git`), with its helpers built: `make
// NO_CURL=1 NO_GETTEXT=1 GIT-BUILD-OPTIONS t/helper/test-tool && make -C templates`.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordScripts } from './record-scripts.ts';
import { type Comparison, replay, type Verdict } from './replay.ts';

const VERDICTS: Verdict[] = ['same tree', 'both refuse', 'we refuse', 'only we apply', 'another tree'];
const WORDY = /^(?:-v|--verbose|--whitespace=(?:nowarn|warn))$/;
const NEARLY = /^(?:--index|--binary|--allow-binary-replacement|--unidiff-zero)$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { records: { type: 'string' } },
});
const [source, ...scripts] = positionals;
if (source === undefined) throw new Error('Name the folder with the sources of git.');
const records = resolve(values.records ?? mkdtempSync(join(tmpdir(), 'codelab-git-apply-')));
mkdirSync(records, { recursive: true });
try {
  if (readdirSync(records).length === 0) recordScripts({ source: resolve(source), records, scripts });
  const all: Comparison[] = [];
  for (const name of readdirSync(records)) all.push(await replay(join(records, name)));
  for (const kind of ['plain', 'nearly plain'] as const)
    print(
      kind,
      all.filter((comparison) => kindOf(comparison) === kind),
    );
} finally {
  if (values.records === undefined) rmSync(records, { recursive: true });
}

/** Calls without options that change the resulting tree are plain; the options below request what apply_patch always does, or more. */
function kindOf({ args, settings }: Comparison): 'plain' | 'nearly plain' | 'other' {
  const options = args.slice(1).filter((arg) => arg.startsWith('-') && arg !== '-');
  if (settings.length > 0) return 'other';
  if (options.every((option) => WORDY.test(option))) return 'plain';
  return options.every((option) => WORDY.test(option) || NEARLY.test(option)) ? 'nearly plain' : 'other';
}

function print(kind: string, comparisons: readonly Comparison[]): void {
  const counts = (verdict: Verdict): string =>
    `${verdict}: ${comparisons.filter((comparison) => comparison.verdict === verdict).length}`;
  console.log(`${kind} calls: ${comparisons.length} (${VERDICTS.map(counts).join(', ')})`);
  for (const { verdict, script, args, place, message } of comparisons.toSorted(byScript)) {
    if (verdict === 'another tree') process.exitCode = 1;
    if (verdict === 'same tree' || verdict === 'both refuse') continue;
    console.log(`  ${verdict}: ${script}: git ${args.join(' ')} (${place})${message && `\n    ${message}`}`);
  }
}

function byScript(first: Comparison, second: Comparison): number {
  return first.script.localeCompare(second.script);
}
