// A name and a password in front of a host: `https://name:token@host`. Shown nowhere that a model can read.
const credentials = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi;

export function maskCredentials(text: string): string {
  return text.replace(credentials, '$1***@');
}

/** The name alone is no secret where it only says whom to log in as: `ssh://git@host`. */
export function hasCredentials(text: string): boolean {
  return [...text.matchAll(credentials)].some(([found, scheme]) => {
    const isLogin = /ssh/i.test(scheme ?? '') && !found.slice((scheme ?? '').length).includes(':');
    return !isLogin;
  });
}
