// `find`: a reader as long as its expression only tests and prints.
import { phrase } from '@codelab/protocol';
import { type Argument, exactly } from '../argument.ts';
import {
  allows,
  asks,
  asksUnlessHeld,
  insists,
  isReading,
  type JudgeInner,
  type Judgement,
  readsUnclear,
  strictest,
} from '../judgement.ts';
import { touchPlaces } from '../places/touch-places.ts';
import type { Scene } from '../scene.ts';

const plain = new Set(
  `( ) ! , -not -a -and -o -or -true -false -print -print0 -ls -prune -quit -empty -depth -xdev -mount -daystart -readable -writable
-executable -nouser -nogroup -noleaf -noignore_readdir_race -ignore_readdir_race -nowarn`.split(/\s+/),
);
const valued = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin
-maxdepth -mindepth -perm -user -group -uid -gid -links -inum -printf -fstype -used -newermt -newerat -newerct`.split(
    /\s+/,
  ),
);
const paths = new Set(['-newer', '-anewer', '-cnewer', '-samefile', '-newermm', '-neweram', '-newercm']);
const starters = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** `inner` judges the program that `-exec` starts. */
export function judgeFind(args: readonly Argument[], scene: Scene, inner: JudgeInner): Judgement {
  const begin = args.findIndex(({ kind, value }) => kind === 'exact' && /^[-(!,]/.test(value));
  const starts = begin < 0 ? args : args.slice(0, begin);
  const findings = touchPlaces(starts.length === 0 ? [exactly('.')] : starts, 'list', scene);
  const rest = begin < 0 ? [] : args.slice(begin);
  while (rest.length > 0) {
    const [token] = rest.splice(0, 1);
    if (token === undefined) break;
    const found = judgeToken(token, rest, scene, inner);
    if (found) findings.push(found);
    if (found?.mustAsk && !isReading(found)) break;
  }
  return strictest([allows(phrase('find.lists')), ...findings]);
}

function judgeToken(
  token: Argument,
  rest: Argument[],
  scene: Scene,
  inner: JudgeInner,
): Judgement | undefined {
  const { value, text, kind } = token;
  if (kind !== 'exact') return asks(phrase('find.unclear', { word: text }), 'high');
  if (plain.has(value)) return undefined;
  if (valued.has(value)) {
    const given = rest.shift();
    return given?.isOneWord === true && given.kind !== 'unknown'
      ? undefined
      : asks(phrase('find.unclearValue', { option: value }), 'high');
  }
  if (paths.has(value)) return strictest([allows(), ...touchPlaces(rest.splice(0, 1), 'list', scene)]);
  if (value === '-delete') return insists(phrase('find.deletes'), 'critical');
  if (!starters.has(value)) return insists(phrase('find.unknown', { option: value }));
  const end = rest.findIndex((arg) => arg.value === ';' || arg.value === '+');
  const words = rest.splice(0, end < 0 ? rest.length : end + 1).slice(0, end < 0 ? undefined : -1);
  const found = inner(
    words.map((word) =>
      word.value.includes('{}') ? { ...word, kind: 'variable', isListed: word.value === '{}' } : word,
    ),
  );
  const [program] = words;
  const reason =
    program === undefined
      ? phrase('find.startsProgram', { option: value })
      : phrase('find.starts', { option: value, program: program.text });
  // Of a name without its folder a program may take the beginning for an option.
  return isReading(found) && value === '-exec' ? readsUnclear(reason) : asksUnlessHeld(reason, 'critical');
}
