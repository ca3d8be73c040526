// Lets the terminal style itself under the page's content security policy: the style elements it makes carry the page's nonce, and the style
// attributes of its cells are set through the object model, which the policy allows.
import { cspNonce } from '../../csp-nonce.ts';

/** `open` makes the terminal's style elements; it must do so before it returns. */
export function allowStyles(open: () => void): void {
  const plain = document.createElement.bind(document);
  document.createElement = (tag: string, options?: ElementCreationOptions): HTMLElement => {
    const element = plain(tag, options);
    if (tag === 'style') element.nonce = cspNonce();
    return element;
  };
  HTMLSpanElement.prototype.setAttribute = setAttribute;
  try {
    open();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}

// The library makes its cells anew whenever it draws, so there is no single one to change.
function setAttribute(this: HTMLSpanElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else HTMLElement.prototype.setAttribute.call(this, name, value);
}
