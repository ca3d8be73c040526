// Programs whose arguments have their own grammar.
import { isProtectedPath } from '../../protected-names.ts';
import type { Argument } from '../argument.ts';
import type { LineState } from '../line-state.ts';
import { isPlainTarget } from '../places/touch-places.ts';
import { readPackageTarget } from '../programs/package-managers.ts';
import {
  checkArguments,
  isExact,
  ownProgramRuleWords,
  type RuleWords,
  subcommandRuleWords,
} from './checked-arguments.ts';
import { argumentsOf, scriptArguments } from './known-arguments.ts';

const ownCommands =
  /^(add|audit|bin|cache|config|create|deploy|dlx|env|exec|fetch|global|import|info|init|install|i|link|licenses|list|login|logout|node|npm|outdated|owner|pack|patch|plugin|pm|policies|publish|rebuild|remove|repl|root|self-update|server|set|setup|store|unlink|unplug|up|update|upgrade|version|versions|why|workspace|workspaces|x)$/;

const quiet = /^(-s|--silent|--quiet|-q|--if-present)$/;

/** `npm test`, `npm run build`, `yarn build`, `pnpm test`: the script, then the arguments passed on to it. */
export function ofPackages(args: readonly Argument[], name: string): RuleWords {
  const target = readPackageTarget(name, args);
  if (target !== undefined) {
    const rest = ofPackages(target.rest, name);
    return rest && [...target.words, ...rest];
  }
  const at = args.findIndex((word) => !isExact(word, quiet));
  const [first, second] = at < 0 ? [] : args.slice(at);
  if (first?.kind !== 'exact') return undefined;
  const isRun = /^(run|run-script)$/.test(first.value);
  const script = isRun ? second : first;
  if (script === undefined || !isExact(script, /^[a-z][\w:.-]*$/i)) return undefined;
  if (
    !isRun &&
    (ownCommands.test(script.value) || (name === 'npm' && !/^(test|t|tst|start)$/.test(script.value)))
  )
    return undefined;
  const after = args.slice(at + (isRun ? 2 : 1));
  const end = after.findIndex((word) => isExact(word, /^--$/));
  // An option before `--` belongs to npm.
  if (
    name === 'npm' &&
    after.slice(0, end < 0 ? after.length : end).some((word) => isExact(word, /^-/) && !isExact(word, quiet))
  )
    return undefined;
  const scriptWords = after.filter((word) => !isExact(word, /^--$/) && !isExact(word, quiet));
  // Some package managers hand these words to a shell.
  if (scriptWords.some(({ value }) => /\p{Cc}|[`$;&<>\\]/u.test(value))) return undefined;
  const rest = checkArguments(scriptWords, scriptArguments);
  const runWords = isRun ? ['run', script.value] : [/^(t|tst)$/.test(script.value) ? 'test' : script.value];
  return rest && [...runWords, ...rest];
}

/** `python -m pytest`: a module with its own table. Undefined for a script, which `programRuleWords` handles. */
export function ofModule(args: readonly Argument[]): RuleWords {
  const at = args.findIndex((word) => isExact(word, /^-m$/));
  const module = args[at + 1];
  if (module === undefined || !isExact(module, /^[\w.]+$/)) return undefined;
  if (!args.slice(0, at).every((word) => isExact(word, /^-[uBqO]+$/))) return undefined;
  const table = argumentsOf(module.value);
  return table && subcommandRuleWords(['-m', module.value], args.slice(at + 2), table);
}

/** Go takes its long options behind one dash or two. */
const goFlags = /^--?(v|race|short|cover|failfast|json|benchmem|trimpath|x=false|cover=\w+|v=\w+)$/;
const goValues =
  /^--?(run|skip|bench|count|timeout|parallel|p|cpu|tags|benchtime|shuffle|covermode)(?:=([^@].*))?$/s;
// Any other name is a package that Go downloads.
const goPlaces = /^(\.|\.\.?\/.*|[\w./-]+\.go|\.{3})$/;

export function ofGo(args: readonly Argument[]): RuleWords {
  const [command, ...commandArgs] = args;
  if (command === undefined || !isExact(command, /^(build|test|vet|run|fmt|list)$/)) return undefined;
  const places: Argument[] = [];
  for (let rest = commandArgs; rest.length > 0; ) {
    const [word, value] = rest;
    const optionLength = word === undefined ? undefined : goOption(word, value);
    if (word === undefined || optionLength === undefined) return undefined;
    if (optionLength === 0 && command.value === 'run') return ofGoProgram(rest);
    if (optionLength === 0) places.push(word);
    rest = rest.slice(Math.max(1, optionLength));
  }
  // The built program is named after its folder, so the folder must not have a protected name.
  const isPlain = (word: Argument): boolean => isExact(word, goPlaces) && !isProtectedPath(word.value);
  return command.value !== 'run' && places.every(isPlain) ? [command.value] : undefined;
}

/** How many words an option takes: 0 for a word that is no option, undefined for an unknown option. */
function goOption(word: Argument, next: Argument | undefined): number | undefined {
  if (!isExact(word, /^-/)) return 0;
  const valued = goValues.exec(word.value);
  if (valued === null) return goFlags.test(word.value) ? 1 : undefined;
  if (valued[2] !== undefined) return 1;
  return next?.kind === 'exact' ? 2 : undefined;
}

function ofGoProgram([main, ...rest]: readonly Argument[]): RuleWords {
  const programWords = ownProgramRuleWords(rest);
  return main !== undefined && isExact(main, goPlaces) && programWords
    ? ['run', main.value, ...programWords]
    : undefined;
}

/** Goals are part of the rule; of the properties only those that choose tests are free. */
const mavenOptions =
  /^(-[qoeBUX]+|-ntp|-am|-amd|--quiet|--offline|--batch-mode|--no-transfer-progress|--also-make|-T\d+C?|-D(test|it\.test|skipTests|skipITs|maven\.test\.skip|surefire\.failIfNoSpecifiedTests|failIfNoTests)(=[^@/]*)?)$/;

export function ofMaven(args: readonly Argument[]): RuleWords {
  const isModules = (at: number): boolean =>
    args[at] !== undefined && isExact(args[at], /^(-pl|--projects|-rf)$/) && !hasDash(at + 1);
  const hasDash = (at: number): boolean => args[at] !== undefined && isExact(args[at], /^-/);
  const rest = args.filter(
    (word, at) => !isExact(word, mavenOptions) && !isModules(at) && !isModules(at - 1),
  );
  const isPlain =
    rest.every((word) => isExact(word, /^[a-z][\w-]*$/)) && args.every(({ kind }) => kind === 'exact');
  return isPlain ? rest.map(({ value }) => value) : undefined;
}

/** `java -jar app.jar` and `java -cp classes Main`: the started program is part of the rule. */
export function ofJava(args: readonly Argument[]): RuleWords {
  const isJar = args[0] !== undefined && isExact(args[0], /^-jar$/);
  const isClass = args[0] !== undefined && isExact(args[0], /^(-cp|-classpath|--class-path)$/);
  const end = isJar ? 2 : isClass ? 3 : 0;
  const scriptArgs = args.slice(0, end);
  const rest = args.slice(end);
  if (end === 0 || scriptArgs.length < end || !scriptArgs.every((word) => isExact(word, /^(?!@)/)))
    return undefined;
  const programWords = ownProgramRuleWords(rest);
  return programWords && [...scriptArgs.map(({ value }) => value), ...programWords];
}

// Leaves out `-B`, `-wrapper`, `-fplugin`, `-specs`, `-Wl,…` and similar options, which choose programs or load code.
const compilerOptions =
  /^(-c|-S|-E|-g\d?|-O[0-3sgz]?|-W(?![lpa],)[\w-]+(=[\w-]+)?|-w|-pedantic(-errors)?|-std=[\w+]+|-I[\w./-]*|-L[\w./-]*|-l[\w+.-]+|-D\w+(=[\w.-]*)?|-U\w+|-f(PIC|PIE|sanitize=[\w,]+|no-omit-frame-pointer|openmp)|-pthread|-shared|-static|-m(64|32|arch=native)|-MMD|-MP|-fsyntax-only|--coverage)$/;

// The linker reads a file of another kind as a script.
const compilerOperands = /^[^-@].*\.(c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|i|ii|m|mm|s|o|a|so)$/i;

export function ofCompiler(args: readonly Argument[], _name: string, state: LineState): RuleWords {
  const isOutput = (at: number): boolean => args[at] !== undefined && isExact(args[at], /^-o$/);
  // `-x` names the language of piped input; other options create a file beside the source.
  const isLanguage = (at: number): boolean => args[at] !== undefined && isExact(args[at], /^-x$/);
  // Without one of these options, a linker script among the files could choose the output path.
  if (!args.some((word) => isExact(word, /^(-o|-c|-S|-E|-fsyntax-only)$/))) return undefined;
  const isKnown = args.every((word, at) => {
    if (isOutput(at - 1)) return isPlainTarget(word, state);
    if (isLanguage(at - 1)) return isExact(word, /^c(\+\+)?$/);
    if (isOutput(at) || isLanguage(at) || isExact(word, /^-(xc(\+\+)?)?$/)) return true;
    return isExact(word, compilerOperands) || isExact(word, compilerOptions);
  });
  return isKnown ? [] : undefined;
}
