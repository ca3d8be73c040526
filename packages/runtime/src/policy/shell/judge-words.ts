// One program with its arguments: what it would do, found in the tables. What is in none of them is asked about.
import { type CommandPart, phrase } from '@codelab/protocol';
import { nameCodePoint } from '../misleading-text.ts';
import type { Argument } from './argument.ts';
import { programForm } from './forms/program-form.ts';
import { asks, deniedLine, insists, type Judgement, notJudgedYet, strictest } from './judgement.ts';
import { expandGlobs } from './places/expand-globs.ts';
import { partLocation, refuseState } from './places/resolve-place.ts';
import { judgeProgram } from './programs/judge-program.ts';
import type { Scene } from './scene.ts';

const maxDepth = 12;
const maxPrograms = 50;

/** Adds the part and those of the programs inside it; returns the strictest of them. */
export function judgeWords(words: readonly Argument[], text: string, scene: Scene): Judgement {
  if (scene.depth >= maxDepth) throw deniedLine(phrase('line.commandsTooDeep'));
  if (++scene.programs > maxPrograms) throw deniedLine(phrase('line.tooManyPrograms', { most: maxPrograms }));
  const at = scene.parts.length;
  const { depth } = scene;
  const standing = partLocation(scene);
  scene.parts.push(partOf(words, text, notJudgedYet, standing));
  scene.depth = depth + 1;
  const finding = judgeNamed(words, scene);
  scene.depth = depth;
  const program = formOf(words, finding, scene);
  scene.parts[at] = { ...partOf(words, text, finding, standing), ...(program && { program }) };
  return strictest(scene.parts.slice(at));
}

/** What is known to change nothing is known by its name alone, while that is so. */
function formOf(
  words: readonly Argument[],
  { verdict, mustAsk }: Judgement,
  scene: Scene,
): string[] | undefined {
  const [program, ...given] = words;
  if (program?.kind !== 'exact' || mustAsk || verdict === 'deny') return undefined;
  return verdict === 'allow' ? [program.value] : programForm([program, ...expandGlobs(given, scene)], scene);
}

function partOf(
  words: readonly Argument[],
  text: string,
  finding: Judgement,
  standing: Pick<CommandPart, 'cwd' | 'depth'>,
): CommandPart {
  const isDynamic = words.some(({ kind }) => kind === 'variable' || kind === 'unknown');
  const known = words.map(({ kind, value, text: written }) => (kind === 'exact' ? value : written));
  return { text, words: known, isDynamic, ...finding, ...standing };
}

function judgeNamed(words: readonly Argument[], scene: Scene): Judgement {
  const [program, ...given] = words;
  if (program === undefined || program.kind !== 'exact')
    return insists(phrase('line.unknownProgram'), 'critical');
  const odd = /[^\x21-\x7e]/u.exec(program.value);
  if (odd) return insists(phrase('line.disguisedName', { character: nameCodePoint(odd[0]) }), 'critical');
  const name = program.value.split('/').at(-1) ?? '';
  const inner = (words: readonly Argument[]): Judgement =>
    judgeWords(words, words.map(({ text }) => text).join(' '), scene);
  const args = expandGlobs(given, scene);
  refuseState(args, scene);
  const found = judgeProgram({ name, args, written: given, scene, inner });
  if (!program.value.includes('/')) return found;
  return strictest([asks(phrase('line.namedByPath', { program: program.text }), 'high'), found]);
}
