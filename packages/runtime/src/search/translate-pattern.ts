// Translates a ripgrep pattern into a JavaScript expression, for the built-in search. Syntax that only one of the two understands is
// refused, so that a result never depends on which search ran.
import { invalidPattern } from '../platform/pattern-worker.ts';

export function translatePattern(
  query: string,
  options: { isRegex: boolean; isCaseSensitive: boolean },
): RegExp {
  const flags = options.isCaseSensitive ? 'u' : 'iu';
  if (!options.isRegex) return new RegExp(RegExp.escape(query), flags);
  const inline = /^\(\?([is]+)\)/.exec(query);
  const source = rewrite(inline === null ? query : query.slice(inline[0].length));
  try {
    return new RegExp(source, [...new Set([...flags, ...(inline?.[1] ?? '')])].join(''));
  } catch (error) {
    throw invalidPattern(error instanceof Error ? error.message.replace(/^.*: /, '') : 'not an expression');
  }
}

const classes: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`\\{-~',
};

// Letters, digits and word characters of all scripts.
const digit = '\\p{Nd}';
const word = `\\p{Alphabetic}\\p{M}${digit}\\p{Pc}\\p{Join_Control}`;
const boundary = `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`;
const outside: Readonly<Record<string, string>> = {
  d: digit,
  D: '\\P{Nd}',
  w: `[${word}]`,
  W: `[^${word}]`,
  b: boundary,
  A: '^',
  z: '$',
};
const inside: Readonly<Record<string, string>> = { d: digit, D: '\\P{Nd}', w: word };

const tokens =
  /\\(?<escaped>[\s\S])|\(\?(?<group>P?<(?![=!])|<?[=!]|:|[^)]*)|\[:(?<name>\w+):\]|(?<open>\[\^?)|(?<close>\])|(?<brace>\{(?!\d+(?:,\d*)?\}))/g;

function rewrite(pattern: string): string {
  let isClass = false;
  return pattern.replace(tokens, (whole, ...rest) => {
    const { escaped, group, name, open, close } = rest.at(-1) as Record<string, string | undefined>;
    if (escaped !== undefined) return rewriteEscape(escaped, isClass);
    if (name !== undefined) return classes[name] ?? refuse(`the class [:${name}:] is not known`);
    if (open !== undefined && isClass) return refuse('a class inside a class is understood by ripgrep only');
    if (open !== undefined || close !== undefined) {
      isClass = open !== undefined;
      return whole;
    }
    if (isClass) return whole;
    return group === undefined ? refuse('a repetition has no number') : rewriteGroup(group);
  });
}

function rewriteEscape(escaped: string, isClass: boolean): string {
  const translation = (isClass ? inside : outside)[escaped];
  if (translation !== undefined) return translation;
  if (/[1-9k]/.test(escaped)) return refuse('backreferences are not supported');
  if (escaped === 'n') return refuse('the literal "\\n" is not allowed in a regex');
  if (/[\w^$\\.*+?()[\]{}|/]/.test(escaped)) return `\\${escaped}`;
  return escaped === '-' ? '\\x2d' : escaped;
}

function rewriteGroup(group: string): string {
  if (/^<?[=!]$/.test(group))
    return refuse('look-around, including look-ahead and look-behind, is not supported');
  if (group === 'P<' || group === '<') return '(?<';
  return group === ':' ? '(?:' : refuse('flags inside the pattern are understood by ripgrep only');
}

function refuse(reason: string): never {
  throw invalidPattern(reason);
}
