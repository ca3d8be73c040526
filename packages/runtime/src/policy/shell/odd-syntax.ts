// Pieces of grammar that are not what they seem: read differently by different shells, or running what a variable holds.
import type { SyntaxNode } from 'unbash';
import { asks, type Finding, insists } from './finding.ts';
import { isKnownName } from './known-names.ts';
import { unreadable } from './unreadable.ts';
import { judgeVariable } from './variables.ts';

const differing = insists('Shells read this in different ways.');

/** What speaks against the piece itself; what stands inside it is judged apart. */
export function judgeSyntax(node: SyntaxNode): Finding | undefined {
  switch (node.type) {
    case 'Coproc':
    case 'Select':
    case 'ArithmeticFor':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'AnsiCQuoted':
    case 'LocaleString':
    case 'ArrayValue':
      return differing;
    case 'Assignment':
      return node.index !== undefined || node.append === true ? differing : undefined;
    case 'ParameterExpansion': {
      const isIndirect = node.prefix === '!' || node.operation?.type === 'Transform';
      if (isIndirect || node.operation?.type === 'Unknown')
        return insists('Runs what a variable holds, or reads one that is not named.', 'critical');
      return node.operation === undefined && node.index === undefined ? undefined : differing;
    }
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return insists('What a command prints becomes part of the line.');
    case 'ArithmeticExpansion':
      return insists('Calculating may run what a variable holds.');
    case 'For':
      return judgeVariable(node.name.value).verdict === 'allow' ? undefined : judgeVariable(node.name.value);
    case 'Function': {
      const name = node.name.value;
      if (isKnownName(name)) return insists(`Gives ${name} another meaning.`, 'critical');
      return asks('Defines a command of its own.', 'high');
    }
    default:
      return undefined;
  }
}

/** Stops where the grammar itself is not sure. */
export function checkReadable(node: SyntaxNode): void {
  if (node.type === 'Script' && 'errors' in node && node.errors !== undefined && node.errors.length > 0)
    throw unreadable(`The line can't be read as a shell would: ${node.errors[0]?.message ?? 'it is torn'}.`);
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script === undefined)
    throw unreadable('A command in the line could not be read.');
  if (node.type === 'ArithmeticExpansion' && node.expression === undefined && /[$`]/.test(node.text.slice(1)))
    throw unreadable('A calculation in the line could not be read.');
  if (node.type === 'HereDoc' && node.closing === undefined)
    throw unreadable('The text after << has no end.');
}
