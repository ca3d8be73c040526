// The frame in which the web IDE draws diagrams (apps/web/src/markdown/draw-diagram.ts). The library is sent to it as a text and runs here, in a document
// without origin: it reaches no file, no cookie and no network, and all it can do is to answer with a picture.
import { createHash } from 'node:crypto';

const script = `'use strict';
const answer = (message) => parent.postMessage(message, '*');

async function draw({ source, settings }) {
  mermaid.initialize(settings);
  await mermaid.parse(source);
  const { svg } = await mermaid.render('diagram', source);
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const [, , width, height] = (picture.getAttribute('viewBox') ?? '').split(' ').map(Number);
  if (picture.localName !== 'svg' || !(width > 0 && height > 0)) throw new Error('The diagram is empty.');
  // As a picture it needs a size of its own.
  picture.removeAttribute('style');
  picture.setAttribute('width', String(Math.ceil(width)));
  picture.setAttribute('height', String(Math.ceil(height)));
  return new XMLSerializer().serializeToString(picture);
}

function load(library) {
  const element = document.createElement('script');
  element.src = URL.createObjectURL(new Blob([library], { type: 'text/javascript' }));
  element.onload = () => answer({});
  element.onerror = () => answer({ error: 'The library could not be loaded.' });
  document.head.append(element);
}

addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  if (data.library !== undefined) load(data.library);
  else
    draw(data).then(
      (svg) => answer({ svg }),
      (error) => answer({ error: String(error.message ?? error) }),
    );
});
answer({});
`;

const html = `<!doctype html><meta charset="utf-8"><title>Diagram</title><body><script>${script}</script>`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}' blob:`,
    // The library measures words in their own fonts and sizes, which it sets by style sheets.
    "style-src 'unsafe-inline'",
    'sandbox allow-scripts',
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function diagramPage(): { headers: Record<string, string>; html: string } {
  return { headers, html };
}
