// One program with its arguments: what it would do, found in the tables. What is in none of them is asked about.
import type { CommandPart } from '@codelab/protocol';
import { nameCodePoint } from '../misleading-text.ts';
import type { Argument } from './argument.ts';
import { expandGlobs } from './expand-globs.ts';
import { asks, type Finding, insists, strictest, unreadable } from './finding.ts';
import { judgeProgram } from './judge-program.ts';
import { refuseState } from './refuse-state.ts';
import { standingIn } from './resolve-place.ts';
import type { Scene } from './scene.ts';

const maxDepth = 12;
const maxPrograms = 50;

/** Adds the part and those of the programs inside it; returns the strictest of them. */
export function judgeWords(words: readonly Argument[], text: string, scene: Scene): Finding {
  if (scene.depth >= maxDepth) throw unreadable('Commands stand in commands too deep to be judged.');
  if (++scene.programs > maxPrograms)
    throw unreadable(`The line starts more than ${maxPrograms} programs. Put it into a file.`);
  const at = scene.parts.length;
  const { depth } = scene;
  const standing = standingIn(scene);
  scene.parts.push(partOf(words, text, insists('Not judged yet.'), standing));
  scene.depth = depth + 1;
  const finding = judgeNamed(words, scene);
  scene.depth = depth;
  scene.parts[at] = partOf(words, text, finding, standing);
  return strictest(scene.parts.slice(at));
}

function partOf(
  words: readonly Argument[],
  text: string,
  finding: Finding,
  standing: Pick<CommandPart, 'cwd' | 'depth'>,
): CommandPart {
  const isDynamic = words.some(({ kind }) => kind === 'variable' || kind === 'unknown');
  const known = words.map(({ kind, value, text: written }) => (kind === 'exact' ? value : written));
  return { text, words: known, isDynamic, ...finding, ...standing };
}

function judgeNamed(words: readonly Argument[], scene: Scene): Finding {
  const [program, ...given] = words;
  if (program === undefined || program.kind !== 'exact')
    return insists('Which program this starts, only running would tell.', 'critical');
  const odd = /[^\x21-\x7e]/u.exec(program.value);
  if (odd)
    return insists(
      `The program's name holds ${nameCodePoint(odd[0])}, so it is not the one it looks like.`,
      'critical',
    );
  const name = program.value.split('/').at(-1) ?? '';
  const inner = (words: readonly Argument[]): Finding =>
    judgeWords(words, words.map(({ text }) => text).join(' '), scene);
  const args = expandGlobs(given, scene);
  refuseState(args, scene);
  const found = judgeProgram({ name, args, written: given, scene, inner });
  if (!program.value.includes('/')) return found;
  return strictest([asks(`${program.text} is named by its path: it may be any program.`, 'high'), found]);
}
