// Proves that the tree holds every word of the text: what a grammar silently dropped, a shell might run.
import type { Script, SyntaxNode } from 'unbash';
import { unreadable } from './unreadable.ts';

type ForEachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

const keywords = new Set(
  '! if then elif else fi for while until do done case esac in select function time -p -- coproc'.split(' '),
);

export function checkCoverage(script: Script, source: string, forEachChild: ForEachChild): void {
  const left = source.slice(script.pos, script.end).split('');
  const blank = ({ pos, end }: { pos: number; end: number }): void => {
    left.fill(' ', Math.max(0, pos - script.pos), Math.max(0, end - script.pos));
  };
  const visit = (node: SyntaxNode): void => {
    const ranges = rangesOf(node);
    if (ranges === undefined) forEachChild(node, visit);
    else ranges.forEach(blank);
  };
  forEachChild(script, visit);
  const rest = left
    .join('')
    .replaceAll('\\\n', '  ')
    .replace(/#[^\n]*/g, '');
  const words = rest.split(/[\s;&|(){}]+/).filter((word) => word !== '' && !keywords.has(word));
  const [first] = words;
  if (first !== undefined)
    throw unreadable(`The line can't be read as a shell would, near ${first.slice(0, 40)}.`);
  const opened = rest.split('(').length - rest.split(')').length;
  if (opened > 0) throw unreadable('The line can’t be read as a shell would: a bracket is left open.');
}

/** The text that a leaf of the tree stands for; undefined when its children have to be asked. */
function rangesOf(node: SyntaxNode): { pos: number; end: number }[] | undefined {
  switch (node.type) {
    case 'Word':
    case 'Assignment':
    case 'Redirect':
    case 'HereString':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return [node];
    case 'HereDoc':
      return [node, node.body, ...(node.closing ? [node.closing] : [])];
    default:
      return undefined;
  }
}
