// The variables of a makefile: the values each may have, and how a text expands with them.

/** Each variable with all values it is assigned anywhere; which one applies is known only at run time. */
export type MakeVariables = ReadonlyMap<string, readonly string[]>;

const maxValues = 8;
const maxDepth = 8;
const maxChars = 8000;
/** Placeholder for a value that is known only at run time; a shell reads it as an unset variable. */
const unknown = '$__unknown';

const builtIn = {
  ...{
    AR: 'ar',
    AS: 'as',
    CC: 'cc',
    CXX: 'g++',
    CPP: 'cc -E',
    FC: 'f77',
    LD: 'ld',
    LEX: 'lex',
    YACC: 'yacc',
  },
  ...{ MAKE: 'make', RM: 'rm -f', SHELL: '/bin/sh', INSTALL: 'install', MAKEINFO: 'makeinfo', TEX: 'tex' },
  ...{ CFLAGS: '', CXXFLAGS: '', CPPFLAGS: '', LDFLAGS: '', LDLIBS: '', ARFLAGS: '-rv', MAKEFLAGS: '' },
};

const assignment =
  /^[ ]*(?:(?:override|export|private)[ \t]+)*(?:[^\s:#=]+[ \t]*:[ \t]*)?([\w.-]+)[ \t]*(?::{0,3}|\?|\+)=[ \t]*(.*)$/;

/** `assignments` are words such as `S=x.sh`; they take precedence over the makefile, except over its `override` lines. */
export function readMakeVariables(text: string, assignments: readonly string[]): MakeVariables {
  const variables = new Map<string, string[]>(
    Object.entries(builtIn).map(([name, value]) => [name, [value]]),
  );
  const set = (name: string, value: string): void => {
    const values = variables.get(name) ?? [];
    if (!values.includes(value)) variables.set(name, [...values, value]);
  };
  for (const line of [...text.split('\n'), ...assignments]) {
    if (line.length > 4000 || line.startsWith('\t')) continue;
    const [, name, value = ''] = assignment.exec(line) ?? [];
    if (name !== undefined) set(name, value.replace(/(?<!\\)#.*$/, '').trim());
    const appended = /\+=/.test(line) ? variables.get(name ?? '')?.[0] : undefined;
    if (name !== undefined && appended !== undefined) set(name, `${appended} ${value.trim()}`);
  }
  for (const [, name = '', body = ''] of text.matchAll(/^define[ \t]+([\w.-]+)[^\n]*\n([\s\S]*?)^endef/gm))
    set(name, body);
  return variables;
}

export type Automatic = Readonly<Record<string, string>>;

/** The possible expansions of a text. `$$` stays for the shell. */
export function expandMake(
  text: string,
  variables: MakeVariables,
  automatic: Automatic = {},
  depth = 0,
): string[] {
  const at = text.replaceAll('$$', '\0\0').indexOf('$');
  if (at < 0) return [text];
  if (text.length > maxChars) return [unknown];
  const { name, end } = referenceAt(text, at);
  const values = valuesOf(name, variables, automatic, depth);
  const rests = expandMake(text.slice(end), variables, automatic, depth);
  const all = values.flatMap((value) => rests.map((rest) => `${text.slice(0, at)}${value}${rest}`));
  return all.length <= maxValues ? [...new Set(all)] : [`${text.slice(0, at)}${unknown}${rests[0] ?? ''}`];
}

function valuesOf(
  name: string,
  variables: MakeVariables,
  automatic: Automatic,
  depth: number,
): readonly string[] {
  const automaticValue = automatic[name];
  if (automaticValue !== undefined) return [automaticValue];
  const values = variables.get(name);
  if (values === undefined || depth >= maxDepth) return [unknown];
  const all = values.flatMap((value) => expandMake(value, variables, automatic, depth + 1));
  return all.length <= maxValues ? all : [unknown];
}

/** `$(name)`, `${name}` or `$x`; for a function call, the whole call is the name. */
function referenceAt(text: string, at: number): { name: string; end: number } {
  const open = text[at + 1] ?? '';
  const close = open === '(' ? ')' : open === '{' ? '}' : undefined;
  if (close === undefined) return { name: open, end: at + 2 };
  let depth = 0;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === open) depth++;
    if (text[end] === close && --depth === 0) return { name: text.slice(at + 2, end), end: end + 1 };
  }
  return { name: text.slice(at + 2), end: text.length };
}

/** The texts that `$(shell …)` and `!=` run as soon as the file is read. */
export function shellTexts(text: string): string[] {
  const calls = [...text.matchAll(/\$[({]shell[ \t]/g)].map(({ index }) =>
    referenceAt(text, index).name.replace(/^shell[ \t]+/, ''),
  );
  return [...calls, ...[...text.matchAll(/!=[ \t]*([^\n]+)/g)].map(([, line = '']) => line)];
}
