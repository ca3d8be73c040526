// Formulas as MathML, which browsers typeset: no fonts and no style sheet to load. Built as elements, never as HTML.
import { render } from 'katex';

// Two of its commands would need a style attribute, which the page's policy forbids.
const plain = { '\\pmb': '\\boldsymbol{#1}', '\\fcolorbox': '\\boxed{#3}' };
const longest = 5000;

/** False where the source is no TeX; the element is then empty. */
export function setMath(element: HTMLElement, source: string, isBlock: boolean): boolean {
  element.replaceChildren();
  if (source.length > longest) return false;
  try {
    render(source, element, {
      output: 'mathml',
      displayMode: isBlock,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 200,
      maxSize: 20,
      macros: { ...plain },
    });
    return true;
  } catch {
    element.replaceChildren();
    return false;
  }
}
