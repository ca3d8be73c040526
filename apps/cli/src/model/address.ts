// The address of a model's server as people type it.

export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/@?#]+([/?#]\S*)?$/.test(text);
}

/** Adds the scheme where it is missing: http for this machine and private networks, https elsewhere, because a key may be sent there. */
export function completeAddress(text: string): string {
  if (text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  const host = /^(\[[^\]]*\]|[^/:?#]*)/.exec(text)?.[0] ?? '';
  return `${isNearby(host) ? 'http' : 'https'}://${text}`;
}

function isNearby(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '[::1]' ||
    /^(?:127|10)(?:\.\d{1,3}){3}$/.test(host) ||
    /^(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/.test(host)
  );
}
