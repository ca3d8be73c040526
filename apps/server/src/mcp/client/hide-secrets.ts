// Takes what was given to a server in confidence out of what is said about it: errors go to the log and to the model.

// Shorter ones are flags and numbers, which would blot out innocent text.
const shortest = 6;

export function hideSecrets(given: readonly string[]): (text: string) => string {
  const secrets = [...new Set(given.flatMap((value) => [value, ...value.split(/\s+/)]))]
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text);
}
