// The values that the variables of a shell text may have, as far as the text assigns them: `TOOL=./x.sh`, `for f in a.sh b.sh`.
import type { SyntaxNode } from 'unbash';

/** The texts assigned to each variable; undefined where the value is known only at run time. */
export type Variables = ReadonlyMap<string, readonly string[] | undefined>;

type ForEachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

const maxDepth = 5;
const maxValues = 8;
// Builtins that set the variables named in their arguments.
const setting = /^(?:read|mapfile|readarray|getopts|printf)$/;

export function readVariables(tree: SyntaxNode, children: ForEachChild): Variables {
  const variables = new Map<string, string[] | undefined>();
  const set = (name: string, texts: readonly string[] | undefined): void => {
    const values = variables.has(name) ? variables.get(name) : [];
    variables.set(name, texts === undefined || values === undefined ? undefined : [...values, ...texts]);
  };
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') {
      const isPlain = node.value.type === 'Word' && !node.append && node.index === undefined;
      set(node.name, isPlain ? [node.text.slice(node.text.indexOf('=') + 1)] : undefined);
    }
    if (node.type === 'For')
      set(
        node.name.text,
        node.wordlist?.map(({ text }) => text),
      );
    if (node.type === 'Select') set(node.name.text, undefined);
    if (node.type === 'Command' && setting.test(node.name?.text ?? ''))
      for (const { text } of node.args) if (/^\w+$/.test(text)) set(text, undefined);
    children(node, visit);
  };
  visit(tree);
  return variables;
}

const reference = /\$(?:(\w+)|\{(\w+)(?::?[-=]([^{}$`]*))?\})/;

/**
 * The possible expansions of a word, without its quotes; undefined when known only at run time. `within` are the variables being
 * expanded.
 */
export function expandWord(
  text: string,
  variables: Variables,
  expanding: readonly string[] = [],
): string[] | undefined {
  const unquoted = text.replace(/["']/g, '');
  const match = reference.exec(unquoted);
  if (match === null) return /[$`*?[{~\\]/.test(unquoted) ? undefined : [unquoted];
  const [matched, unbraced, braced, other] = match;
  const name = unbraced ?? braced ?? '';
  // `S=${S:-x}`: the text does not set the value that S had before.
  const isOwn = expanding.includes(name) && other !== undefined;
  const assigned = variables.has(name) && !isOwn ? variables.get(name) : [];
  const isKnown = !/^\d/.test(name) && (variables.has(name) || other !== undefined);
  if (!isKnown || assigned === undefined || expanding.length >= maxDepth) return undefined;
  const values = [...new Set([...assigned, ...(other === undefined ? [] : [other])])];
  const outer = [unquoted.slice(0, match.index), unquoted.slice(match.index + matched.length)];
  const expanded = values.map((value) => expandWord(outer.join(value), variables, [...expanding, name]));
  if (expanded.some((values) => values === undefined)) return undefined;
  const texts = [...new Set(expanded.flatMap((values) => values ?? []))];
  return texts.length > maxValues ? undefined : texts;
}
