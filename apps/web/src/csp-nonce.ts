// The page's own nonce: libraries that insert style elements (CodeMirror, xterm) need it to get past the content security policy.
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
