// One program with its arguments, judged by the tables. A program in no table needs approval.
import { type CommandPart, phrase } from '@codelab/protocol';
import { nameCodePoint } from '../misleading-text.ts';
import type { Argument } from './argument.ts';
import { alwaysAsks, asks, deniedLine, type Judgement, notJudgedYet, strictest } from './judgement.ts';
import type { LineState } from './line-state.ts';
import { expandGlobs } from './places/expand-globs.ts';
import { partLocation, refuseState } from './places/resolve-place.ts';
import { judgeProgram } from './programs/judge-program.ts';
import { programRuleWords } from './rule-words/program-rule-words.ts';

const maxDepth = 12;
const maxPrograms = 50;

/** Adds the part and the parts of the programs inside it; returns the strictest judgement of them. */
export function judgeWords(words: readonly Argument[], text: string, state: LineState): Judgement {
  if (state.depth >= maxDepth) throw deniedLine(phrase('line.commandsTooDeep'));
  if (++state.programs > maxPrograms) throw deniedLine(phrase('line.tooManyPrograms', { most: maxPrograms }));
  const at = state.parts.length;
  const { depth } = state;
  const location = partLocation(state);
  state.parts.push(partOf(words, text, notJudgedYet, location));
  state.depth = depth + 1;
  const finding = judgeNamed(words, state);
  state.depth = depth;
  const program = ruleWordsOf(words, finding, state);
  state.parts[at] = { ...partOf(words, text, finding, location), ...(program && { program }) };
  return strictest(state.parts.slice(at));
}

/** A program known to change nothing is remembered by name alone, while the tables say so. */
function ruleWordsOf(
  words: readonly Argument[],
  { verdict, mustAsk }: Judgement,
  state: LineState,
): string[] | undefined {
  const [program, ...programArgs] = words;
  if (program?.kind !== 'exact' || mustAsk || verdict === 'deny') return undefined;
  return verdict === 'allow'
    ? [program.value]
    : programRuleWords([program, ...expandGlobs(programArgs, state)], state);
}

function partOf(
  words: readonly Argument[],
  text: string,
  finding: Judgement,
  location: Pick<CommandPart, 'cwd' | 'depth'>,
): CommandPart {
  const isDynamic = words.some(({ kind }) => kind === 'variable' || kind === 'unknown');
  const texts = words.map(({ kind, value, text: written }) => (kind === 'exact' ? value : written));
  return { text, words: texts, isDynamic, ...finding, ...location };
}

function judgeNamed(words: readonly Argument[], state: LineState): Judgement {
  const [program, ...programArgs] = words;
  if (program === undefined || program.kind !== 'exact')
    return alwaysAsks(phrase('line.unknownProgram'), 'critical');
  const oddCharacter = /[^\x21-\x7e]/u.exec(program.value);
  if (oddCharacter)
    return alwaysAsks(
      phrase('line.disguisedName', { character: nameCodePoint(oddCharacter[0]) }),
      'critical',
    );
  const name = program.value.split('/').at(-1) ?? '';
  const inner = (words: readonly Argument[]): Judgement =>
    judgeWords(words, words.map(({ text }) => text).join(' '), state);
  const args = expandGlobs(programArgs, state);
  refuseState(args, state);
  const judgement = judgeProgram({ name, args, written: programArgs, state, inner });
  if (!program.value.includes('/')) return judgement;
  return strictest([asks(phrase('line.namedByPath', { program: program.text }), 'high'), judgement]);
}
