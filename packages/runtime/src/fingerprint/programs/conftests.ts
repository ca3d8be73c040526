// pytest loads every `conftest.py` on the way: in the folders it is given, and in all folders below from which it collects tests.
import { type Family, type FollowStep, joinPath, type Word } from '../step.ts';

// The default `norecursedirs` of pytest, and __pycache__, which pytest never enters.
const usual = /^(?:\..*|_darcs|build|CVS|dist|node_modules|venv|\{arch\}|.*\.egg|__pycache__)$/;

export function printConftests(
  args: readonly Word[],
  settings: readonly string[],
  step: Parameters<Family>[1],
): void {
  const { recorder, cwd } = step;
  const texts = settings.map((path) => (path.endsWith('.py') ? '' : (recorder.peek(path) ?? '')));
  // Where `norecursedirs` is configured, only folders that are never read as modules are skipped.
  const isOther = texts.some((text) => /\bnorecursedirs\b|\bcollect_in_virtualenv\b/.test(text));
  const passesBy = (name: string): boolean => (isOther ? name === '.git' : usual.test(name));
  const mentioned = texts.flatMap((text) => text.split(/[\s"',=[\]]+/));
  for (const folder of startsOf(cwd, [...args, ...mentioned], recorder))
    for (const path of recorder.find(folder, /^conftest\.py$/, (name) => passesBy(name)))
      if (!isVirtual(path, recorder)) recorder.file(path);
}

/** The folder pytest is started in, the named folders, and the folders between. */
function startsOf(cwd: string, words: readonly Word[], recorder: FollowStep['recorder']): Set<string> {
  const starts = new Set([cwd]);
  for (const word of words) {
    const pathWord = word?.replace(/^--?[\w-]+=/, '').replace(/::.*$/s, '');
    if (pathWord === undefined || !/^[^-].*[^/]\/?$|^[\w.]$/s.test(pathWord)) continue;
    const path = recorder.quietly().resolve(cwd, pathWord);
    if (path === undefined) continue;
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth++) {
      const folder = names.slice(0, depth).join('/');
      recorder.file(joinPath(folder, 'conftest.py'));
      if (depth === names.length && recorder.quietly().names(folder).size > 0) starts.add(folder);
    }
  }
  return starts;
}

// Installed packages have conftests of their own, which pytest ignores.
function isVirtual(path: string, recorder: FollowStep['recorder']): boolean {
  const names = path.split('/');
  return names.some((_name, at) => {
    const folder = names.slice(0, at).join('/');
    const { names: namesIn } = recorder.quietly();
    return at > 0 && namesIn(folder).has('pyvenv.cfg') && namesIn(joinPath(folder, 'bin')).has('activate');
  });
}
