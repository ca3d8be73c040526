// The last look at a line before it leaves the process: what is known to be secret, or has the form of it, is blotted out. Nothing secret
// should have come this far; this is for what a defect or a provider's message may carry.

const blot = '•••';
/** Shorter values are flags and numbers, which would blot out innocent text. */
const shortest = 8;
const namesSecret = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|OTLP_(TRACES_)?HEADERS/i;

const forms: readonly RegExp[] = [
  /\b(Bearer|Basic) +[^\s"\\]+/gi,
  /\b(token|api_key|key|secret|password)=[^\s&"\\]+/gi,
  /\bey[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /\b(sk|pk|ghp|gho|xoxb)[-_][\w-]{12,}/g,
  /\/approve\/[\w-]{16,}/g,
  // The part of an address before its host.
  /:\/\/[^\s/@"\\]+@/g,
];

/** `given` are secrets by themselves; of the environment those count whose names say so. */
export function hideLine(given: readonly string[], env: NodeJS.ProcessEnv): (line: string) => string {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value && namesSecret.test(name) ? [value] : [],
  );
  // A line is JSON: there a secret stands as JSON spells it.
  const known = [...new Set([...given, ...named].map((one) => JSON.stringify(one).slice(1, -1)))]
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (line) => {
    const shown = known.reduce((text, secret) => text.replaceAll(secret, blot), line);
    const hidden = forms.reduce((text, form) => text.replace(form, blot), shown);
    return hidden === line || isJson(hidden) ? hidden : withheld;
  };
}

// A secret may begin in the middle of what JSON spells with two characters.
const withheld = `${JSON.stringify({ level: 'warn', service: 'codelab', msg: 'a line was withheld' })}\n`;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
